/** Notices a model that says the same over and over: an endless answer that no tool call interrupts. */

/** Text is looked at again after so many new characters. */
const STEP = 512;
/** Only a block of at most so many characters is looked for. */
const LONGEST_BLOCK = 1_200;
const REPEATS = 20;
/** A block this short is a rule, a table's border or a row of zeros: it must go on for much longer. */
const SHORT_BLOCK = 8;
const SHORT_LENGTH = 4_000;
const LEAST_LENGTH = 600;
const KEPT = LONGEST_BLOCK * REPEATS;
const NEEDLE = 24;

/**
 * Watches a growing text for one block that is repeated without any change, 20 times in a row at least. Similar rows of
 * a table or lines of code differ somewhere and are left alone.
 */
export class RepeatedText {
  #tail = '';
  #fresh = 0;

  /** True when the text, with this delta, has run into a loop. */
  add(delta: string): boolean {
    this.#tail += delta;
    this.#fresh += delta.length;
    if (this.#fresh < STEP) return false;
    this.#fresh = 0;
    if (this.#tail.length > 2 * KEPT) this.#tail = this.#tail.slice(-KEPT);
    return endsInLoop(this.#tail);
  }
}

/** True when the text ends in a block that is repeated. */
export function endsInLoop(text: string): boolean {
  const needle = text.slice(-NEEDLE);
  if (needle.length < NEEDLE) return false;
  const near = text.slice(-NEEDLE - LONGEST_BLOCK);
  const before = near.lastIndexOf(needle, near.length - NEEDLE - 1);
  if (before < 0) return false;
  const block = near.length - NEEDLE - before;
  const length = Math.max(block * REPEATS, block < SHORT_BLOCK ? SHORT_LENGTH : LEAST_LENGTH);
  if (text.length < length) return false;
  // Equal to itself moved by one block: every block in it is the same.
  return text.slice(-length, -block) === text.slice(block - length);
}
