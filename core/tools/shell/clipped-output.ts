/** Keeps the head and the tail of an output, counts what lies between, and puts the whole into a file when it is cut. */
import { cutBefore, cutBehind } from '../../redact-cut.ts';
import { SpillFile } from './spill-file.ts';

const HEAD = 12_000;
const TAIL = 18_000;

export class ClippedOutput {
  private parts: string[] = [];
  private length = 0;
  private head: string | undefined;
  private bytes = 0;
  private newlines = 0;
  private spill: SpillFile | undefined;
  private readonly file: string;

  /** `file` is made, with its folder, only when the output is cut. */
  constructor(file: string) {
    this.file = file;
  }

  write(text: string): void {
    if (text === '') return;
    this.parts.push(text);
    this.length += text.length;
    const bytes = Buffer.from(text);
    this.bytes += bytes.length;
    this.newlines += count(bytes);
    this.spill?.write(text, bytes);
    if (this.length > HEAD + TAIL && this.head === undefined) this.startClipping();
    else if (this.length > 4 * TAIL && this.head !== undefined) this.keepTail(this.parts.join(''));
  }

  /** Closes the file and gives the text: all of it, or head, a line that says what is missing, and tail. */
  end(): string {
    const rest = this.parts.join('');
    if (this.head === undefined) return rest;
    const isWhole = this.spill?.end();
    const tail = atLineStart(rest, TAIL);
    const missingBytes = this.bytes - Buffer.byteLength(this.head) - Buffer.byteLength(tail);
    const missingLines = this.newlines - count(Buffer.from(this.head)) - count(Buffer.from(tail));
    const where = this.spill === undefined ? '' : `; ${isWhole ? 'all of it' : 'its first part'} is in ${this.file}`;
    const gap = this.head.endsWith('\n') ? '' : '\n';
    return `${this.head}${gap}[… ${missingBytes} bytes in ${missingLines} lines are not shown here${where} …]\n${tail}`;
  }

  private startClipping(): void {
    const all = this.parts.join('');
    const cut = all.lastIndexOf('\n', HEAD);
    this.head = all.slice(0, cutBefore(all, cut > HEAD / 2 ? cut + 1 : HEAD));
    try {
      this.spill = new SpillFile(this.file);
      this.spill.write(all);
    } catch {
      // Without a place for the file, head and tail must do.
    }
    this.keepTail(all.slice(this.head.length));
  }

  private keepTail(text: string): void {
    const tail = text.slice(-2 * TAIL);
    this.parts = [tail];
    this.length = tail.length;
  }
}

const LINE_FEEDS = 0x0a0a0a0a;
const LOW_BITS = 0x7f7f7f7f;
/** So many words are added up before the four counts in one number could run over. */
const WORDS_AT_ONCE = 255;

/**
 * Line feeds, four bytes at a time: a loop over bytes takes three times as long, and a search is slow in a text of short
 * lines. A byte of `word` is zero where a line feed stands, and its high bit is then the only one left.
 */
function count(bytes: Buffer): number {
  let found = 0;
  let at = 0;
  if (bytes.byteOffset % 4 === 0) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    for (let from = 0; from < words.length; from += WORDS_AT_ONCE) {
      const to = Math.min(words.length, from + WORDS_AT_ONCE);
      let counts = 0;
      for (let i = from; i < to; i++) {
        const word = words[i]! ^ LINE_FEEDS;
        counts = (counts + (~(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS) >>> 7)) | 0;
      }
      found += (counts & 255) + ((counts >>> 8) & 255) + ((counts >>> 16) & 255) + (counts >>> 24);
    }
    at = words.length * 4;
  }
  for (; at < bytes.length; at++) if (bytes[at] === 10) found++;
  return found;
}

/** The last `limit` characters, from a line's start where one is near. */
function atLineStart(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const from = text.length - limit;
  const next = text.indexOf('\n', from);
  let start = cutBehind(text, next >= 0 && next - from < limit / 2 ? next + 1 : from);
  if (/[\udc00-\udfff]/.test(text[start] ?? '')) start++;
  return text.slice(start);
}
