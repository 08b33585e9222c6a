/**
 * Text as it is compared where people look for words: without case, accents, and the other forms of a character
 * (Unicode NFKD), so that `ZURICH` finds `Zürich` and `file` what is written with a ligature.
 */
export function foldText(text: string): string {
  // Nearly all that is searched is ASCII.
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').toLowerCase().replace(ACCENTS, '').replace(/ß/g, 'ss').replace(/ς/g, 'σ');
}

/** Combining diacritical marks: signs of other scripts that combine, too, are letters there. */
const ACCENTS = /[\u0300-\u036f]/g;

/** Where in `text` that begins which stands at `at` in its folded form. */
export function placeBeforeFolding(text: string, at: number): number {
  if (foldText(text).length === text.length) return at;
  let place = 0;
  let folded = 0;
  for (const character of text) {
    folded += foldText(character).length;
    if (folded > at) break;
    place += character.length;
  }
  return place;
}
