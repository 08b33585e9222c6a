import { type Family, MORE, type Reading } from './family.ts';

/** A block with less text than this is read again with each delta, so that talk about markup is let go at once. */
const EARLY = 200;
/** No closer is longer. */
const TAIL = 40;

/** The text of one block while it grows; it is read only when something came that may end it. */
export class Block {
  readonly family: Family;
  text = '';
  tail = '';

  constructor(family: Family) {
    this.family = family;
  }

  push(delta: string, ended: boolean): Reading {
    const first = this.text === '';
    this.text += delta;
    if (ended || first || this.text.length <= EARLY) {
      this.tail = this.text.slice(-TAIL);
      return this.family.read(this.text, ended);
    }
    const recent = this.tail + delta;
    this.tail = recent.slice(-TAIL);
    return this.family.closers.some((closer) => recent.includes(closer)) ? this.family.read(this.text, false) : MORE;
  }
}
