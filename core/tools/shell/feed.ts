/** From the bytes of a command to what a terminal shows of them, with live output. */
import { StringDecoder } from 'node:string_decoder';
import { BinaryParts, type Origin } from './binary-parts.ts';
import type { TerminalText } from './terminal-text.ts';

const PROGRESS_MS = 100;
const PROGRESS_CHARACTERS = 4000;
/** A terminal gives at most 4 KiB at once; so many bytes are worked on together, or what came until output is shown. */
const BATCH = 64 << 10;

/** Also finds the marker up to which a terminal is read. */
export class Feed {
  private readonly decoder = new StringDecoder('utf8');
  private readonly screen: TerminalText;
  private readonly parts: BinaryParts;
  private readonly progress: (text: string) => void;
  private batch: Buffer[] = [];
  private size = 0;
  private timer: NodeJS.Timeout | undefined;
  private marker: Buffer | undefined;
  private held: Buffer = Buffer.alloc(0);
  private found: ((clean: boolean) => void) | undefined;

  constructor(screen: TerminalText, progress: (text: string) => void, origin: Origin) {
    this.screen = screen;
    this.parts = new BinaryParts(origin, (bytes) => this.screen.write(visibleZeros(this.decoder.write(bytes))));
    this.progress = progress;
  }

  take(chunk: Buffer): void {
    if (!this.marker) {
      this.show(chunk);
      return;
    }
    const all = Buffer.concat([this.held, chunk]);
    const at = all.indexOf(this.marker);
    if (at >= 0) {
      this.show(all.subarray(0, at));
      this.held = Buffer.alloc(0);
      this.found?.(true);
      this.found = undefined;
      return;
    }
    const keep = Math.min(all.length, this.marker.length - 1);
    this.show(all.subarray(0, all.length - keep));
    this.held = all.subarray(all.length - keep);
  }

  awaitMarker(marker: Buffer): Promise<boolean> {
    this.marker = marker;
    return new Promise((resolve) => {
      this.found = resolve;
    });
  }

  /** Gives a line on where the whole output is, where binary parts of it are not shown. */
  end(): string | undefined {
    clearTimeout(this.timer);
    this.work();
    if (this.held.length > 0) this.parts.write(this.held);
    const note = this.parts.end();
    this.screen.write(this.decoder.end());
    this.screen.end();
    return note;
  }

  /** Whether the terminal still puts a carriage return before each line feed, as far as is known. */
  get addsReturns(): boolean {
    return this.parts.addsReturns;
  }

  private show(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.batch.push(bytes);
    this.size += bytes.length;
    if (this.size >= BATCH) this.work();
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.work();
      const text = this.screen.liveText(PROGRESS_CHARACTERS);
      if (text) this.progress(text);
    }, PROGRESS_MS);
  }

  private work(): void {
    const [first, ...more] = this.batch;
    if (!first) return;
    const bytes = more.length > 0 ? Buffer.concat(this.batch, this.size) : first;
    this.batch = [];
    this.size = 0;
    this.parts.write(bytes);
  }
}

/** Between names, as `find -print0` has them, a NUL can be seen; of wide characters, half of which are NULs, it is dropped. */
function visibleZeros(text: string): string {
  if (!text.includes('\0')) return text;
  const count = text.split('\0').length - 1;
  return count * 3 <= text.length ? text.replaceAll('\0', '␀') : text;
}
