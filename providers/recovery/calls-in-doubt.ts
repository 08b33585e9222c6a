import type { RawCall } from './family.ts';
import { LONGEST_REMARK, mayFollow, speaksOfIt, talkBefore } from './talk.ts';

/** So much of the text before a call is looked at. */
const LOOKED_AT = 2_000;

/** A stretch of text; `isMarkup`: not text where the calls are meant. */
interface Stretch {
  text: string;
  isMarkup: boolean;
}

/**
 * Decides whether printed calls are meant or shown, by what stands around them: calls stand at the end of an answer,
 * behind nothing or a sentence that does not speak of their form. From the first of them on everything waits, until the
 * message ends or so much text follows that they are shown; then all of it is text again, as it was printed.
 */
export class CallsInDoubt {
  /** Those that are meant. */
  accepted: RawCall[] = [];
  readonly #emit: (text: string) => void;
  readonly #knows: (name: string) => boolean;
  /** The end of the text before. */
  #before = '';
  #waiting: Stretch[] = [];
  #calls: RawCall[] = [];
  #families = new Set<string>();
  /** What was said behind the last call, and between those before it. */
  #remark = '';
  #remarks: string[] = [];
  /** Markup that was dropped right before a call. */
  #dropped = '';
  /**
   * Calls were shown in this message: further ones must be announced. `perhaps`: nothing says so but that much text
   * follows, which a model may have made up.
   */
  shown: 'no' | 'perhaps' | 'surely' = 'no';

  constructor(emit: (text: string) => void, knows: (name: string) => boolean) {
    this.#emit = emit;
    this.#knows = knows;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** There are calls that are meant or may be. */
  get hasCalls(): boolean {
    return this.isWaiting || this.accepted.length > 0;
  }

  /** Takes note of text that was given out. */
  note(text: string): void {
    this.#dropped = '';
    this.#before += text;
    if (this.#before.length > 2 * LOOKED_AT) this.#before = this.#before.slice(-LOOKED_AT);
  }

  text(text: string): void {
    if (!this.isWaiting) {
      this.note(text);
      this.#emit(text);
      return;
    }
    this.#waiting.push({ text, isMarkup: false });
    this.#remark += text;
    if (this.#remark.trim().length > LONGEST_REMARK) this.settle();
  }

  /** Tokens and closers that are no text where calls are meant. */
  drop(text: string): void {
    if (this.isWaiting) this.#waiting.push({ text, isMarkup: true });
    else this.#dropped += text;
  }

  call(raw: string, calls: readonly RawCall[], family: string): void {
    if (this.isWaiting) this.#remarks.push(this.#remark);
    this.#waiting.push({ text: this.#dropped + raw, isMarkup: true });
    this.#dropped = '';
    this.#remark = '';
    this.#calls.push(...calls);
    this.#families.add(family);
  }

  /** A call was printed in a place where it is only shown. */
  shows(): void {
    this.shown = 'surely';
  }

  /** The message ends here, or goes on with something else than text. */
  settle(): void {
    if (!this.isWaiting) return;
    const waiting = this.#waiting;
    const isMeant = this.#areMeant();
    if (isMeant) this.accepted.push(...this.#calls);
    this.#waiting = [];
    this.#calls = [];
    this.#families.clear();
    this.#remark = '';
    this.#remarks = [];
    for (const { text, isMarkup } of waiting) {
      if (!isMeant || !isMarkup) this.text(text);
      else this.note('\n');
    }
  }

  /** All so far was thinking; what waits is no longer of the answer. */
  clear(): void {
    this.#waiting = [];
    this.#calls = [];
    this.accepted = [];
    this.#families.clear();
    this.#remarks = [];
    this.#remark = '';
    this.#before = '';
    this.shown = 'no';
  }

  /** What follows is like the beginning of a message. */
  restart(): void {
    this.settle();
    this.#before = '';
    this.shown = 'no';
  }

  #areMeant(): boolean {
    const talk = talkBefore(this.#before.slice(-LOOKED_AT));
    const remarks = [...this.#remarks, this.#remark]
      .map((one) => one.trim().slice(0, LONGEST_REMARK + 1))
      .filter((one) => one !== '');
    const isAnnounced = talk === 'announced';
    const isPlain =
      remarks.length === 0 || (this.#families.size === 1 && this.#calls.every(({ name }) => this.#knows(name)));
    if (talk === 'shown' || (this.shown !== 'no' && !isAnnounced) || !isPlain) this.shown = 'surely';
    else if (remarks.every((one) => mayFollow(one, isAnnounced))) return true;
    else if (remarks.some(speaksOfIt)) this.shown = 'surely';
    else if (this.shown === 'no') this.shown = 'perhaps';
    return false;
  }
}
