/**
 * The words of the screen. State is one reducer outside React (`update`), the picture is pure (`view(state) → lines`),
 * Ink mounts it and owns keys and layout, and an own writer below Ink's frame paints what changed.
 */
import type { Session } from '../../core/session.ts';
import type { Display, Event, EventOf, Mode, StoredEvent, Todo } from '../../core/types.ts';
import type { ImageContent } from '../../providers/ir.ts';
import type { List } from './list.ts';

/**
 * One row of the screen: text with SGR sequences of our own renderer only, never wider than its pane in cells.
 * Text from outside has passed `sanitize` before it gets here.
 */
export type Line = string;

export interface Size {
  columns: number;
  rows: number;
}

/** A key press, normalised. `name` is a printable text as typed (may be several graphemes) or a key's name. */
export interface Key {
  name: KeyName | 'text';
  /** The text of `name: 'text'`. */
  text: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
}
export type KeyName =
  | 'enter'
  | 'escape'
  | 'tab'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'pageup'
  | 'pagedown'
  /** A letter or sign pressed with Ctrl or Alt: `text` holds it. */
  | 'chord';

export type Input =
  | { type: 'key'; key: Key }
  | { type: 'paste'; text: string }
  | { type: 'wheel'; lines: number; column: number; row: number }
  | { type: 'focus'; focused: boolean };

/** Everything that can change the screen. `now` is ms since the epoch, given so that the reducer stays pure. */
export type Action =
  | { type: 'event'; event: Event; now: number }
  | { type: 'input'; input: Input; now: number }
  | { type: 'resize'; size: Size }
  /** Durations and spinners; sent only while something runs. */
  | { type: 'tick'; now: number }
  | { type: 'overlay'; overlay: Overlay | null }
  | { type: 'say'; level: 'info' | 'warning' | 'error'; text: string }
  /** What the menu over the composer offers for the draft as it is now; the next edit makes it anew. */
  | { type: 'completions'; items: readonly Completion[] }
  /** The files of the project, which an `@` in the draft offers. */
  | { type: 'files'; files: ProjectFiles }
  /** What is known of the model in use, after a switch that the session's events do not tell all of. */
  | { type: 'facts'; local: boolean; contextTokens: number | null }
  /** The turn waits for its model to be loaded, or no more for that. */
  | { type: 'loading'; loading: boolean }
  | { type: 'draft'; text: string; images?: Composer['images'] }
  /** What is looked for among the prompts. */
  | { type: 'query'; text: string }
  /** Prompts of earlier conversations, oldest first, and what was waiting for them. */
  | { type: 'recalled'; prompts: readonly string[]; wanted: RecalledFor }
  /** What comes before what is shown of the conversation. */
  | { type: 'earlier'; events: readonly StoredEvent[] };

/** Why earlier prompts are wanted: a step back from the oldest that is known, or the search through all. */
export type RecalledFor = 'back' | 'search';

/** What a reducer cannot do itself: the store runs these after `update`. */
export type Effect =
  | { type: 'send'; command: Parameters<Session['send']>[0] }
  /** A slash command with its argument. */
  | { type: 'command'; name: string; argument: string }
  /** What is typed in the search goes through its field, which answers with `query`. */
  | { type: 'field'; text: string }
  /** Reads the prompts of this project's earlier conversations: `recalled` brings them. */
  | { type: 'recall'; wanted: RecalledFor }
  /** Reads the beginning of this conversation: `earlier` brings it. */
  | { type: 'earlier' }
  | { type: 'exit' }
  | { type: 'suspend' }
  /** Paint everything anew: something else wrote to the terminal. */
  | { type: 'repaint' };

/** A slash command as the composer knows it. */
export interface CommandRow {
  /** Without the slash. */
  name: string;
  help: string;
  /** What follows the name, as shown to a person: `ID`; in brackets, `[TEXT]`, when it may be left out. */
  argument?: string;
}

export interface Completion {
  label: string;
  help: string;
  /** What replaces the draft. */
  insert: string;
  /** Where the cursor goes then: the draft is written on, not sent. Left out: to the end. */
  cursor?: number;
}

/** Paths from the working directory, and the same in lower case; in the order in which equals are offered. */
export interface ProjectFiles {
  paths: readonly string[];
  folded: readonly string[];
}

/** One entry of the transcript; immutable: a change makes a new object, so rendered lines can be cached by identity. */
export type Block =
  /** A long one is shown in part, unless it is `open`. */
  | { kind: 'user'; text: string; steered: boolean; open?: boolean }
  /** `settled` are whole Markdown pieces that never change again, `tail` is what still grows. */
  | { kind: 'answer'; settled: readonly string[]; tail: string; streaming: boolean }
  | { kind: 'reasoning'; text: string; streaming: boolean; startedAt: number; endedAt: number | null; open: boolean }
  | {
      kind: 'tool';
      id: string;
      name: string;
      detail: string;
      state: 'waiting' | 'running' | 'done' | 'failed' | 'denied';
      startedAt: number;
      endedAt: number | null;
      output: string;
      display: Display | null;
      open: boolean;
      /** Lines of its live output that are no longer kept, before `output`. */
      dropped?: number;
      /** Why the person said no. */
      reason?: string;
    }
  | { kind: 'note'; level: 'info' | 'warning' | 'error'; text: string }
  /** Older messages made room; `text` is what stands for them, '' where only results were left out. */
  | { kind: 'compaction'; before: number; after: number; text: string; open: boolean }
  /** End of a turn: how long, tokens, cost. */
  | { kind: 'end'; text: string };

export type Pane = 'chat' | 'tools' | 'todos' | 'diffs';

/** Where a pane's window stands: at its end, or with this block's line at its top. */
export type Scroll =
  | { follow: true }
  /** `line` counts within `piece` (0 when left out) of a block that is laid out in pieces. */
  | { follow: false; block: number; line: number; piece?: number };

export type Overlay =
  /** `offset`: lines scrolled. */
  | { kind: 'keys'; offset?: number }
  | {
      kind: 'text';
      title: string;
      text: string;
      offset: number;
      format?: 'plain' | 'markdown' | 'diff';
      /** What it was opened from, and closing it goes back to. */
      from?: Overlay;
    }
  | {
      kind: 'pick';
      title: string;
      /** What there is to know before choosing, over the list. */
      text?: string;
      items: readonly { label: string; detail: string; value: string }[];
      filter: string;
      selected: number;
      /** Slash command that gets the chosen value as its argument. */
      command: string;
      /** Text is no filter: it closes the list and goes on into the draft. */
      toDraft?: boolean;
      /** Text is no filter: it goes on into the draft, and the list stays. */
      overDraft?: boolean;
      /** What keys do, in place of what they do in other lists. */
      hint?: string;
      /** What else to know, under the list. */
      after?: string;
      /** What the command gets when the list is closed without a choice. */
      unchosen?: string;
      /** It came by itself, ms: keys that were typed before it choose nothing. */
      shownAt?: number;
    };

export interface Approval {
  request: EventOf<'approval_request'>;
  /** When it came up front or, if later, when a key was last taken as typed ahead: see `isArmed`. */
  shownAt: number;
  /** Lines scrolled inside its preview. */
  offset: number;
  /** The reason being typed after `n`; null while the choice is open. */
  reason: string | null;
  /** The mode in which it came. */
  askedIn?: Mode;
}

/** A question of the model that waits for an answer. */
export interface Question {
  request: EventOf<'question'>;
  /** As an approval's. */
  shownAt: number;
  /** The option that Enter takes; -1: none yet. */
  selected: number;
  /** Answered here; the session has not said so yet. */
  sent: boolean;
}

/** The search through earlier prompts. */
export interface Search {
  query: string;
  /** Place in the history of what was found; null: nothing yet. */
  at: number | null;
  /** The draft to go back to. */
  before: { text: string; cursor: number };
}

export interface Composer {
  text: string;
  /** What goes with the text. */
  images?: readonly ImageContent[];
  /** Offset in UTF-16 units, always at a grapheme boundary. */
  cursor: number;
  history: readonly string[];
  /** Place in the history while browsing it; null when not. `kept` is the draft meanwhile. */
  browsing: number | null;
  kept: string;
  completions: readonly Completion[];
  completion: number;
  /** Prompts of earlier conversations are in the history. */
  recalled?: boolean;
  search: Search | null;
  /** Of the editor: what was last deleted, and the column that up and down keep to. */
  killed?: string;
  goal?: number;
}

export interface State {
  size: Size;
  theme: 'dark' | 'light' | 'none';
  focused: boolean;
  pane: Pane;
  /** `null`: the composer has the focus. */
  focus: Pane | null;
  blocks: List<Block>;
  /** Number of the first event that is shown; undefined: all are. The first block says so. */
  shownFrom?: number;
  scroll: Readonly<Record<Pane, Scroll>>;
  composer: Composer;
  approvals: readonly Approval[];
  questions: readonly Question[];
  overlay: Overlay | null;
  todos: readonly Todo[];
  mode: Mode;
  /** Working directory of the session, '' before there is one. */
  cwd: string;
  model: string;
  local: boolean;
  contextUsed: number | null;
  contextTokens: number | null;
  running: boolean;
  runningSince: number;
  /** What the running turn does now, for the status line. */
  activity: string;
  /** First Ctrl+C at an empty composer, ms; the second within 2 s leaves. */
  leaving: number | null;
  now: number;
  commands: readonly CommandRow[];
  /**
   * Places in `blocks` of the prompts that began a turn, by the number of their event; how full the window was before
   * each, and the todos then.
   */
  prompts: List<{ seq: number; at: number; used: number | null; todos: readonly Todo[] }>;
  /** What goes on has no turn: room is made on a person's word, or the conversation goes back. */
  aside?: boolean;
  /** Places in `blocks` of the tool calls, oldest first, and of those that changed a file. */
  calls: List<number>;
  changes: List<number>;
  /** Place in `blocks` where the message being streamed begins; null between messages. */
  messageAt: number | null;
  /** Tool output and reasoning show unfolded, new ones too. */
  expanded: boolean;
  /** Sent into the running turn and not yet taken up by it. */
  queued: readonly string[];
  /** Why the draft was not taken, until the next key: in the transcript a streaming answer would carry it away. */
  refused?: string;
  /** When text was last typed into the draft, ms. */
  typedAt: number;
  /** A letter that answers the approval or question of this id unless it turns out to begin a text. */
  held: { key: Key; id: string; at: number } | null;
  /** Those of the project, once an `@` in a draft asked for them. */
  files?: ProjectFiles;
  /** It is known that there is no model. */
  noModel?: boolean;
  /** Only this machine and OLLAMA_HOST are reached. */
  offline?: boolean;
}

/** A rectangle of the screen, in cells, from 0. */
export interface Box {
  column: number;
  row: number;
  columns: number;
  rows: number;
}

/** One picture of the screen. */
export interface Frame {
  /** Exactly `size.rows`, each exactly `size.columns` wide. */
  lines: readonly Line[];
  /** Where typed text would appear; null: nowhere, and the cursor is hidden. */
  cursor: { column: number; row: number } | null;
  /** The text areas of the panes that can be seen. */
  panes: readonly (Box & { pane: Pane })[];
}
