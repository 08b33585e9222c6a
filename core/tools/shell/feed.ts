/** From the bytes of a command to what a terminal shows of them, with live output. */
import { StringDecoder } from 'node:string_decoder';
import type { TerminalText } from './terminal-text.ts';

const PROGRESS_MS = 100;
const PROGRESS_CHARACTERS = 4000;
/** A terminal gives at most 4 KiB at once; so many bytes are worked on together, or what came until output is shown. */
const BATCH = 64 << 10;

/** Also finds the marker up to which a terminal is read. */
export class Feed {
  private readonly decoder = new StringDecoder('utf8');
  private readonly screen: TerminalText;
  private readonly progress: (text: string) => void;
  private batch: Buffer[] = [];
  private size = 0;
  private timer: NodeJS.Timeout | undefined;
  private marker: Buffer | undefined;
  private held: Buffer = Buffer.alloc(0);
  private found: ((clean: boolean) => void) | undefined;

  constructor(screen: TerminalText, progress: (text: string) => void) {
    this.screen = screen;
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

  end(): void {
    clearTimeout(this.timer);
    this.work();
    this.screen.write(this.decoder.end(this.held));
    this.screen.end();
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
    this.screen.write(this.decoder.write(bytes));
  }
}
