/** What every front end knows of a session. */
import type { ContextUse } from './compaction/context-use.ts';
import type { SessionState } from './state.ts';
import type { Command, Event, StoredEvent } from './types.ts';

export type SendResult = { ok: true } | { ok: false; reason: 'busy' | 'idle' | 'unknown_id' | 'closed' | 'invalid' };

export interface Session {
  readonly id: string;
  /** The log's path. */
  readonly file: string;
  /** Number of the last event that was stored before this session was opened; what is newer was written by it. */
  readonly openedAt: number;
  /** Fold of the stored events. */
  readonly state: SessionState;
  /** All stored events so far, also those that no disk took. */
  stored(): readonly StoredEvent[];
  /** What the next request takes of the window, by the estimate that decides when room is made. */
  window(): ContextUse;
  send(command: Command): SendResult;
  /**
   * Stored events from `fromSeq` (default: only new ones), then what happens, stored and live, until close, abort or
   * `return()`. Nothing that happens after the call is missed, whenever the reader begins.
   */
  events(signal?: AbortSignal, fromSeq?: number): AsyncIterableIterator<Event>;
  /** Aborts a running turn, ends the session's processes and closes the log. */
  close(): Promise<void>;
}
