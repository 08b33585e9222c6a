/** What a slash command is and what it may use. It acts through the session and shows through the screen it was given. */

import type { Permissions } from '../../core/permission/permission.ts';
import type { Session } from '../../core/session.ts';
import type { SessionSummary } from '../../core/session-list.ts';
import type { Command, Display, Mode, Todo } from '../../core/types.ts';
import type { ModelInfo } from '../../providers/adapter.ts';
import type { ImageContent } from '../../providers/ir.ts';
import type { CommandRow, Overlay } from '../tui/types.ts';

export interface SlashContext {
  /** Null as long as no model was found. */
  readonly session: Session | null;
  readonly todos: readonly Todo[];
  /** Every change of a file in this session, oldest first. */
  readonly changes: readonly Extract<Display, { kind: 'diff' }>[];
  /** The mode to go back to from plan mode. */
  readonly workingMode: Exclude<Mode, 'plan'>;
  readonly commands: readonly SlashCommand[];
  /** Folder of the session's state that is not its log; null as long as there is no session. */
  readonly stateDir: string | null;
  /** The session's permission engine, where "always" answers are listed and taken back, and commands are judged. */
  readonly rules: Pick<Permissions, 'judge' | 'listRemembered' | 'forget'> | null;
  /** What /help adds: how this door is used. */
  readonly hint: string;
  /** Sends a command to the session; a refusal is told to the person. True when it was taken. */
  send(command: Command): boolean;
  say(level: 'info' | 'warning' | 'error', text: string): void;
  show(overlay: Overlay): void;
  /** Everything that can be reached now. */
  listModels(): Promise<readonly ModelInfo[]>;
  /** Stored conversations of this project, newest first. */
  listSessions(): readonly SessionSummary[];
  /** Leaves this conversation for another one, a copy of one, or a new one. */
  open(which: 'new' | { resume: string; fork?: boolean }): Promise<void>;
  /** Puts a text where prompts are typed, with what goes along with it. */
  draft(text: string, images?: readonly ImageContent[]): void;
  exit(): void;
}

/** One file in this folder, one line in `index.ts`. */
export interface SlashCommand extends CommandRow {
  /** Other names, not listed in the menu. */
  aliases?: readonly string[];
  run(context: SlashContext, argument: string): void | Promise<void>;
}
