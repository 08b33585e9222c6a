/**
 * The words of the agent: events, commands, tools. Events are public and stored: CONTRACT, "one vocabulary everywhere".
 * A session is the fold of its stored events; nothing else is kept.
 */
import type { ImageContent, JsonSchema, MessageContent } from '../providers/ir.ts';
import type { AskPerson } from './question.ts';

/** Version of the log format, in the `session` event. Readers keep types and fields that they do not know. */
export const LOG_VERSION = 1;

export type Mode = 'ask' | 'plan' | 'auto';

/** Tokens and US dollars; unknown is null, never 0. */
export interface Usage {
  input: number | null;
  output: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  reasoning: number | null;
  cost: number | null;
}

/** Who answered a message. */
export interface Served {
  backend: string;
  model: string;
  local: boolean;
  latencyMs: number;
  attempts: number;
}

export interface Todo {
  text: string;
  status: 'pending' | 'active' | 'done';
}

export interface Denial {
  id: string;
  name: string;
  reason: string;
}

/** A file, relative inside the project, and a mark of the content that the model knows; null: it knows none any more. */
export interface SeenFile {
  path: string;
  mark: string | null;
}

/** What a person sees of a tool's result, where that is more than its text. */
export type Display =
  | { kind: 'text'; text: string }
  | { kind: 'diff'; path: string; patch: string; added: number; removed: number }
  | { kind: 'terminal'; command: string; output: string; exitCode: number | null }
  | { kind: 'todos'; items: readonly Todo[] }
  | { kind: 'agent'; name: string; session: string };

export type NoteAbout = 'mode' | 'skill' | 'todos' | 'tools' | 'instructions' | 'shell' | 'place';

export type EventErrorCode =
  | 'authentication'
  | 'authorization'
  | 'rate_limit'
  | 'overflow'
  | 'provider'
  | 'network'
  | 'stream'
  | 'no_model'
  | 'routing_failed'
  | 'validation'
  | 'conversion'
  | 'middleware'
  | 'tool'
  | 'internal';

/** One tool as the model was told of it, kept in the `session` event so that later requests begin with equal bytes. */
export interface ToolSchema {
  name: string;
  description: string;
  parameters: JsonSchema;
}

/** How a turn ended. */
export type TurnFinish = 'stop' | 'aborted' | 'limit' | 'error';

/** What a stored event says, before the log gives it `seq` and `time`. */
export type StoredBody =
  | {
      type: 'session';
      id: string;
      version: number;
      cwd: string;
      project: string;
      model: string;
      mode: Mode;
      /** Window that the session is served with; null when the backend has no say in it. */
      contextTokens: number | null;
      system: string;
      tools: readonly ToolSchema[];
      parent?: string;
    }
  | { type: 'user'; text: string; images?: readonly ImageContent[]; steered?: boolean }
  | {
      type: 'assistant';
      content: readonly MessageContent[];
      finish: 'stop' | 'tool_use' | 'length' | 'filter' | 'aborted' | 'error';
      usage?: Usage;
      served: Served;
    }
  | { type: 'note'; text: string; about: NoteAbout }
  | { type: 'tool_call'; id: string; name: string; detail: string; input: Record<string, unknown> }
  | {
      type: 'approval_request';
      id: string;
      name: string;
      summary: string;
      input: Record<string, unknown>;
      danger?: string;
      /** What kind of access was found in it. */
      class?: AccessClass;
      rule?: string;
      /** `rule` for people. */
      ruleInWords?: string;
      /** What the call would change. */
      preview?: Display;
    }
  | {
      type: 'approval';
      id: string;
      decision: Decision;
      by: 'user' | 'rule' | 'mode' | 'headless';
      rule?: string;
      scope?: 'session' | 'project';
      reason?: string;
    }
  | {
      type: 'tool_result';
      id: string;
      name: string;
      output: string;
      isError: boolean;
      display?: Display;
      images?: readonly ImageContent[];
      /** Working directory after the call, where the call moved it. */
      cwd?: string;
      /** Files that the model knows another content of since the call. */
      seen?: readonly SeenFile[];
    }
  | {
      type: 'question';
      id: string;
      text: string;
      options?: readonly string[];
      /** The hosted model (`vendor/model`) that a yes lets the conversation go to. */
      leave?: string;
    }
  | { type: 'answer'; id: string; text: string }
  /** An "always" answer was taken back. */
  | { type: 'rule'; action: 'forget'; rule: string }
  | { type: 'todos'; items: readonly Todo[] }
  | { type: 'skill'; name: string; reason: 'auto' | 'asked' | 'model' }
  /**
   * Older messages make room. `summary` stands for what lies before event `from`; where only results were left out it is
   * empty. Results before event `pruneBefore` become one line each, longer ones behind it are cut to `clip` characters.
   * `usage`: what it took to have the summary written; it counts to the turn, or where a person `asked` for it to none.
   */
  | {
      type: 'compaction';
      before: number;
      after: number;
      summary: string;
      from?: number;
      pruneBefore?: number;
      clip?: number;
      usage?: Usage;
      asked?: true;
    }
  /** The conversation went back to before prompt `to`: what lies between it and here is in no later request. */
  | { type: 'rewind'; to: number }
  /**
   * The project lies in another folder than before, in which the session goes on: paths below `from` stand for the same
   * below `project`.
   */
  | { type: 'place'; from: string; project: string; cwd: string }
  /** The person gave the session a name. */
  | { type: 'title'; text: string }
  | { type: 'mode'; value: Mode }
  | { type: 'model'; value: string }
  | {
      type: 'notice';
      level: 'info' | 'warning' | 'error';
      text: string;
      /** Tokens that the server seems to keep of the `asked` ones; null when it takes all of them again. */
      cut?: { tokens: number; asked: number | null } | null;
      /** Of answers that came to nothing; it counts as that of a `compaction` does. */
      usage?: Usage;
      asked?: true;
      /** Files went back to what they were before the prompt with this number. */
      rewound?: number;
    }
  | {
      type: 'retry';
      reason: string;
      attempt: number;
      delayMs: number;
      discard: boolean;
      /** Of an answer that was whole and is void; it counts to the turn. */
      usage?: Usage;
      /** Where another model answers in its place; the notice right before says so. */
      moved?: 'local' | 'hosted';
    }
  | { type: 'error'; code: EventErrorCode; message: string; retryable: boolean }
  | {
      type: 'done';
      text: string;
      finish: TurnFinish;
      usage: Usage;
      /** Model messages in the turn. */
      turns: number;
      denials: readonly Denial[];
      durationMs: number;
      /** Messages for the turn that it was ended before taking: they are in no request. */
      unsent?: readonly string[];
    };

/** A line of the log: `seq` is 1, 2, 3 … without gaps, `time` ms since the epoch. */
export type StoredEvent = StoredBody & { seq: number; time: number };

/** Never stored, no `seq`. `at`: offset in characters of the delta in the message being streamed. */
export type LiveEvent =
  | { type: 'text'; delta: string; at: number }
  | { type: 'reasoning'; delta: string; at: number }
  | { type: 'tool_progress'; id: string; output: string };

/** Live: what the session does besides asking the model and running tools; null when it is over. */
export type ActivityEvent = { type: 'activity'; doing: 'making room' | 'going back' | 'running a command' | null };

export type Event = StoredEvent | LiveEvent | ActivityEvent;

export type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

export const isStored = (event: Event): event is StoredEvent => 'seq' in event;

export type Decision = 'yes' | 'all' | 'no';

/** What goes back: the messages, the files that ada changed since, or both. */
export type RewindScope = 'conversation' | 'files' | 'both';

/** The only way to act on a session. */
export type Command =
  /** Starts a turn; steers when one runs. */
  | { type: 'prompt'; text: string; images?: readonly ImageContent[] }
  /** Adds a message to the running turn, before the next request. Refused when idle. */
  | { type: 'steer'; text: string }
  /** Answers an `approval_request`. `remember` saves the rule that was shown. */
  | { type: 'approve'; id: string; decision: Decision; remember?: 'session' | 'project'; reason?: string }
  /** Answers a `question`. */
  | { type: 'answer'; id: string; text: string }
  /** Takes back an "always" answer, of this session and of the project. */
  | { type: 'forget'; rule: string }
  /**
   * Ends the running turn; denies a waiting approval, and ends the wait for an answer. `closing`: not the person wants it
   * so, but the program ends.
   */
  | { type: 'abort'; closing?: boolean }
  | { type: 'set'; mode?: Mode; model?: string }
  /** Makes room in the window now; `keep`: what the summary must hold. Refused while a turn runs. */
  | { type: 'compact'; keep?: string }
  /** Goes back to before the prompt with this `seq`. Refused while a turn runs and where there is no such prompt. */
  | { type: 'rewind'; to: number; what: RewindScope }
  /**
   * Runs a shell command that the person typed, without asking; the model is told of it unless it is kept `apart`.
   * Refused while a turn runs.
   */
  | { type: 'shell'; command: string; apart?: boolean }
  /** Gives the session a name. */
  | { type: 'rename'; title: string }
  | { type: 'close' };

/** What a tool call wants to touch; the permission engine judges this and nothing else. */
export type Access =
  /** Touches nothing outside the session (todos, skills, schemas). */
  | { kind: 'none' }
  /** Paths as the call gave them, relative to the working directory. */
  | { kind: 'read'; paths: readonly string[] }
  | { kind: 'write'; paths: readonly string[] }
  | { kind: 'command'; command: string; cwd: string }
  | { kind: 'network'; host: string };

/** Classes of CONTRACT, "Permissions", mildest first. */
export type AccessClass = 'read' | 'write' | 'unknown' | 'network' | 'outside' | 'hidden' | 'destructive';

/** The answer of the permission engine to one access. */
export interface Verdict {
  verdict: 'allow' | 'ask' | 'deny';
  class: AccessClass;
  readOnly: boolean;
  destructive: boolean;
  /** Why, in plain words, most important first. */
  reasons: readonly string[];
  /** Who decided. */
  by: 'rule' | 'mode';
  /** The rule that decided, or else the one that "always" would save. */
  rule?: string;
}

/** ACP's tool kinds. */
export type ToolKind = 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'other';

export interface ToolOutput {
  /** What the model reads. */
  output: string;
  display?: Display;
  isError?: boolean;
  images?: readonly ImageContent[];
  /** Stored events that this call causes (todos, skill, note), appended after its result. */
  events?: readonly StoredBody[];
}

/** What a tool may use. A tool never asks and never draws. */
export interface ToolContext {
  id: string;
  signal: AbortSignal;
  /** Working directory of the session; `bash` may move it within one session. */
  readonly cwd: string;
  readonly project: string;
  /** Further directories inside which reads and writes count as inside the project. */
  readonly directories: readonly string[];
  /** Folder for full outputs and other state of this session, made when first needed. */
  readonly stateDir: string;
  /** Where the folded state of the session is read: todos, mode. */
  readonly todos: readonly Todo[];
  setCwd(dir: string): void;
  /** Puts a question to the person; undefined when nobody watches or the turn was interrupted. Never an approval. */
  question?: AskPerson;
  /** False for a file (absolute) that a rule denies reading: a search leaves it out. True where nobody says. */
  mayRead?(file: string): boolean;
  /** Live output, as `tool_progress`. */
  progress(output: string): void;
  /** Values that belong to this session and outlive a call, one a key (contents of read files, jobs). */
  readonly memory: Map<string, unknown>;
  /** Files that the call made known to the model, for its result; tools add to it as they read and write. */
  readonly seen?: SeenFile[];
}

/** Checks a tool's input; zod schemas are these. */
export interface InputSchema<I> {
  safeParse(value: unknown): { success: true; data: I } | { success: false; error: { issues: readonly InputIssue[] } };
}
export interface InputIssue {
  path: readonly PropertyKey[];
  message: string;
}

/** One tool: one file in `core/tools`, one line in its list. */
export interface Tool<I = any> {
  name: string;
  /** What the model reads of it; every byte costs on a small model. */
  description: string;
  input: InputSchema<I>;
  /** The schema that the model sees, made from `input`. */
  parameters: JsonSchema;
  kind: ToolKind;
  /** Reached through `use_tool` and named to the model in one line. */
  late?: boolean;
  /** What the call will touch, from its parsed input. */
  gate(input: I, context: Pick<ToolContext, 'cwd'>): Access;
  /** One line for a person, without the tool's name. */
  title(input: I): string;
  /** Before an approval: what the call would change, for the person to see; `refused`: why it would change nothing. */
  preview?(input: I, context: ToolContext): Promise<Display | { refused: string } | undefined>;
  run(input: I, context: ToolContext): Promise<ToolOutput>;
}
