/**
 * One turn: ask the model, run what it calls, append what happened, until it calls nothing. The loop knows no vendor,
 * no screen and no socket; the log is its only memory.
 */
import { AdapterError } from '../providers/errors.ts';
import type { IRChatRequest, IRChatStream, IRParameters, IRWarning, ToolUseContent } from '../providers/ir.ts';
import type { WindowNews } from './compaction/window-keeper.ts';
import { EMPTY_ANSWER, lostInStream } from './guards/lost-in-stream.ts';
import { RepeatedCalls } from './guards/repeated-calls.ts';
import { REPEATED_TEXT } from './guards/repeated-text.ts';
import { placeNote } from './place.ts';
import { PLAN_ENDED_NOTE, PLAN_NOTE } from './prompt.ts';
import { hopOf, servedBy, usageOf } from './served.ts';
import type { SessionState } from './state.ts';
import { type MessageSink, type Partial, type StreamedMessage, streamMessage } from './stream-message.ts';
import type { EventErrorCode, EventOf, Served, StoredBody, StoredEvent, TurnFinish } from './types.ts';

export interface Limits {
  /** Model messages in a turn. */
  maxTurns?: number;
  /** US dollars of a turn, checked after each message. */
  maxCost?: number;
  /** Wall time of a turn. */
  timeoutMs?: number;
  /** The model in use where its price is unknown, once each; asked only where costs are limited. */
  unpriced?(): Promise<string | undefined>;
}

/** What the loop needs of its session. */
export interface Turn {
  /** The events behind a number. */
  since(seq: number): readonly StoredEvent[];
  /** Ids of all calls before. */
  readonly callIds: ReadonlySet<string>;
  /** Texts of all notices before. */
  readonly said: ReadonlySet<string>;
  readonly state: SessionState;
  readonly signal: AbortSignal;
  readonly limits: Limits;
  /** Room may be made by leaving out what is old. */
  readonly compacts: boolean;
  readonly partial: Partial;
  readonly sink: MessageSink;
  /** The next request: the session's messages so far. */
  request(): IRChatRequest;
  ask(request: IRChatRequest, signal: AbortSignal): IRChatStream;
  /** US dollars of a message, null when the price is unknown. */
  cost(usage: NonNullable<StreamedMessage['usage']>, served: Served): number | null;
  /**
   * Whether a tool is offered by this name, or one that other agents use for it, and the arguments fit it; without
   * `input` whether there is one.
   */
  canCall(name: string, input?: unknown): boolean;
  /** Gives how many of the calls had a tool and arguments that fit it, whatever became of them. */
  runCalls(calls: readonly ToolUseContent[]): Promise<number>;
  /**
   * Makes room in the window where there is too little; `force`: the server found the request too long. Gives why a
   * request makes no sense, in one line for a person.
   */
  makeRoom(force: boolean): Promise<string | undefined>;
  /**
   * Tells a model whose server takes no tools how to call in words, once. `refusal`: how the last request failed; true
   * when it may be sent again, now without tools.
   */
  teach(refusal?: Error): boolean;
  /** How the window is made larger, as half a sentence; undefined where a person cannot. */
  widen(): string | undefined;
  /** Tokens of prompt and answer that the model is served with; null when unknown. */
  window(): number | null;
  /** What the server counted of the last request; gives what a person should know of it. */
  counted(promptTokens: number | null): WindowNews | undefined;
  /** Appends prompts that were steered in since the last call; true when there were any. */
  takeSteered(): boolean;
}

/** Runs a turn to its end and says how it ended; the caller appends `done`. */
export async function runTurn(turn: Turn): Promise<{ finish: TurnFinish; text: string }> {
  let text = '';
  let isTooLong = false;
  const repeated = new RepeatedCalls();
  let seen = turn.state.lastSeq;
  /** Messages in a row whose calls were none that could be run. */
  let unformed = 0;
  /** Messages that ended in a call as text. */
  let written = 0;
  let isHeld = false;
  const unpriced = turn.limits.maxCost === undefined ? undefined : await turn.limits.unpriced?.();
  // Also where an earlier run of the session was told so.
  if (unpriced !== undefined) turn.sink.stored({ type: 'notice', level: 'warning', text: priceUnknown(unpriced) });
  for (;;) {
    if (turn.signal.aborted) return { finish: abortFinish(turn), text };
    tellPlace(turn);
    tellMode(turn);
    turn.teach();
    const problem = await turn.makeRoom(isTooLong);
    if (turn.signal.aborted) return { finish: abortFinish(turn), text };
    if (problem) return fail(turn, { code: 'overflow', message: problem, retryable: false }, text);
    // What made room was paid for too.
    const spent = limitOf(turn);
    if (spent) return { finish: limitedBy(turn, spent), text };
    const message = await ask(turn, isHeld || unformed >= HELD_AFTER ? await heldToACall(turn) : turn.request());
    // Once: what is too long again cannot be helped.
    if (isOverflow(message) && !isTooLong && turn.compacts) {
      isTooLong = true;
      continue;
    }
    isTooLong = false;
    // Once: from then on the requests have none.
    if (message.error && !message.content.length && turn.teach(message.error)) continue;
    const calls = record(turn, message);
    text = textOf(message);
    if (message.repeats) return { finish: limitedBy(turn, `stopped: ${REPEATED_TEXT}`), text };
    if (message.finish === 'aborted') return { finish: abortFinish(turn), text };
    if (message.error) return fail(turn, describe(message.error, turn.compacts, turn.widen()), text);
    const wellFormed = calls.length ? await turn.runCalls(calls) : 0;
    // Only a server that can hold an answer to a form is asked to, once; then the model is free again.
    const constrains = message.metadata?.custom?.constrains === true;
    unformed = calls.length && !wellFormed && constrains && unformed < HELD_AFTER ? unformed + 1 : 0;
    isHeld = false;
    // What an interrupted turn has not taken goes back to the person.
    if (turn.signal.aborted) return { finish: abortFinish(turn), text };
    const more = turn.takeSteered();
    if (!calls.length && !more) {
      if (limitOf(turn) || !(await writesACall(turn, message, text, written)))
        return { finish: endOf(turn, message), text };
      isHeld = ++written === 2 && constrains;
      if (!(await answerWritten(turn, written, isHeld))) return { finish: endOf(turn, message), text };
    }
    for (const event of turn.since(seen)) repeated.add(event);
    seen = turn.state.lastSeq;
    const limit = limitOf(turn) ?? tellRepeated(turn, repeated, calls.length > 0 && !wellFormed);
    if (limit) return { finish: limitedBy(turn, limit), text };
  }
}

/** After so many messages in a row without one call that could be run, the answer is held to the form of a call. */
const HELD_AFTER = 2;
/** How far the model is to leave its usual words when it cannot leave a loop by itself. */
const OTHER_WORDS: IRParameters = { temperature: 1, frequencyPenalty: 0.5 };

/** One message of the model. What runs in a circle, or got lost on its way, is void and asked for once more. */
async function ask(turn: Turn, request: IRChatRequest): Promise<StreamedMessage> {
  const { signal, sink, partial } = turn;
  const send = (one: IRChatRequest) => streamMessage(turn.ask(one, signal), signal, sink, partial);
  const again = (reason: string, one: IRChatRequest) => {
    const usage =
      message.usage && usageOf(message.usage, turn.cost(message.usage, servedBy(message, turn.state.model)));
    sink.stored({ type: 'retry', reason, attempt: 2, delayMs: 0, discard: true, ...(usage && { usage }) });
    return send(one);
  };
  const message = await send(request);
  if (signal.aborted) return message;
  if (message.repeats)
    return again(REPEATED_TEXT, {
      ...request,
      parameters: { ...request.parameters, ...OTHER_WORDS },
    });
  if (!request.tools?.length || message.metadata?.custom?.streamed !== true) return message;
  const lost = lostInStream(message);
  if (!lost) return message;
  const whole = await again(lost, { ...request, whole: true });
  if (lostInStream(whole) === EMPTY_ANSWER) sayOnce(turn, 'warning', EMPTY_ANSWER);
  return whole;
}

async function heldToACall(turn: Turn): Promise<IRChatRequest> {
  const { formOfACall, HELD_NOTICE } = await import('./guards/call-form.ts');
  const request = turn.request();
  if (!request.tools?.length) return request;
  sayOnce(turn, 'info', HELD_NOTICE);
  return { ...request, responseFormat: { type: 'json_schema', name: 'call', schema: formOfACall(request.tools) } };
}

function limitedBy(turn: Turn, text: string): TurnFinish {
  turn.sink.stored({ type: 'notice', level: 'warning', text });
  return 'limit';
}

function fail(turn: Turn, error: ReturnType<typeof describe>, text: string): { finish: TurnFinish; text: string } {
  turn.sink.stored({ type: 'error', ...error });
  return { finish: 'error', text };
}

/** The request was refused as too long before anything was answered. */
const isOverflow = ({ error, content }: StreamedMessage): boolean =>
  error instanceof AdapterError && error.category === 'overflow' && content.length === 0;

/** A model that calls in vain is told once; then the turn ends, with the reason. */
function tellRepeated(turn: Turn, repeated: RepeatedCalls, isRefused: boolean): string | undefined {
  const { note, end } = repeated.news(isRefused);
  if (note) turn.sink.stored({ type: 'note', about: 'tools', text: note });
  return end;
}

/**
 * Whether a message ends in a call as text, or holds one in tags, which calls nothing. `times`: such messages before.
 * What speaks of calls is an answer; where that is not sure, the model is asked once.
 */
async function writesACall(
  turn: Turn,
  { finish, metadata }: StreamedMessage,
  text: string,
  times: number,
): Promise<boolean> {
  const shown = metadata?.custom?.callsShown;
  if (shown !== undefined) return finish === 'stop' && shown === 'perhaps' && times === 0;
  if (finish !== 'stop' || !/[}\])>`"']\s*$|Action Input:|(?:^|\n)[ \t]*<[A-Za-z]/.test(text)) return false;
  const { callAtEnd } = await import('./guards/call-as-text.ts');
  return callAtEnd(text, turn.canCall);
}

/** The first time the model is told so, and may call; then it is held to a call; else a person is told. */
async function answerWritten(turn: Turn, times: number, isHeld: boolean): Promise<boolean> {
  const { CALL_AS_TEXT_NOTE, CALLS_AS_TEXT } = await import('./guards/call-as-text.ts');
  if (times === 1) turn.sink.stored({ type: 'note', about: 'tools', text: CALL_AS_TEXT_NOTE });
  else if (!isHeld) turn.sink.stored({ type: 'notice', level: 'warning', text: CALLS_AS_TEXT });
  return times === 1 || isHeld;
}

/** The system prompt names the folder in which the session began. */
function tellPlace(turn: Turn): void {
  const text = placeNote(turn.state);
  if (text) turn.sink.stored({ type: 'note', about: 'place', text });
}

/** Plan mode is enforced where tools run; the model is told of it once per change, before the next request. */
function tellMode(turn: Turn): void {
  const { mode, toldMode } = turn.state;
  if (mode === toldMode || (mode !== 'plan' && toldMode !== 'plan')) return;
  turn.sink.stored({ type: 'note', about: 'mode', text: mode === 'plan' ? PLAN_NOTE : PLAN_ENDED_NOTE });
}

function record(turn: Turn, message: StreamedMessage): ToolUseContent[] {
  const served = servedBy(message, turn.state.model);
  const { requestedModel = served.model } = hopOf(message) ?? {};
  for (const part of message.content)
    if (part.type === 'reasoning') part.model ??= part.signature ? served.model : requestedModel;
  makeIdsUnique(turn.callIds, message);
  const usage = message.usage && usageOf(message.usage, turn.cost(message.usage, served));
  const cut = turn.counted(message.usage?.promptTokens ?? null);
  if (cut) turn.sink.stored({ type: 'notice', level: cut.cut === null ? 'info' : 'warning', ...cut });
  for (const warning of message.warnings) {
    sayOnce(turn, isLoss(warning) ? 'warning' : 'info', `${warning.field}: ${warning.message}`);
  }
  const calls = message.content.filter((part): part is ToolUseContent => part.type === 'tool_use');
  const finish = calls.length && message.finish === 'stop' ? 'tool_use' : message.finish;
  turn.sink.stored({ type: 'assistant', content: message.content, finish, usage, served });
  if (turn.limits.maxCost !== undefined && usage && usage.cost === null && !served.local)
    sayOnce(turn, 'warning', priceUnknown(`${served.backend}/${requestedModel}`));
  return calls;
}

/** Of one's own models nothing is said: nobody charges for them. */
const priceUnknown = (model: string): string =>
  `the price of ${model} is unknown: --max-cost cannot be kept, unless its server says what an answer costs`;

/** Something that a person or a tool said does not reach the model. */
const isLoss = ({ kind, field }: IRWarning): boolean =>
  (kind === 'dropped' || kind === 'truncated') && field.startsWith('messages');

function sayOnce(turn: Turn, level: 'info' | 'warning', text: string): void {
  if (!turn.said.has(text)) turn.sink.stored({ type: 'notice', level, text });
}

/** Some servers number the calls of each answer from zero; a log and its results need ids of their own. */
function makeIdsUnique(before: ReadonlySet<string>, message: StreamedMessage): void {
  const used = new Set<string>();
  for (const part of message.content) {
    if (part.type !== 'tool_use') continue;
    const base = part.id || 'call';
    for (let n = 2; !part.id || used.has(part.id) || before.has(part.id); n++) part.id = `${base}_${n}`;
    used.add(part.id);
  }
}

function textOf(message: StreamedMessage): string {
  let text = '';
  for (const part of message.content) if (part.type === 'text') text += part.text;
  return text;
}

function endOf(turn: Turn, message: StreamedMessage): TurnFinish {
  if (message.finish === 'length') return limitedBy(turn, cutAnswer(turn, message));
  if (message.finish !== 'filter') return 'stop';
  turn.sink.stored({ type: 'error', code: 'provider', message: 'the provider filtered the answer', retryable: false });
  return 'error';
}

/** A count at this share of the window has filled it: servers stop a little before its end. */
const FILLED = 0.99;

/** Which limit cut an answer: that of the answer, or the end of the window. */
function cutAnswer(turn: Turn, { usage }: StreamedMessage): string {
  const window = turn.window();
  const { promptTokens = null, completionTokens = null } = usage ?? {};
  if (window === null || promptTokens === null || completionTokens === null)
    return 'the model reached its output limit; the answer is cut';
  const used = promptTokens + completionTokens;
  if (used < window * FILLED) return 'the model reached its output limit; the answer is cut';
  const widen = turn.widen();
  return `the window of ${window} tokens was full (${promptTokens} of the prompt, ${completionTokens} of the answer); the answer is cut. /compact makes room${widen ? `; or ${widen}` : ''}`;
}

function limitOf(turn: Turn): string | undefined {
  const { maxTurns, maxCost } = turn.limits;
  const { turns, usage } = turn.state;
  if (maxTurns !== undefined && turns >= maxTurns) return `stopped after ${turns} model messages (--max-turns)`;
  if (maxCost !== undefined && usage.cost !== null && usage.cost >= maxCost)
    return `stopped after $${usage.cost.toFixed(4)} (--max-cost)`;
  return undefined;
}

/** An abort by the clock is a limit, and says so; an abort by a person is their own. */
function abortFinish(turn: Turn): TurnFinish {
  if (turn.signal.reason !== 'timeout') return 'aborted';
  const text = `stopped after ${(turn.limits.timeoutMs ?? 0) / 1000} s (--timeout)`;
  turn.sink.stored({ type: 'notice', level: 'warning', text });
  return 'limit';
}

const CODES: Record<AdapterError['category'], EventErrorCode> = {
  authentication: 'authentication',
  authorization: 'authorization',
  rate_limit: 'rate_limit',
  overflow: 'overflow',
  validation: 'validation',
  provider: 'provider',
  conversion: 'conversion',
  network: 'network',
  stream: 'stream',
  routing: 'routing_failed',
  middleware: 'middleware',
};

/** What vendors say where they refuse one. */
const IMAGE = /\bimages?\b|image_url|\bmedia_?type\b/i;

/**
 * The `error` event of a failure: a code to switch on and one line for a person. `compacts`: room is made without being
 * asked for. `widen`: how the window is made larger.
 */
export function describe(
  error: unknown,
  compacts = true,
  widen?: string,
): Omit<EventOf<'error'> & StoredBody, 'type' | 'seq' | 'time'> {
  let message = String((error as Error)?.message ?? error);
  if (!(error instanceof AdapterError)) return { code: 'internal', message, retryable: false };
  if (error.category === 'overflow' && !/[.!?]$/.test(message)) message += '.';
  if (error.category === 'overflow' && !compacts)
    message +=
      ' Making room is turned off: /compact leaves out what is old now, compactAt in the settings (0.75, say) whenever it is needed.';
  if (error.category === 'overflow')
    message += ` The prompt is left out. Send less, begin anew, ${widen ? `${widen}, ` : ''}or choose another model.`;
  // It stands in every request from now on.
  if ((error.category === 'provider' || error.category === 'validation') && !error.isRetryable && IMAGE.test(message))
    message += `${/[.!?]$/.test(message) ? '' : '.'} Where an image of this conversation is meant: /rewind to before it, or a new session, leaves it out.`;
  const noModel = error.code === 'NO_BACKEND' || error.code === 'MODEL_NOT_FOUND';
  return { code: noModel ? 'no_model' : CODES[error.category], message, retryable: error.isRetryable };
}
