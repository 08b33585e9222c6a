/** Answers the requests of a session that is run again: each with what came of it then. */
import { AdapterError, type AdapterErrorOptions } from '../../providers/errors.ts';
import {
  type IRChatRequest,
  type IRChatStream,
  type IRMetadata,
  type IRStreamChunk,
  unknownUsage,
} from '../../providers/ir.ts';
import type { EventErrorCode, Mode } from '../types.ts';
import type { RecordedAnswer, RecordedTurn } from './recorded-steps.ts';

/** What the person did while an answer came, done by who runs the session. */
export interface Person {
  say(message: RecordedAnswer['steered'][number]): void;
  choose(mode: Mode): void;
  /** Ends the turn. */
  stop(): void;
}

export interface RecordedModel {
  ask(request: IRChatRequest, signal: AbortSignal): IRChatStream;
  /** The answers of this turn are the next ones; what is left of others is dropped. */
  begin(turn: RecordedTurn, person: Person): void;
  /** Of the turn: answers that nobody asked for, and whether one more was asked for than there were. */
  readonly left: number;
  readonly isShort: boolean;
}

export function recordedModel(): RecordedModel {
  let answers: readonly RecordedAnswer[] = [];
  let next = 0;
  let isShort = false;
  let isCut = true;
  let person: Person | undefined;

  async function* stream(request: IRChatRequest): AsyncGenerator<IRStreamChunk, void, undefined> {
    const answer = answers[next++];
    if (!answer) {
      isShort = !isCut;
      yield* ended(request.metadata);
      return;
    }
    if (answer.mode) person?.choose(answer.mode);
    for (const message of answer.steered) person?.say(message);
    for (const chunk of chunksOf(answer, request.metadata)) yield chunk;
    if (answer.finish === 'aborted' && !answer.isLooping) yield* ended(request.metadata);
  }

  /** The turn was ended here. */
  function* ended(metadata: IRMetadata): Generator<IRStreamChunk> {
    person?.stop();
    yield { sequence: 0, type: 'start', metadata };
    yield { sequence: 1, type: 'error', error: errorOf({ code: 'internal', message: ENDED, retryable: false }) };
  }

  return {
    ask: (request) => stream(request),
    begin(turn, who) {
      answers = turn.answers;
      next = 0;
      isShort = false;
      isCut = turn.finish === 'cut';
      person = who;
    },
    get left() {
      return Math.max(0, answers.length - next);
    },
    get isShort() {
      return isShort;
    },
  };
}

const ENDED = 'the recording of this turn ends here';

function* chunksOf(answer: RecordedAnswer, request: IRMetadata): Generator<IRStreamChunk> {
  let sequence = 0;
  const { served, shown, constrains, finish, isLost } = answer;
  const metadata: IRMetadata = {
    ...request,
    provenance: {
      ...request.provenance,
      backend: served?.backend ?? 'recorded',
      servedModel: served?.model,
      local: isLost ?? served?.local ?? false,
    },
    custom: {
      latencyMs: served?.latencyMs ?? 0,
      attempts: served?.attempts ?? 1,
      ...(shown && { callsShown: shown }),
      ...(constrains && { constrains }),
      ...(isLost && { streamed: true }),
    },
  };
  yield { sequence: sequence++, type: 'start', metadata };
  for (const retry of answer.retries) yield { sequence: sequence++, type: 'retry', delayMs: 0, ...retry };
  for (const part of answer.content) {
    if (part.type === 'text') yield { sequence: sequence++, type: 'content', delta: part.text };
    else if (part.type === 'reasoning') {
      const { text, signature, redacted } = part;
      yield {
        sequence: sequence++,
        type: 'reasoning',
        delta: text,
        ...(signature !== undefined && { signature }),
        ...(redacted && { redacted }),
      };
    } else if (part.type === 'tool_use') {
      const { id, name, input, raw = JSON.stringify(input), invalid } = part;
      yield { sequence: sequence++, type: 'tool_use_start', id, name };
      yield { sequence: sequence++, type: 'tool_use_end', id, input, raw, ...(invalid !== undefined && { invalid }) };
    }
  }
  if (finish === 'error') {
    const error = answer.error ?? { code: 'provider', message: 'the recorded answer failed', retryable: false };
    yield { sequence, type: 'error', error: errorOf(error) };
  } else if (finish !== 'aborted' || answer.isLooping) {
    const finishReason = finish === 'aborted' ? 'stop' : finish;
    yield { sequence, type: 'done', finishReason, usage: unknownUsage(), metadata };
  }
}

const CATEGORIES: Readonly<Partial<Record<EventErrorCode, AdapterErrorOptions['category']>>> = {
  authentication: 'authentication',
  authorization: 'authorization',
  rate_limit: 'rate_limit',
  overflow: 'overflow',
  validation: 'validation',
  conversion: 'conversion',
  network: 'network',
  stream: 'stream',
  routing_failed: 'routing',
  middleware: 'middleware',
};

function errorOf({ code, message, retryable }: NonNullable<RecordedAnswer['error']>): Error {
  const category = CATEGORIES[code] ?? 'provider';
  return new AdapterError({ message, code: 'PROVIDER_ERROR', category, isRetryable: retryable });
}
