/** The whole of an output that is too long to be shown, in a file that only its owner can read; without its secrets, as all that is stored. */
import { closeSync, mkdirSync, openSync, writeSync, writevSync } from 'node:fs';
import { dirname } from 'node:path';
import { findSecrets, replaced } from '../../redact.ts';
import { cutBefore } from '../../redact-cut.ts';

/** The file is cut here, so that a flood does not fill the disk. */
const MOST = 100 << 20;
/** So much is looked at together. */
const BATCH = 1 << 18;
/** A private key that has begun is waited for so long. */
const LONGEST_KEY = 1 << 15;

export class SpillFile {
  readonly path: string;
  private readonly encoding: 'utf8' | 'latin1';
  private fd: number | undefined;
  private written = 0;
  private held: string[] = [];
  /** The same as bytes, while each piece has brought its own. */
  private bytes: Buffer[] | undefined = [];
  private length = 0;

  /** Throws where there is no place for the file. `encoding`: `latin1` for text that stands for bytes. */
  constructor(path: string, encoding: 'utf8' | 'latin1' = 'utf8') {
    this.encoding = encoding;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.path = path;
    this.fd = openSync(path, 'w', 0o600);
  }

  /** `bytes`: the text as bytes, where the caller has it. */
  write(text: string, bytes?: Buffer): void {
    if (this.fd === undefined || this.written > MOST) return;
    this.held.push(text);
    // The halves of a pair are no bytes of their own.
    if (bytes && !isLow(text.charCodeAt(0))) this.bytes?.push(bytes);
    else this.bytes = undefined;
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
    const restBytes = Buffer.from(rest, this.encoding);
    const given = this.bytes;
    this.bytes = rest === '' ? [] : [restBytes];
    try {
      const shown = text.slice(0, end);
      const hidden = findSecrets(shown);
      // Most output is written as it came, without being encoded once more.
      const isWritten = given && hidden.length === 0 && this.append(given, restBytes.length);
      if (!isWritten) this.append([Buffer.from(replaced(shown, hidden), this.encoding)], 0);
    } catch {
      this.written = MOST + 1;
    }
  }

  /** Writes all but the last `without` bytes; false, with nothing written, when these are not in the last piece. */
  private append(pieces: readonly Buffer[], without: number): boolean {
    const last = pieces.at(-1);
    if (!last || last.length < without) return false;
    const written = [...pieces.slice(0, -1), last.subarray(0, last.length - without)];
    const length = written.reduce((sum, piece) => sum + piece.length, 0);
    this.written += length;
    const first = written.length === 1 ? 0 : writevSync(this.fd!, written);
    if (first === length) return true;
    const left = Buffer.concat(written).subarray(first);
    for (let done = 0; done < left.length; ) done += writeSync(this.fd!, left, done);
    return true;
  }
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** A place that no secret goes over: a line's end outside of a key. Where there is none nearby, between two. */
function borderIn(text: string): number {
  const begun = text.lastIndexOf('-----BEGIN ');
  const isOpen = begun > text.length - LONGEST_KEY && text.indexOf('-----END ', begun) < 0;
  const end = text.lastIndexOf('\n', isOpen ? begun : text.length) + 1;
  return end > 0 ? end : text.length > 4 * BATCH ? cutBefore(text, text.length - LONGEST_KEY) : 0;
}
