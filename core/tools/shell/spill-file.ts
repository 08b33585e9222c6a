/** The whole of an output that is too long to be shown, in a file that only its owner can read; without its secrets, as all that is stored. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { redact } from '../../redact.ts';

/** The file is cut here, so that a flood does not fill the disk. */
const MOST = 100 << 20;
/** So much is looked at together. */
const BATCH = 1 << 18;
/** A private key that has begun is waited for so long. */
const LONGEST_KEY = 1 << 15;

export class SpillFile {
  readonly path: string;
  private fd: number | undefined;
  private written = 0;
  private held: string[] = [];
  private length = 0;

  /** Throws where there is no place for the file. */
  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.path = path;
    this.fd = openSync(path, 'w', 0o600);
  }

  write(text: string): void {
    if (this.fd === undefined || this.written > MOST) return;
    this.held.push(text);
    this.length += text.length;
    if (this.length > BATCH) this.work(false);
  }

  /** True when the file has all that was written. */
  end(): boolean {
    this.work(true);
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
    return this.written <= MOST;
  }

  private work(all: boolean): void {
    if (this.fd === undefined || this.written > MOST) return;
    const text = this.held.join('');
    const end = all ? text.length : borderIn(text);
    const rest = text.slice(end);
    this.held = rest === '' ? [] : [rest];
    this.length = rest.length;
    try {
      const bytes = Buffer.from(redact(text.slice(0, end)));
      this.written += bytes.length;
      for (let done = 0; done < bytes.length; ) done += writeSync(this.fd, bytes, done);
    } catch {
      this.written = MOST + 1;
    }
  }
}

/** A place that no secret goes over: a line's end outside of a key. Where there is none nearby, anywhere. */
function borderIn(text: string): number {
  const begun = text.lastIndexOf('-----BEGIN ');
  const isOpen = begun > text.length - LONGEST_KEY && text.indexOf('-----END ', begun) < 0;
  const end = text.lastIndexOf('\n', isOpen ? begun : text.length) + 1;
  return end > 0 ? end : text.length > 4 * BATCH ? text.length : 0;
}
