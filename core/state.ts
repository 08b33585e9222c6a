/**
 * What a session is: the fold of its stored events. Forget it, replay the log, and it is the same.
 *
 * Going back to before a prompt gives what the conversation had made of the state there, and leaves what a person chose,
 * what was learnt of servers, and what names the log:
 * - as before the prompt: `cwd`, `todos`, `toldMode`, `served`, `promptTokens`, `countedWith` (null where the model is
 *   another one now), `toldProject`, `prompts`.
 * - as it is: `mode`, `model`, `rules`, `agreed` (chosen by a person); `taught`, `cut` (how a server is); `title`, `id`,
 *   `project`, `formerly`, `contextTokens`, `lastSeq` (of the log, which keeps all); `denials`, `turns`, `usage` (of the
 *   last turn: what it took was spent).
 * - there is nothing of it then: `running`, `openCalls`, `waiting`, `openQuestions`, as no turn runs.
 *
 * What else is made of the log goes back in its own fold: messages with skills, instructions and summaries (history.ts),
 * what summaries tell (compaction/summary-facts.ts), which files are known (session-fold.ts). Ids of calls stay taken.
 */
import { movedPath, movedRule } from './moved-path.ts';
import { rulesIn } from './permission/always-rule.ts';
import { isYes } from './question.ts';
import { titleOf } from './session-title.ts';
import { holdsLesson } from './taught-calls.ts';
import type { Denial, EventOf, Mode, Served, StoredEvent, Todo, Usage } from './types.ts';

export interface SessionState {
  id: string;
  cwd: string;
  project: string;
  /** Folders of the project before it was moved or copied, oldest first. */
  formerly: readonly string[];
  /** The folder of the project that the model was last told of, and with which event. */
  toldProject: { folder: string; seq: number };
  model: string;
  /** Models that were told in this session how to write calls as text. */
  taught: readonly string[];
  mode: Mode;
  /** The mode that the model was last told of. */
  toldMode: Mode;
  contextTokens: number | null;
  todos: readonly Todo[];
  /** A prompt started a turn that no `done` has ended. */
  running: boolean;
  /** Calls without a result, in order. */
  openCalls: readonly { id: string; name: string }[];
  /** Approvals that wait for an answer. */
  waiting: readonly EventOf<'approval_request'>[];
  /** Questions that wait for an answer. */
  openQuestions: readonly EventOf<'question'>[];
  /** Hosted models (`vendor/model`) that the person agreed to let this conversation go to. */
  agreed: readonly string[];
  /** Who answered the newest whole message; null before the first. */
  served: Served | null;
  /** Rules that an "always" saved for this session. */
  rules: readonly string[];
  /** Of the running or last turn. */
  denials: readonly Denial[];
  turns: number;
  usage: Usage;
  /** Tokens of the newest request as the server counted them. */
  promptTokens: number | null;
  /** Number of the message with which they were counted; null where the next request does not begin with that one. */
  countedWith: number | null;
  /** What the server of a model was seen to keep of its prompts. */
  cut: { model: string; tokens: number; asked: number | null } | null;
  title: string;
  /** Prompts that began a turn and stand, oldest first. */
  prompts: readonly PromptMark[];
  lastSeq: number;
}

/** A prompt that can be gone back to, and what the conversation had made of the state before it. */
export interface PromptMark {
  /** Number of its `user` event. */
  seq: number;
  before: Pick<SessionState, 'cwd' | 'todos' | 'toldMode' | 'served' | 'promptTokens' | 'countedWith'>;
}

export const noUsage = (): Usage => ({
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
  cost: null,
});

/** Adds what is known; a figure stays null as long as nobody reported it. */
export function addUsage(sum: Usage, more: Usage | undefined): Usage {
  if (!more) return sum;
  // A figure may also be missing: logs are older than some of them.
  const add = (a: number | null = null, b: number | null = null) => (a === null ? b : b === null ? a : a + b);
  return {
    input: add(sum.input, more.input),
    output: add(sum.output, more.output),
    cacheRead: add(sum.cacheRead, more.cacheRead),
    cacheWrite: add(sum.cacheWrite, more.cacheWrite),
    reasoning: add(sum.reasoning, more.reasoning),
    cost: rounded(add(sum.cost, more.cost)),
  };
}

const rounded = (cost: number | null): number | null => (cost === null ? null : Number(cost.toFixed(8)));

export const emptyState = (): SessionState => ({
  id: '',
  cwd: '',
  project: '',
  formerly: [],
  toldProject: { folder: '', seq: 0 },
  model: '',
  taught: [],
  mode: 'ask',
  toldMode: 'ask',
  contextTokens: null,
  todos: [],
  running: false,
  openCalls: [],
  waiting: [],
  openQuestions: [],
  agreed: [],
  served: null,
  rules: [],
  denials: [],
  turns: 0,
  usage: noUsage(),
  promptTokens: null,
  countedWith: null,
  cut: null,
  title: '',
  prompts: [],
  lastSeq: 0,
});

/** The state after all of them: the same as `reduce` one by one, without a copy of it for each of many thousands. */
export function stateAfter(before: SessionState, events: readonly StoredEvent[]): SessionState {
  const state = { ...before };
  for (const event of events) Object.assign(state, change(state, event));
  state.lastSeq = events.at(-1)?.seq ?? before.lastSeq;
  return state;
}

/** The state after one more event; unknown types change nothing but `lastSeq`. */
export function reduce(state: SessionState, event: StoredEvent): SessionState {
  return { ...state, ...change(state, event), lastSeq: event.seq };
}

function change(state: SessionState, event: StoredEvent): Partial<SessionState> {
  switch (event.type) {
    case 'session': {
      const { id, cwd, project, model, mode, contextTokens, system } = event;
      const taught = typeof system === 'string' && holdsLesson(system) ? [model] : [];
      // The system prompt tells a session that begins in plan mode of it (prompt.ts).
      const toldProject = { folder: project, seq: event.seq };
      return { id, cwd, project, formerly: [], toldProject, model, taught, mode, toldMode: mode, contextTokens };
    }
    case 'place':
      return movedState(state, event);
    case 'user':
      if (event.steered) return {};
      return {
        running: true,
        turns: 0,
        denials: [],
        usage: noUsage(),
        title: state.title || titleOf(event.text),
        prompts: [...state.prompts, mark(state, event.seq)],
      };
    case 'rewind': {
      const at = state.prompts.findIndex(({ seq }) => seq === event.to);
      // What a person chose since (mode, model, rules) holds; what the conversation made is as it was.
      if (at < 0) return {};
      const { before } = state.prompts[at]!;
      return { ...before, toldProject: toldBefore(state, event.to), prompts: state.prompts.slice(0, at) };
    }
    case 'title':
      return { title: event.text };
    case 'assistant':
      return {
        turns: state.turns + 1,
        // Of a request that failed it is not known who would have answered it.
        served: event.finish === 'error' || event.finish === 'aborted' ? state.served : event.served,
        usage: addUsage(state.usage, event.usage),
        promptTokens: event.usage?.input ?? state.promptTokens,
        countedWith: typeof event.usage?.input === 'number' ? event.seq : state.countedWith,
      };
    case 'compaction':
      return { countedWith: null, ...(!event.asked && { usage: addUsage(state.usage, event.usage) }) };
    case 'retry':
      return event.usage ? { usage: addUsage(state.usage, event.usage) } : {};
    case 'notice':
      return {
        ...(event.cut !== undefined && { cut: event.cut && { model: state.model, ...event.cut } }),
        ...(event.usage && !event.asked && { usage: addUsage(state.usage, event.usage) }),
      };
    case 'note':
      if (event.about === 'tools' && holdsLesson(event.text))
        return { taught: [...new Set([...state.taught, state.model])] };
      if (event.about === 'place') return { toldProject: { folder: state.project, seq: event.seq } };
      return event.about === 'mode' ? { toldMode: state.mode } : {};
    case 'tool_call':
      return { openCalls: [...state.openCalls, { id: event.id, name: event.name }] };
    case 'tool_result':
      return {
        openCalls: state.openCalls.filter((call) => call.id !== event.id),
        waiting: state.waiting.filter((request) => request.id !== event.id),
        cwd: event.cwd ?? state.cwd,
      };
    case 'approval_request':
      return { waiting: [...state.waiting, event] };
    case 'approval': {
      const name = state.openCalls.find((call) => call.id === event.id)?.name ?? '';
      return {
        waiting: state.waiting.filter((request) => request.id !== event.id),
        rules: event.rule && event.scope === 'session' ? [...state.rules, ...rulesIn(event.rule)] : state.rules,
        denials:
          event.decision === 'no'
            ? [...state.denials, { id: event.id, name, reason: event.reason ?? '' }]
            : state.denials,
      };
    }
    case 'question':
      return { openQuestions: [...state.openQuestions, event] };
    case 'answer': {
      const leave = state.openQuestions.find((question) => question.id === event.id)?.leave;
      return {
        openQuestions: state.openQuestions.filter((question) => question.id !== event.id),
        agreed: leave !== undefined && isYes(event.text) ? [...new Set([...state.agreed, leave])] : state.agreed,
      };
    }
    case 'rule':
      return event.action === 'forget' ? { rules: state.rules.filter((rule) => rule !== event.rule) } : {};
    case 'todos':
      return { todos: event.items };
    case 'mode':
      return { mode: event.value };
    case 'model':
      return { model: event.value, countedWith: null, prompts: state.prompts.map(uncounted) };
    case 'done':
      return { running: false, openCalls: [], waiting: [], openQuestions: [] };
    default:
      return {};
  }
}

/** What another model's server counted is nothing to go by. */
const uncounted = ({ seq, before }: PromptMark): PromptMark => ({ seq, before: { ...before, countedWith: null } });

function mark(state: SessionState, seq: number): PromptMark {
  const { cwd, todos, toldMode, served, promptTokens, countedWith } = state;
  return { seq, before: { cwd, todos, toldMode, served, promptTokens, countedWith } };
}

/** What was said of the old folder stands for the new one. */
function movedState(state: SessionState, { project, cwd }: EventOf<'place'>): Partial<SessionState> {
  const here = (path: string) => movedPath(path, state.project, project) ?? project;
  return {
    project,
    cwd,
    formerly: [...state.formerly, state.project],
    rules: state.rules.map((rule) => movedRule(rule, state.project, project)),
    prompts: state.prompts.map(({ seq, before }) => ({ seq, before: { ...before, cwd: here(before.cwd) } })),
  };
}

/** The model forgets with the conversation what it was told of a move; the system prompt names the first folder. */
function toldBefore({ toldProject, formerly, project }: SessionState, to: number): SessionState['toldProject'] {
  return toldProject.seq < to ? toldProject : { folder: formerly[0] ?? project, seq: 0 };
}
