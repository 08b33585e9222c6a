import { createRecovery, type MessageEnd, type RecoveryOptions, type RecoveryPiece } from './recovery.ts';

export interface Recovered {
  calls: { name: string; arguments: Record<string, unknown>; raw: string }[];
  invalid: { name: string; raw: string; reason: string }[];
  content: string;
  thinking: string;
}

/** Recovers from a whole message: `thinking` came through a channel of its own, `content` after it. */
export function foldRecovery(
  message: { thinking?: readonly string[]; content: readonly string[]; end?: MessageEnd },
  options: RecoveryOptions = {},
): Recovered {
  const recovery = createRecovery(options);
  const pieces: RecoveryPiece[] = [];
  for (const delta of message.thinking ?? []) recovery.thinking(delta, pieces);
  for (const delta of message.content) recovery.content(delta, pieces);
  recovery.end(message.end ?? 'whole', pieces);
  const result: Recovered = { calls: [], invalid: [], content: '', thinking: '' };
  for (const piece of pieces) {
    if (piece.type === 'content') result.content += piece.delta;
    else if (piece.type === 'reasoning') result.thinking += piece.delta;
    else if (piece.type === 'rethought') {
      result.content = '';
      result.thinking += piece.text;
    } else if (piece.type !== 'shown') {
      const { type, ...rest } = piece;
      if (type === 'call') result.calls.push(rest as Recovered['calls'][number]);
      else result.invalid.push(rest as Recovered['invalid'][number]);
    }
  }
  return result;
}
