/**
 * What a stored session holds for running it again: its prompts, the answers of its model, and what its calls gave.
 */
import type { ImageContent, MessageContent, ToolUseContent } from '../../providers/ir.ts';
import { CUT_OFF } from '../interruption.ts';
import type { Decision, EventOf, Mode, StoredEvent } from '../types.ts';

/** One line of a recording, as the `replay` backend reads it (CONTRACT, "The recorded model"). */
export interface RecordedAnswer {
  text?: string;
  reasoning?: string;
  toolCalls?: { name: string; input: Record<string, unknown>; raw?: string; invalid?: string }[];
  finish?: string;
  error?: { status: number; message: string; afterChunks: number };
}

/** A call and how it ended. */
export interface RunCall {
  name: string;
  input: Record<string, unknown>;
  output: string;
  isError: boolean;
  /** It was not allowed. */
  denied: boolean;
}

export interface RecordedCall extends RunCall {
  /** The answer to its `approval_request`, where it had one. */
  approval?: { decision: Decision; reason?: string };
}

export interface RecordedTurn {
  prompt: string;
  images: readonly ImageContent[];
  /** The mode in which it began. */
  mode: Mode;
  answers: RecordedAnswer[];
  calls: RecordedCall[];
  /** What a person answered to questions, in order. */
  replies: string[];
}

export interface RecordedRun {
  id: string;
  project: string;
  cwd: string;
  turns: RecordedTurn[];
  /** What of the session cannot be run again, one line each. */
  left: string[];
}

/** Said in place of the answer that a turn would have got, had it not been ended there. */
const ENDED: RecordedAnswer = { text: '(The recording of this turn ends here.)' };

/** Undefined where the log has no `session` event: then nothing says where it ran. */
export function recordedRun(log: readonly StoredEvent[]): RecordedRun | undefined {
  const first = log.find((event): event is EventOf<'session'> => event.type === 'session');
  if (!first) return undefined;
  const events = asInOnePlace(log, first.project);
  const { id, project, cwd } = first;
  const turns: RecordedTurn[] = [];
  const ends = new Map(
    events.flatMap((event): [string, EventOf<'tool_result'>][] =>
      event.type === 'tool_result' ? [[event.id, event]] : [],
    ),
  );
  const cut = new Set<string>();
  /** Calls of the model; others are commands of the person. */
  const asked = new Set<string>();
  let own = 0;
  const calls = new Map<string, RecordedCall>();
  let mode = first.mode;
  let turn: RecordedTurn | undefined;
  let compactions = 0;
  /** The newest answer called nothing: only something that was steered in goes on behind it. */
  let stopped = false;
  const begin = (event: EventOf<'user'>): RecordedTurn => {
    const begun: RecordedTurn = {
      prompt: event.text,
      images: event.images ?? [],
      mode,
      answers: [],
      calls: [],
      replies: [],
    };
    turns.push(begun);
    return begun;
  };
  for (const event of events) {
    switch (event.type) {
      case 'user':
        if (!event.steered || (turn && stopped)) turn = begin(event);
        stopped = false;
        break;
      case 'assistant': {
        const content = event.content.filter((part) => {
          if (part.type !== 'tool_use') return true;
          asked.add(part.id);
          const end = ends.get(part.id);
          const isCut = !end || (end.isError && CUT_OFF.some((words) => end.output.startsWith(words)));
          if (isCut) cut.add(part.id);
          return !isCut;
        });
        const answer = answerOf(content, event.finish);
        if (event.content.length === 0 && event.finish === 'stop') answer.finish = 'stop';
        // Nothing of it is left, or it was ended before it said anything: a recording has no line for that.
        if (Object.keys(answer).length > 0) turn?.answers.push(answer);
        stopped = !content.some(({ type }) => type === 'tool_use');
        break;
      }
      case 'error': {
        const last = turn?.answers.at(-1);
        if (last?.error) last.error.message = event.message;
        break;
      }
      case 'tool_call': {
        if (!asked.has(event.id)) {
          own++;
          break;
        }
        const end = ends.get(event.id);
        if (!turn || !end || cut.has(event.id)) break;
        const { name, input } = event;
        const call: RecordedCall = { name, input, output: end.output, isError: end.isError, denied: false };
        calls.set(event.id, call);
        turn.calls.push(call);
        break;
      }
      case 'approval': {
        const call = calls.get(event.id);
        if (!call) break;
        if (event.by === 'user' || event.by === 'headless')
          call.approval = { decision: event.decision, ...(event.reason !== undefined && { reason: event.reason }) };
        call.denied = event.decision === 'no';
        break;
      }
      case 'answer':
        turn?.replies.push(event.text);
        break;
      case 'mode':
        mode = event.value;
        break;
      case 'compaction':
        compactions++;
        break;
    }
  }
  const left: string[] = [];
  const without = turns.filter(({ answers }) => answers.length === 0).length;
  if (without) left.push(`${counted(without, 'prompt')} without an answer of the model`);
  if (cut.size) left.push(`${counted(cut.size, 'call')} that ${cut.size > 1 ? 'were' : 'was'} cut off`);
  if (own) left.push(`${counted(own, 'command')} of the person`);
  if (compactions) left.push(`${counted(compactions, 'compaction')}: a recorded model needs no room`);
  const kept = turns.filter(({ answers }) => answers.length > 0);
  for (const { answers } of kept) {
    const last = answers.at(-1)!;
    if (last.toolCalls?.length && !last.error) answers.push({ ...ENDED });
  }
  return { id, project, cwd, turns: kept, left };
}

/** A session whose project was moved, as if it had been where it began: all of it is run again in one folder. */
function asInOnePlace(events: readonly StoredEvent[], project: string): readonly StoredEvent[] {
  if (!events.some(({ type }) => type === 'place')) return events;
  let now = project;
  return events.map((event) => {
    if (event.type === 'place') now = event.project;
    if (now === project || event.type === 'place') return event;
    return JSON.parse(JSON.stringify(event), (_key, value: unknown) =>
      typeof value === 'string' ? inFolder(value, now, project) : value,
    ) as StoredEvent;
  });
}

const counted = (count: number, what: string): string => `${count} ${what}${count > 1 ? 's' : ''}`;

function answerOf(content: readonly MessageContent[], finish: EventOf<'assistant'>['finish']): RecordedAnswer {
  const textOf = (type: 'text' | 'reasoning') =>
    content.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  const [text, reasoning] = [textOf('text'), textOf('reasoning')];
  const calls = content.filter((part): part is ToolUseContent => part.type === 'tool_use');
  const pieces = Number(text !== '') + Number(reasoning !== '');
  return {
    ...(reasoning && { reasoning }),
    ...(text && { text }),
    ...(calls.length && {
      toolCalls: calls.map(({ name, input, raw, invalid }) => ({
        name,
        input,
        ...(invalid !== undefined && { invalid, ...(raw !== undefined && { raw }) }),
      })),
    }),
    // A refusal that is final: nothing is tried again.
    ...(finish === 'error' && { error: { status: 400, message: 'the recorded answer failed', afterChunks: pieces } }),
    ...((finish === 'length' || finish === 'filter') && { finish }),
  };
}

/** The lines of a recording: every answer of the run, in order. */
export const recordingOf = (run: RecordedRun): string =>
  run.turns.flatMap(({ answers }) => answers.map((answer) => `${JSON.stringify(answer)}\n`)).join('');

/** The same run in another folder: every text that names the recorded one names that folder. */
export function movedTo(run: RecordedRun, folder: string): RecordedRun {
  const moved = JSON.parse(JSON.stringify(run.turns), (_key, value: unknown) =>
    typeof value === 'string' ? inFolder(value, run.project, folder) : value,
  ) as RecordedTurn[];
  return { ...run, project: folder, cwd: inFolder(run.cwd, run.project, folder), turns: moved };
}

/** Replaces a path where it stands as a whole: `/a/b` in `/a/b/c`, not in `/a/bc`. */
export function inFolder(text: string, from: string, to: string): string {
  if (from === '' || from === '/') return text;
  let out = '';
  let at = 0;
  for (;;) {
    const found = text.indexOf(from, at);
    if (found < 0) return out + text.slice(at);
    const end = found + from.length;
    const whole = !/[\w.-]/.test(text[end] ?? '') || /^\.(?![\w-])/.test(text.slice(end));
    out += text.slice(at, found) + (whole ? to : from);
    at = end;
  }
}
