import type { RawCall, ThinkingCloser } from './family.ts';
import { ThinkingScanner } from './thinking-scanner.ts';

export interface PassageOptions {
  closers: readonly ThinkingCloser[];
  /** What may stand at its head and is no thought, such as the channel's own name. */
  label?: string;
  /** Look for calls in it. */
  seeks: boolean;
  emit(text: string): void;
}

/** Thinking between tags: without the spaces around it, up to the first of its closers. */
export class ThinkingPassage {
  readonly closers: readonly ThinkingCloser[];
  readonly label: string;
  readonly emit: (text: string) => void;
  readonly scanner: ThinkingScanner;
  /** The possible beginning of a closer. */
  pending = '';
  /** The character before it. */
  last = '';
  /** What of the label may still come. */
  left: string;
  spaces = '';
  began = false;

  constructor({ closers, label = '', seeks, emit }: PassageOptions) {
    this.closers = closers;
    this.label = label;
    this.left = label;
    this.emit = emit;
    this.scanner = new ThinkingScanner((text) => this.trim(this.unlabelled(text)), seeks);
  }

  /** Takes text; once a closer came, gives what stands behind it, else undefined. */
  push(delta: string, ended: boolean): string | undefined {
    const text = this.pending + delta;
    this.pending = '';
    const found = findCloser(text, this.closers, { before: this.last, ended });
    if (!found) {
      const keep = ended ? 0 : partAtEnd(text, this.closers);
      const sure = text.slice(0, text.length - keep);
      this.scanner.push(sure);
      this.pending = keep ? text.slice(-keep) : '';
      this.last = sure.at(-1) ?? this.last;
      return undefined;
    }
    const { at, closer } = found;
    this.scanner.push(text.slice(0, at));
    // With calls at its end the message may be over.
    if (!this.scanner.holdsCalls) this.scanner.settle();
    return text.slice(at + (closer.keeps ? 0 : closer.text.length));
  }

  /** The message broke: all of it was thought. */
  settle(): void {
    this.scanner.push(this.pending);
    this.scanner.settle();
  }

  /** The message ends in the middle of the thinking: the calls with which it ends. */
  end(): readonly RawCall[] {
    return this.scanner.end();
  }

  unlabelled(text: string): string {
    let rest = text;
    while (this.left !== '' && rest !== '') {
      if (rest[0] !== this.left[0]) {
        rest = this.label.slice(0, this.label.length - this.left.length) + rest;
        this.left = '';
      } else {
        this.left = this.left.slice(1);
        rest = rest.slice(1);
      }
    }
    return rest;
  }

  trim(text: string): void {
    const all = this.spaces + text;
    const body = all.trimEnd();
    if (!this.began) {
      const start = body.trimStart();
      this.spaces = start === '' ? '' : all.slice(body.length);
      this.began = start !== '';
      if (this.began) this.emit(start);
      return;
    }
    this.spaces = all.slice(body.length);
    if (body !== '') this.emit(body);
  }
}

/** The first closer in `text`. `before`: the character before the text; `ended`: nothing follows it. */
export function findCloser(
  text: string,
  closers: readonly ThinkingCloser[],
  { before = '', ended }: { before?: string; ended: boolean },
): { at: number; closer: ThinkingCloser } | undefined {
  let found: { at: number; closer: ThinkingCloser } | undefined;
  const counts = (closer: ThinkingCloser, at: number): boolean => {
    if (closer.before && !closer.before.test(at > 0 ? text[at - 1]! : before)) return false;
    const end = at + closer.text.length;
    return !closer.behind || ((ended || end < text.length) && closer.behind.test(text.slice(end, end + 2)));
  };
  for (const closer of closers) {
    let at = text.indexOf(closer.text);
    while (at >= 0 && !counts(closer, at)) at = text.indexOf(closer.text, at + 1);
    if (at >= 0 && (!found || at < found.at)) found = { at, closer };
  }
  return found;
}

/** Length of the end of `text` that may be the beginning of a closer. */
function partAtEnd(text: string, closers: readonly ThinkingCloser[]): number {
  let longest = 0;
  for (const { text: closer, behind } of closers) {
    for (let size = Math.min(closer.length - (behind ? 0 : 1), text.length); size > longest; size--) {
      if (closer.startsWith(text.slice(-size))) longest = size;
    }
  }
  return longest;
}
