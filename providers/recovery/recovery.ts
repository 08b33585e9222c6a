/** Calls and thinking that models print into their text, found while it streams. */
import type { Offer } from './judge-call.ts';
import { RecoveryEngine } from './recovery-engine.ts';

export interface RecoveryOptions extends Offer {
  /** False: only thinking and tokens are taken out of the text. True unless given. */
  calls?: boolean;
  /** Name of the model's family; chooses between readings that are otherwise equal. */
  family?: string;
  /**
   * The template has opened the thinking already. If no closing tag comes, nothing is known for certain: then a message
   * without calls is given out as content too.
   */
  startsThinking?: boolean;
}

export type RecoveryPiece =
  | { type: 'content' | 'reasoning'; delta: string }
  | { type: 'call'; name: string; arguments: Record<string, unknown>; raw: string }
  /** A call that can be recognised but not run; `reason` is one sentence. */
  | { type: 'invalid'; name: string; raw: string; reason: string }
  /** Calls stood in this message that nobody meant; not `surely` where only the text behind them speaks against them. */
  | { type: 'shown'; surely: boolean }
  /** All content of this message so far, `text`, was thinking: its closing tag came, and no opening one. */
  | { type: 'rethought'; text: string };

/** How a message ended: on its own, cut off by a limit, or broken. */
export type MessageEnd = 'whole' | 'cut' | 'broken';

export interface Recovery {
  /** Takes text of the answer; pieces that are certain are appended to `out`. */
  content(delta: string, out: RecoveryPiece[]): void;
  /** Takes text of the provider's own thinking channel. */
  thinking(delta: string, out: RecoveryPiece[]): void;
  /** The thinking channel is over: what was held of it is given out. */
  settle(out: RecoveryPiece[]): void;
  /** Ends the message: the calls come now, since only the end tells that they were meant. */
  end(how: MessageEnd, out: RecoveryPiece[]): void;
}

/** Follows one message. */
export const createRecovery = (options: RecoveryOptions = {}): Recovery => new RecoveryEngine(options);
