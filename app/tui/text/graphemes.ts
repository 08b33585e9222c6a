/** Text as what a person calls characters: grapheme clusters (UAX #29), and how many cells each takes. */
import { ALONE, CELLS, codePointClass, JOINS } from './code-point.ts';

let segmenter: Intl.Segmenter | undefined;

/** Splits text into grapheme clusters. Only stretches where neighbours can join go through Intl.Segmenter. */
export function graphemes(text: string): readonly string[] {
  if (!/[^\x20-\x7e]/.test(text)) return text.split('');
  const found: string[] = [];
  const end = text.length;
  // From `start` on nothing is given out yet; a cut is safe where both neighbours stand alone.
  let start = 0;
  let codePoints = 0;
  let previous = ALONE;
  for (let at = 0; at < end; ) {
    const code = text.codePointAt(at)!;
    const kind = codePointClass(code);
    if (codePoints > 0 && previous & kind & ALONE) {
      give(text, start, at, codePoints, found);
      start = at;
      codePoints = 0;
    }
    codePoints++;
    previous = kind;
    at += code > 0xffff ? 2 : 1;
  }
  if (codePoints > 0) give(text, start, end, codePoints, found);
  return found;
}

function give(text: string, start: number, end: number, codePoints: number, found: string[]): void {
  const piece = text.slice(start, end);
  if (codePoints === 1) {
    found.push(piece);
    return;
  }
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(piece)) found.push(segment);
}

const EMOJI_STYLE = /\p{Emoji}\ufe0f/u;
const EMOJI_SEQUENCE = /\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]*\u200d\p{Extended_Pictographic}/u;
const TONED = /\p{Emoji_Modifier_Base}\p{Emoji_Modifier}/u;

/**
 * Cells of one grapheme cluster, as terminals that know clusters draw it.
 * - Emoji: flags, keycaps, skin tones, ZWJ sequences and VS16 after an emoji take 2 (UTS #51: as East Asian Wide).
 *   VS15 changes nothing, as in xterm and tmux: UAX #11 gives it no width of its own.
 * - Jamo: vowels and finals add nothing to the consonant before them; alone they take 1.
 * - Everything else is the sum of its code points, which is what terminals without clusters draw for Thai,
 *   Devanagari and other scripts with spacing marks.
 */
export function graphemeWidth(grapheme: string): number {
  let cells = 0;
  let joins = 0;
  let indicators = 0;
  let syllable = false;
  for (let at = 0; at < grapheme.length; at++) {
    const code = grapheme.codePointAt(at)!;
    if (code > 0xffff) at++;
    const kind = codePointClass(code);
    joins |= kind & JOINS;
    if (code >= 0x1f1e6 && code <= 0x1f1ff) indicators++;
    if ((code >= 0x1160 && code <= 0x11ff) || (code >= 0xd7b0 && code <= 0xd7fb)) {
      if (syllable) continue;
      cells += 1;
      syllable = true;
      continue;
    }
    syllable = syllable || (kind & CELLS) === 2;
    cells += kind & CELLS;
  }
  if (!joins) return cells;
  if (indicators > 0) return indicators;
  const emoji = EMOJI_STYLE.test(grapheme) || EMOJI_SEQUENCE.test(grapheme) || TONED.test(grapheme);
  return emoji ? 2 : cells;
}
