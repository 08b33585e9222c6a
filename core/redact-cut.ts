/** Where a text may be cut: a piece of a secret is not recognised any more, and may be all but one character of it. */
import { findSecrets } from './redact.ts';

/** So far to both sides is looked; only keys of unusual length are longer. */
const AROUND = 8192;

/** The last place up to `at` that lies in no secret: what stands before it may be shown. */
export const cutBefore = (text: string, at: number): number => border(text, at, 'start');

/** The first place from `at` on that lies in no secret: what stands behind it may be shown. */
export const cutBehind = (text: string, at: number): number => border(text, at, 'end');

function border(text: string, at: number, side: 'start' | 'end'): number {
  if (at <= 0 || at >= text.length) return Math.min(text.length, Math.max(0, at));
  const from = Math.max(0, at - AROUND);
  const over = findSecrets(text.slice(from, at + AROUND)).find(
    ({ start, end }) => from + start < at && from + end > at,
  );
  return over ? from + over[side] : at;
}
