/**
 * What a log holds for running its session again, in order: prompts with what came of each request of their turn and
 * what the calls gave, commands of the person, and going back. A fold of the events.
 */
import type { ImageContent, MessageContent, ToolUseContent } from '../../providers/ir.ts';
import { CALL_AS_TEXT_NOTE, CALLS_AS_TEXT } from '../guards/call-as-text.ts';
import { EMPTY_ANSWER, TORN_CALL } from '../guards/lost-in-stream.ts';
import { REPEATED_TEXT } from '../guards/repeated-text.ts';
import { wasCutOff } from '../interruption.ts';
import type { Decision, EventOf, Mode, RewindScope, Served, StoredEvent, TurnFinish } from '../types.ts';
import { inLoop, standIn } from './stand-in.ts';

/** What came of one request, as the loop saw it. */
export interface RecordedAnswer {
  /** Attempts before it, which came to nothing. */
  retries: readonly Pick<EventOf<'retry'>, 'reason' | 'attempt' | 'discard'>[];
  /** Without calls that were cut off. */
  content: readonly MessageContent[];
  finish: EventOf<'assistant'>['finish'];
  served?: Served;
  error?: Pick<EventOf<'error'>, 'code' | 'message' | 'retryable'>;
  /** It was lost while it streamed, and asked for anew. */
  isLost?: true;
  /** It ran in a circle and was cut. */
  isLooping?: true;
  /** How a call that it only writes was taken; undefined leaves that to the guard. */
  shown?: 'perhaps' | 'surely';
  /** Its server held the next answer to the form of a call. */
  constrains?: true;
  /** A mode that the person chose before it, within the turn. */
  mode?: Mode;
  /** What the person said while it, or its calls, went on. */
  steered: readonly Message[];
}

interface Message {
  text: string;
  images: readonly ImageContent[];
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
  kind: 'prompt';
  /** Of its `user` event. */
  seq: number;
  prompt: string;
  images: readonly ImageContent[];
  /** The mode in which it began. */
  mode: Mode;
  answers: RecordedAnswer[];
  calls: RecordedCall[];
  /** What a person answered to questions of tools, in order. */
  replies: string[];
  /** How it ended; `cut`: the person, a limit of theirs or the end of the process ended it. */
  finish: TurnFinish | 'cut';
}

/** A command that the person typed. */
export interface RecordedCommand {
  kind: 'command';
  command: string;
  apart: boolean;
  call: RecordedCall;
}

/** The person went back to before the prompt with this number. */
export interface RecordedRewind {
  kind: 'rewind';
  to: number;
  what: RewindScope;
}

export type RecordedStep = RecordedTurn | RecordedCommand | RecordedRewind;

export interface RecordedSteps {
  steps: RecordedStep[];
  /** What cannot be run again, one line each. */
  left: string[];
}

/** A limit that was set for that run alone. */
const LIMIT_OF_PERSON = /^stopped after .+ \(--(?:max-turns|max-cost|timeout)\)$/;
/** How going back told of files before its events said so. */
const FILES_WENT_BACK = /^(?:\d+ files? (?:went back|removed): |no file went back$)/;

const isCut = (end: EventOf<'tool_result'> | undefined): boolean => !end || (end.isError && wasCutOff(end.output));

/** `first`: the mode in which the session began. */
export function recordedSteps(events: readonly StoredEvent[], first: Mode): RecordedSteps {
  const steps: RecordedStep[] = [];
  const ends = new Map(events.flatMap((event) => (event.type === 'tool_result' ? [[event.id, event] as const] : [])));
  /** Questions whether the conversation may leave this machine are asked by the way to a model, not by a tool. */
  const ofTools = new Set<string>();
  /** Calls of the model; others are commands of the person. */
  const asked = new Set<string>();
  const calls = new Map<string, RecordedCall>();
  /** Turns in which a person was told that calls are only written. */
  const gaveUp = new Set<RecordedTurn>();
  let cut = 0;
  let compactions = 0;
  let mode = first;
  let turn: RecordedTurn | undefined;
  let isRunning = false;
  let chosen: Mode | undefined;
  let retries: RecordedAnswer['retries'][number][] = [];
  let warning = '';
  const begin = ({ seq, text, images = [] }: EventOf<'user'>): void => {
    turn = { kind: 'prompt', seq, prompt: text, images, mode, answers: [], calls: [], replies: [], finish: 'cut' };
    steps.push(turn);
    isRunning = true;
    chosen = undefined;
    retries = [];
    warning = '';
  };
  const answered = (answer: Omit<RecordedAnswer, 'retries' | 'steered' | 'mode'>): void => {
    turn?.answers.push({ ...answer, retries, steered: [], ...(chosen && { mode: chosen }) });
    retries = [];
    chosen = undefined;
  };
  for (const event of events) {
    const last = turn?.answers.at(-1);
    switch (event.type) {
      case 'user':
        if (event.steered && turn && isRunning && last)
          last.steered = [...last.steered, { text: event.text, images: event.images ?? [] }];
        else begin(event);
        break;
      case 'retry': {
        const kind = VOID.get(event.reason);
        if (kind) answered({ content: standIn(kind), finish: 'stop', ...(kind !== 'loop' && { isLost: true }) });
        else retries.push({ reason: event.reason, attempt: event.attempt ?? 2, discard: event.discard ?? false });
        break;
      }
      case 'assistant': {
        const content = event.content.filter((part) => {
          if (part.type !== 'tool_use') return true;
          asked.add(part.id);
          if (!isCut(ends.get(part.id))) return true;
          cut++;
          return false;
        });
        // Where nothing of its calls is left, the turn was ended in it.
        const finish = callsIn(event.content).length && !callsIn(content).length ? 'aborted' : event.finish;
        answered({ content, finish, served: event.served });
        break;
      }
      case 'error': {
        const { code, message, retryable } = event;
        const error = { code, message, retryable };
        if (last?.finish === 'error' && !last.error) last.error = error;
        // Of what was filtered the loop says so by itself.
        else if (last?.finish !== 'filter') answered({ content: [], finish: 'error', error });
        break;
      }
      case 'note':
        if (event.text === CALL_AS_TEXT_NOTE && last) last.shown = 'perhaps';
        if (event.about === 'shell') markTold(steps.at(-1));
        break;
      case 'notice': {
        if (event.level === 'warning') warning = event.text;
        if (event.text === CALLS_AS_TEXT && turn && isRunning) gaveUp.add(turn);
        if (event.text === `stopped: ${REPEATED_TEXT}` && last?.finish === 'aborted')
          Object.assign(last, { isLooping: true, content: inLoop(last.content) });
        const before = steps.at(-1);
        if (!isRunning && before?.kind === 'rewind' && FILES_WENT_BACK.test(event.text)) before.what = 'both';
        else if (!isRunning && event.rewound !== undefined)
          steps.push({ kind: 'rewind', to: event.rewound, what: 'files' });
        break;
      }
      case 'tool_call': {
        const end = ends.get(event.id);
        const { name, input } = event;
        if (isCut(end)) {
          if (!asked.has(event.id)) cut++;
          break;
        }
        const call: RecordedCall = { name, input, output: end!.output, isError: end!.isError, denied: false };
        if (!asked.has(event.id)) {
          steps.push({ kind: 'command', command: String(input.command ?? ''), apart: true, call });
          break;
        }
        calls.set(event.id, call);
        turn?.calls.push(call);
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
      case 'question':
        if (event.leave === undefined) ofTools.add(event.id);
        break;
      case 'answer':
        if (ofTools.has(event.id)) turn?.replies.push(event.text);
        break;
      case 'mode':
        mode = event.value;
        if (isRunning) chosen = event.value;
        break;
      case 'rewind':
        steps.push({ kind: 'rewind', to: event.to, what: 'conversation' });
        break;
      case 'compaction':
        compactions++;
        break;
      case 'done':
        if (turn && event.finish !== 'aborted' && !(event.finish === 'limit' && LIMIT_OF_PERSON.test(warning)))
          turn.finish = event.finish;
        isRunning = false;
        break;
    }
  }
  for (const step of steps) if (step.kind === 'prompt') judgeWritten(step, gaveUp.has(step));
  const left: string[] = [];
  if (cut) left.push(`${counted(cut, 'call')} that ${cut > 1 ? 'were' : 'was'} cut off`);
  if (compactions) left.push(`${counted(compactions, 'compaction')}: recorded answers need no room`);
  return { steps, left };
}

const VOID: ReadonlyMap<string, 'loop' | 'empty' | 'torn'> = new Map([
  [REPEATED_TEXT, 'loop'],
  [EMPTY_ANSWER, 'empty'],
  [TORN_CALL, 'torn'],
]);

const counted = (count: number, what: string): string => `${count} ${what}${count > 1 ? 's' : ''}`;

export const callsIn = (content: readonly MessageContent[]): ToolUseContent[] =>
  content.filter((part): part is ToolUseContent => part.type === 'tool_use');

/** The model was told of the command. */
function markTold(step: RecordedStep | undefined): void {
  if (step?.kind === 'command') step.apart = false;
}

/** What the guard against written calls made of answers without calls: their metadata, which is not kept, decided. */
function judgeWritten({ answers }: RecordedTurn, gaveUp: boolean): void {
  let told = false;
  for (const [i, answer] of answers.entries()) {
    // Neither what stands for a void answer, nor what was cut.
    if (!answer.served || answer.isLooping || answer.finish !== 'stop' || callsIn(answer.content).length) continue;
    const isLast = i === answers.length - 1;
    if (answer.shown === 'perhaps' && !told) told = true;
    else if (answer.steered.length || (isLast && !gaveUp)) answer.shown = 'surely';
    else {
      delete answer.shown;
      if (!isLast && told) answer.constrains = true;
    }
  }
}
