import { Block } from './block.ts';
import { type Family, type RawCall, skipSpace } from './family.ts';
import { closerAt, MARKER_START, markerAt } from './markers.ts';

const STARTS = new RegExp(MARKER_START, 'g');

/**
 * Follows thinking. A call in it counts only where the message ends with it: what the model thinks behind it shows that
 * it was no more than a thought, and then it stays in the thinking.
 */
export class ThinkingScanner {
  readonly emit: (text: string) => void;
  /** Text that is not given out yet: a possible beginning of a tag, or calls. */
  held = '';
  block: Block | undefined;
  /** Offset in `held` behind the calls that have closed. */
  closed = 0;
  calls: RawCall[] = [];
  readonly seeks: boolean;

  /** `seeks`: look for calls at all. */
  constructor(emit: (text: string) => void, seeks: boolean) {
    this.emit = emit;
    this.seeks = seeks;
  }

  /** The thinking so far ends with calls, or in the middle of one. */
  get holdsCalls(): boolean {
    return this.block !== undefined || this.calls.length > 0;
  }

  push(delta: string): void {
    if (!this.seeks || (this.held === '' && !MARKER_START.test(delta))) {
      this.emit(delta);
      return;
    }
    this.held += delta;
    if (this.block) this.grow(delta, false);
    while (!this.block && this.step(false));
  }

  /** The thinking goes on or is over: what is held was thought only. */
  settle(): void {
    if (this.held !== '') this.emit(this.held);
    this.clear();
  }

  /** The message ends here. */
  end(): readonly RawCall[] {
    if (this.block) this.grow('', true);
    while (!this.block && this.step(true));
    const { calls } = this;
    if (!calls.length && this.held !== '') this.emit(this.held);
    this.clear();
    return calls;
  }

  clear(): void {
    this.held = '';
    this.block = undefined;
    this.closed = 0;
    this.calls = [];
  }

  /** Decides about the next piece of what is held; false when nothing more can be decided. */
  step(ended: boolean): boolean {
    return this.calls.length ? this.follow(ended) : this.seek(ended);
  }

  /** Behind calls: only more calls and closers may follow. */
  follow(ended: boolean): boolean {
    const at = skipSpace(this.held, this.closed);
    if (at >= this.held.length) return false;
    const closer = closerAt(this.held, at);
    if (closer && closer !== 'part') {
      this.closed = at + closer;
      return true;
    }
    const marker = markerAt(this.held, at);
    if (!ended && (closer === 'part' || marker === 'part')) return false;
    if (marker && marker !== 'part' && marker.kind === 'call') this.open(at, marker.family, ended);
    else this.letGo(at);
    return true;
  }

  /** Up to the next opener. */
  seek(ended: boolean): boolean {
    STARTS.lastIndex = 0;
    for (let found = STARTS.exec(this.held); found; found = STARTS.exec(this.held)) {
      const marker = markerAt(this.held, found.index);
      if (marker === 'part' && !ended) {
        this.letGo(found.index);
        return false;
      }
      if (!marker || marker === 'part' || marker.kind !== 'call') continue;
      this.letGo(found.index);
      this.open(0, marker.family, ended);
      return true;
    }
    this.letGo(this.held.length);
    return false;
  }

  letGo(count: number): void {
    if (count > 0) this.emit(this.held.slice(0, count));
    this.held = this.held.slice(count);
    this.closed = 0;
    this.calls = [];
  }

  open(at: number, family: Family, ended: boolean): void {
    this.block = new Block(family);
    this.closed = at;
    this.grow(this.held.slice(at), ended);
  }

  grow(delta: string, ended: boolean): void {
    const reading = this.block!.push(delta, ended);
    if (reading.state === 'more') return;
    this.block = undefined;
    if (reading.state === 'done' && reading.calls.length) {
      this.calls.push(...reading.calls);
      this.closed += reading.end;
    } else {
      // No call after all: the opener is an ordinary word.
      this.letGo(this.closed + 1);
    }
  }
}
