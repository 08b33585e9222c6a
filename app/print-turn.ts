/**
 * One prompt through a session, as bytes: the three formats of `--print` (CONTRACT, "Events"). Standard output gets
 * the answer and nothing else; what a person should know besides goes to standard error, one short line each.
 */
import type { Session } from '../core/session.ts';
import { addUsage } from '../core/state.ts';
import { type Event, type EventOf, isStored, type StoredEvent } from '../core/types.ts';
import { visibleControls } from '../core/visible-controls.ts';
import type { ImageContent } from '../providers/ir.ts';
import type { AnswerSchema } from './answer-schema.ts';
import type { Output } from './output.ts';
import { oneLine, plainText } from './plain-text.ts';

export type PrintFormat = 'text' | 'json' | 'stream-json';

export interface PrintTurnOptions {
  format: PrintFormat;
  prompt: string;
  images?: readonly ImageContent[];
  /** The answer must be valid against it; the model may correct itself once. */
  answer?: AnswerSchema;
  output: Output;
  /** One line for a person, without the program's name. */
  report(line: string): void;
  /** Also report each tool call and information that only a watching person wants. */
  verbose: boolean;
  /** Also report who answered each message, in how much time. */
  debug?: boolean;
  /** The answer is shown by a terminal: control characters must not reach it. */
  terminal: boolean;
}

/**
 * How the turn ended; null when the session ended without saying so. `invalid`: by itself, but with an answer that is
 * not valid against the schema; one line that says why.
 */
export type TurnEnd = { done: EventOf<'done'>; error: EventOf<'error'> | null; invalid?: string } | null;

/**
 * Sends the prompt and writes what happens in the chosen format, until the turn's `done`; the caller flushes. An answer
 * that must be valid and is not is asked for once more, in a turn of its own; both count as one in the result.
 */
export async function printTurn(session: Session, options: PrintTurnOptions): Promise<TurnEnd> {
  const { format, output, answer } = options;
  const before = session.state.lastSeq;
  const events = session.events(undefined, format === 'stream-json' ? 1 : before + 1)[Symbol.asyncIterator]();
  // The first pull subscribes: after it nothing that the prompt causes can be missed.
  let pulled = events.next();
  send(session, answer ? `${options.prompt}\n\n${answer.instruction}` : options.prompt, options.images);

  let assistant: EventOf<'assistant'> | null = null;
  let error: EventOf<'error'> | null = null;
  let done: EventOf<'done'> | null = null;
  /** The turn whose answer was not valid. */
  let first: EventOf<'done'> | null = null;
  let checked: Checked | undefined;
  const earlier: StoredEvent[] = [];
  const calls = new Map<string, string>();
  for (; ; pulled = events.next()) {
    const { value: event, done: ended } = await pulled;
    if (ended) break;
    if (isStored(event)) {
      if (event.seq <= before) {
        earlier.push(event);
        if (event.seq === before) writeEarlier(earlier, session.openedAt, output);
        continue;
      }
      if (event.type === 'assistant') assistant = event as EventOf<'assistant'>;
      else if (event.type === 'error') error = event as EventOf<'error'>;
      else if (event.type === 'done') done = event as EventOf<'done'>;
      reportEvent(event, options, calls);
    }
    if (format === 'stream-json') output.write(`${JSON.stringify(event)}\n`);
    if (!done) continue;
    checked = answer && done.finish === 'stop' ? answer.check(answerOf(assistant)) : undefined;
    if (!answer || !checked || 'json' in checked || first) break;
    send(session, answer.correction(checked.problems));
    first = done;
    done = null;
    assistant = null;
  }
  await events.return?.();
  if (!done) return null;
  if (first) done = joined(first, done);
  const invalid =
    checked && 'problems' in checked ? `the answer is not valid against the schema: ${checked.problems[0]}` : undefined;
  const text = checked && 'json' in checked ? checked.json : undefined;
  if (format === 'json')
    output.write(`${JSON.stringify(resultOf(session.id, done, { assistant, error, text, invalid }))}\n`);
  if (invalid !== undefined) options.report(oneLine(invalid, 500));
  else if (format === 'text' && done.finish !== 'aborted') writeAnswer(assistant, text, options);
  return { done, error, ...(invalid !== undefined && { invalid }) };
}

type Checked = ReturnType<AnswerSchema['check']>;

function send(session: Session, text: string, images?: readonly ImageContent[]): void {
  const sent = session.send({ type: 'prompt', text, images });
  if (!sent.ok) throw new Error(`the session did not take the prompt (${sent.reason})`);
}

/** Two turns as one: what both cost, and how the second ended. */
function joined(first: EventOf<'done'>, second: EventOf<'done'>): EventOf<'done'> {
  return {
    ...second,
    usage: addUsage(first.usage, second.usage),
    turns: first.turns + second.turns,
    denials: [...first.denials, ...second.denials],
    durationMs: first.durationMs + second.durationMs,
  };
}

/** A session that goes on shows its first line and then what this run wrote; a new one shows everything. */
function writeEarlier(earlier: readonly StoredEvent[], openedAt: number, output: Output): void {
  for (const event of earlier)
    if (event.seq > openedAt || event.type === 'session') output.write(`${JSON.stringify(event)}\n`);
}

/** `json` is all that is written of a message that holds it. */
function writeAnswer(
  assistant: EventOf<'assistant'> | null,
  json: string | undefined,
  { output, terminal, report }: PrintTurnOptions,
): void {
  if (!assistant) return;
  // A message that broke off is not an answer.
  if (assistant.finish !== 'stop' && assistant.finish !== 'tool_use') return;
  let text = json ?? answerOf(assistant);
  if (terminal) text = plainText(text);
  if (text) output.write(text.endsWith('\n') ? text : `${text}\n`);
  else if (assistant.finish === 'stop') report('the answer is empty');
}

function answerOf(assistant: EventOf<'assistant'> | null): string {
  let text = '';
  for (const part of assistant?.content ?? []) if (part.type === 'text') text += part.text;
  return text;
}

interface Outcome {
  assistant: EventOf<'assistant'> | null;
  error: EventOf<'error'> | null;
  /** The part of the answer that counts, where that is not the whole. */
  text: string | undefined;
  invalid: string | undefined;
}

/** The one object of `--output-format json`. */
function resultOf(session: string, done: EventOf<'done'>, outcome: Outcome): Record<string, unknown> {
  const { assistant, error, text = done.text, invalid } = outcome;
  const isError = done.finish === 'error' || invalid !== undefined;
  const failure = invalid === undefined ? error : { code: 'validation', message: invalid };
  return {
    type: 'result',
    session,
    text,
    finish: done.finish,
    isError,
    error: isError ? { code: failure?.code ?? 'internal', message: failure?.message ?? 'the turn failed' } : null,
    usage: done.usage,
    turns: done.turns,
    denials: done.denials,
    served: assistant?.served ?? null,
    durationMs: done.durationMs,
  };
}

function reportEvent(event: Event, options: PrintTurnOptions, calls: Map<string, string>): void {
  const { report, verbose, debug, format } = options;
  // In the stream these are events of their own; only a failure is also said to the person.
  const quiet = format === 'stream-json' && !verbose;
  switch (event.type) {
    case 'error':
      report(oneLine(event.message, 500));
      return;
    case 'notice':
      if (!quiet && (verbose || event.level !== 'info')) report(oneLine(event.text, 500));
      return;
    case 'retry':
      // The notice of a move has said it, where notices of its level are shown.
      if (!quiet && !(event.moved === 'hosted' || (event.moved && verbose))) report(retryLine(event));
      return;
    case 'tool_call': {
      const line = oneLine(visibleControls(`${event.name} ${event.detail}`), 160);
      calls.set(event.id, line);
      if (verbose) report(line);
      return;
    }
    case 'approval':
      if (!quiet && event.decision === 'no') report(denialLine(calls.get(event.id) ?? event.id, event.reason));
      return;
    case 'tool_result':
      if (verbose && event.isError) report(`${event.name} failed: ${oneLine(event.output)}`);
      return;
    case 'assistant':
      if (debug) report(servedLine(event));
      return;
  }
}

const retryLine = ({ reason, attempt, delayMs }: EventOf<'retry'>): string =>
  `trying again${delayMs >= 100 ? ` in ${(delayMs / 1000).toFixed(1)} s` : ''} (attempt ${attempt}): ${oneLine(reason)}`;

const denialLine = (call: string, reason: string | undefined): string =>
  `denied: ${call}${reason ? ` (${oneLine(reason)})` : ''}`;

function servedLine({ served, usage }: EventOf<'assistant'>): string {
  const tokens = `${usage?.input ?? '?'} tokens in, ${usage?.output ?? '?'} out`;
  const where = served.local ? 'local' : 'hosted';
  return oneLine(
    `${served.backend} ${served.model} (${where}): ${served.latencyMs} ms, attempt ${served.attempts}, ${tokens}`,
  );
}

/** CONTRACT, "Commands": exit codes. `signal` is the code of the signal that stopped the turn, if one did. */
export function exitCodeOf(end: TurnEnd, signal: number | undefined): number {
  if (signal !== undefined) return signal;
  if (!end) return 1;
  switch (end.done.finish) {
    case 'stop':
      return end.invalid === undefined ? 0 : 1;
    case 'limit':
      return 4;
    case 'aborted':
      return 130;
    default:
      return end.error?.code === 'no_model' ? 3 : 1;
  }
}
