/** Notices a model that says the same over and over: an endless answer that no tool call interrupts. */

export const REPEATED_TEXT = 'the model said the same over and over';

/** Text is looked at where its length is a multiple of this, so that the verdict is one of the text, not of its pieces. */
const STEP = 512;
/** Only a block of at most so many characters is looked for. */
const LONGEST_BLOCK = 1_200;
const REPEATS = 20;
/** A block this short is a rule, a table's border or a row of zeros: it must go on for much longer. */
const SHORT_BLOCK = 8;
const SHORT_LENGTH = 4_000;
const LEAST_LENGTH = 600;
/** Lines of data may well be equal: without a letter, inside a fence or between brackets. */
const DATA_LENGTH = 8_000;
const KEPT = LONGEST_BLOCK * REPEATS;
const NEEDLE = 24;
const MOST_BLOCKS = 6;

/**
 * Watches a growing text for one block that is repeated without any change, 20 times in a row at least. Similar rows of
 * a table, lines of code, or a list that counts on differ somewhere and are left alone: they may be what was asked for.
 */
export class RepeatedText {
  #tail = '';
  #length = 0;
  readonly #place = new Place();

  /** How many characters of the delta there are up to where the text has run into a loop; undefined while it has not. */
  add(delta: string): number | undefined {
    for (let from = 0; from < delta.length; ) {
      const to = Math.min(delta.length, from + STEP - (this.#length % STEP));
      const piece = delta.slice(from, to);
      this.#tail += piece;
      this.#length += piece.length;
      this.#place.add(piece);
      from = to;
      if (this.#length % STEP) break;
      if (this.#tail.length > 2 * KEPT) this.#tail = this.#tail.slice(-KEPT);
      if (endsInLoop(this.#tail, this.#place.isData)) return isSplit(delta, to) ? to + 1 : to;
    }
    return undefined;
  }
}

/** Whether the place is between the halves of one character. */
const isSplit = (text: string, at: number): boolean => at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;

/** Where a growing text stands: inside a fence, or behind brackets that are still open. */
class Place {
  /** The newest line, as far as a fence can be told by it. */
  #line = '';
  #isFenced = false;
  #open = 0;

  get isData(): boolean {
    return this.#isFenced || this.#open > 0;
  }

  add(delta: string): void {
    for (const character of delta) {
      if (character === '\n') this.#endLine();
      else if (this.#line.length < 12) this.#line += character;
      if (character === '[' || character === '{') this.#open++;
      else if ((character === ']' || character === '}') && this.#open > 0) this.#open--;
    }
  }

  #endLine(): void {
    const isFence = /^\s*(?:```|~~~)/.test(this.#line);
    if (isFence) this.#isFenced = !this.#isFenced;
    // A bracket that was never closed says nothing of the next paragraph.
    if (isFence || this.#line.trim() === '') this.#open = 0;
    this.#line = '';
  }
}

/** True when the text ends in a block that is repeated. `isData`: what ends it are data or code. */
export function endsInLoop(text: string, isData = false): boolean {
  return blocksAtEnd(text).some((block) => {
    const least = isData || !/\p{L}/u.test(text.slice(-block)) ? DATA_LENGTH : LEAST_LENGTH;
    return repeats(text, block, Math.max(block * REPEATS, block < SHORT_BLOCK ? SHORT_LENGTH : 0, least));
  });
}

/** Lengths of blocks that may end the text and stand right before themselves, shortest first. */
function blocksAtEnd(text: string): number[] {
  const needle = text.slice(-NEEDLE);
  if (needle.length < NEEDLE) return [];
  const near = text.slice(-NEEDLE - LONGEST_BLOCK);
  const end = near.length - NEEDLE;
  const found: number[] = [];
  // A block may hold its own end several times.
  for (let at = end; found.length < MOST_BLOCKS && at > 0; ) {
    at = near.lastIndexOf(needle, at - 1);
    if (at < 0) break;
    found.push(end - at);
  }
  return found;
}

/** Equal to itself moved by one block: every block in it is the same. */
const repeats = (text: string, block: number, length: number): boolean =>
  text.length >= length && text.slice(-length, -block) === text.slice(block - length);
