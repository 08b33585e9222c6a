/**
 * What one code point means on a screen of cells: its width, and whether its neighbours matter.
 *
 * Widths follow the terminals' common ground (xterm, tmux, VTE): East Asian Wide and Fullwidth (UAX #11) and emoji with
 * default emoji presentation (UTS #51) take 2 cells; non-spacing and enclosing marks, format characters and variation
 * selectors take 0; everything else takes 1, also ambiguous and private-use characters, spacing marks (Mc), the soft
 * hyphen and the visible Arabic number signs.
 */

/** The low two bits of a code point's class are its cells: 0, 1 or 2. */
export const CELLS = 3;
/** Its cells depend on the grapheme that it stands in: joiner, emoji selector or modifier, regional indicator, Jamo. */
export const JOINS = 4;
/** Between two of these there is always a grapheme boundary (UAX #29). */
export const ALONE = 8;

// East Asian Wide and Fullwidth (Unicode 17) but for emoji presentation, which the regular expression below knows.
const WIDE = ranges(
  '1100-115f 2329-232a 2630-2637 268a-268f 2e80-2e99 2e9b-2ef3 2f00-2fd5 2ff0-303e 3041-3096 3099-30ff 3105-312f ' +
    '3131-318e 3190-31e5 31ef-321e 3220-3247 3250-a48c a490-a4c6 a960-a97c ac00-d7a3 f900-faff fe10-fe19 fe30-fe52 ' +
    'fe54-fe66 fe68-fe6b ff01-ff60 ffe0-ffe6 16fe0-16fe4 16ff0-16ff6 17000-18cda 18cff-18d20 18d80-18df2 1aff0-1aff3 ' +
    '1aff5-1affb 1affd-1affe 1b000-1b128 1b132-1b132 1b150-1b152 1b155-1b155 1b164-1b168 1b170-1b2fb 1d300-1d356 ' +
    '1d360-1d376 1f200-1f202 1f210-1f23b 1f240-1f248 1f250-1f251 1f260-1f265 20000-2fffd 30000-3fffd',
);
const EMOJI = /^\p{Emoji_Presentation}$/u;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]$/u;
// Format characters that are drawn: soft hyphen, signs that enclose the digits after them.
const DRAWN = /^[\u00ad\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u;
const JOINERS = ranges('200d-200d fe0f-fe0f 1160-11ff d7b0-d7fb 1f1e6-1f1ff 1f3fb-1f3ff');
// Letters that attach to a neighbour although they are no marks (Grapheme_Cluster_Break other than Other).
const ATTACHED = ranges(
  'e33-e33 eb3-eb3 d4e-d4e 1100-11ff a960-a97c d7b0-d7fb ff9e-ff9f 111c2-111c3 113d1-113d1 1193f-1193f 11941-11941 ' +
    '11a3a-11a3a 11a84-11a89 11f02-11f02 1f1e6-1f1ff 1f3fb-1f3ff',
);
const SEPARATE = /^[\p{L}\p{N}\p{P}\p{S}\p{Zs}]$/u;

function ranges(text: string): readonly (readonly [number, number])[] {
  return text.split(' ').map((range) => {
    const [from, to] = range.split('-');
    return [Number.parseInt(from!, 16), Number.parseInt(to!, 16)] as const;
  });
}

const inside = (table: readonly (readonly [number, number])[], code: number): boolean =>
  table.some(([from, to]) => code >= from && code <= to);

function classify(code: number): number {
  if (code >= 0x20 && code < 0x7f) return 1 | ALONE;
  if ((code >= 0x3400 && code < 0xa000) || (code >= 0xac00 && code < 0xd7a4)) return 2 | ALONE;
  const text = String.fromCodePoint(code);
  const alone = SEPARATE.test(text) && !inside(ATTACHED, code) ? ALONE : 0;
  const joins = inside(JOINERS, code) ? JOINS : 0;
  if (ZERO.test(text) && !DRAWN.test(text)) return alone | joins;
  const emoji = EMOJI.test(text) && !(code >= 0x1f1e6 && code <= 0x1f1ff);
  return (emoji || inside(WIDE, code) ? 2 : 1) | alone | joins;
}

// Pages of 256 code points, made when the first of them is asked for.
const pages: Uint8Array[] = [];

/** The class of a code point: CELLS, JOINS and ALONE. */
export function codePointClass(code: number): number {
  const page = (pages[code >> 8] ??= Uint8Array.from({ length: 256 }, (_, low) => classify((code & ~255) | low)));
  return page[code & 255]!;
}
