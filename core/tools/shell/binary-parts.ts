/**
 * Takes lines that are mostly bytes of no text out of a command's output, before a terminal could make something of them;
 * a line with their number stands for each run. What came is then put into a file, byte for byte.
 */
import { isUtf8 } from 'node:buffer';
import { SpillFile } from './spill-file.ts';

/** Bytes of text between binary lines that are left out with them. */
const MOST_HELD = 60;
const RETURN = Buffer.from('\r');
/** So much of the beginning is kept, should binary lines come later. */
const MOST_KEPT = 1 << 18;
/** Of one line so much is looked at. */
const LOOKED_AT = 1 << 12;

export interface Origin {
  /** Where an output goes that is in part binary; it is made, with its folder, when the first such line comes. */
  file: string;
  /** The terminal puts a carriage return before each line feed, until one comes without. */
  addsReturns: boolean;
}

export class BinaryParts {
  addsReturns: boolean;
  /** The last byte so far is a carriage return, perhaps the terminal's. */
  private hasReturn = false;
  private readonly file: string;
  private readonly sink: (bytes: Buffer) => void;
  private kept: Buffer[] | undefined = [];
  private total = 0;
  private keptFrom = 0;
  private spill: SpillFile | undefined;
  private noPlace = false;
  /** Bytes of the run of binary lines that is open; 0 outside of one. */
  private run = 0;
  /** Short text behind binary lines: it may be a scrap between two of them. */
  private held: Buffer[] = [];
  private heldLength = 0;
  private wasAny = false;

  /** `sink` gets the text. */
  constructor({ file, addsReturns }: Origin, sink: (bytes: Buffer) => void) {
    this.file = file;
    this.addsReturns = addsReturns;
    this.sink = sink;
  }

  write(raw: Buffer): void {
    const bytes = this.addsReturns ? this.withoutReturns(raw) : raw;
    if (bytes.length > 0) this.take(bytes);
  }

  private take(bytes: Buffer): void {
    this.total += bytes.length;
    if (this.spill) this.spill.write(bytes.toString('latin1'), bytes);
    else this.keep(bytes);
    if (this.run === 0 && isText(bytes)) this.sink(bytes);
    else this.byLines(bytes);
  }

  /** Ends what is open. Gives a line on where the whole is, where binary lines were left out. */
  end(): string | undefined {
    if (this.hasReturn) this.take(RETURN);
    this.closeRun();
    const isWhole = this.spill?.end();
    if (!this.wasAny) return undefined;
    const size = `the output is ${this.total} bytes, in part binary`;
    if (!this.spill) return `(${size})`;
    const from =
      this.keptFrom > 0 ? `from byte ${this.keptFrom + 1} on it is` : isWhole ? 'all of it is' : 'its first part is';
    return `(${size}; ${from} in ${this.file})`;
  }

  /** What the program wrote: without the carriage returns of the terminal. */
  private withoutReturns(raw: Buffer): Buffer {
    const all = this.hasReturn ? Buffer.concat([RETURN, raw]) : raw;
    this.hasReturn = false;
    const parts: Buffer[] = [];
    let from = 0;
    for (let at = all.indexOf(10); at >= 0; at = all.indexOf(10, at + 1)) {
      if (at === from || all[at - 1] !== 13) {
        this.addsReturns = false;
        break;
      }
      parts.push(all.subarray(from, at - 1));
      from = at;
    }
    this.hasReturn = this.addsReturns && all.at(-1) === 13;
    parts.push(all.subarray(from, this.hasReturn ? -1 : undefined));
    return parts.length > 1 ? Buffer.concat(parts) : parts[0]!;
  }

  private keep(bytes: Buffer): void {
    if (!this.kept) {
      this.keptFrom = this.total - bytes.length;
      return;
    }
    this.kept.push(bytes);
    if (this.total > MOST_KEPT) this.kept = undefined;
  }

  private openSpill(bytes: Buffer): void {
    this.wasAny = true;
    if (this.spill || this.noPlace) return;
    if (!this.kept) this.keptFrom = this.total - bytes.length;
    else this.keptFrom = 0;
    try {
      this.spill = new SpillFile(this.file, 'latin1');
      for (const part of this.kept ?? [bytes]) this.spill.write(part.toString('latin1'), part);
    } catch {
      this.noPlace = true;
    }
    this.kept = undefined;
  }

  private byLines(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const next = bytes.indexOf(10, at);
      const end = next < 0 ? bytes.length : next + 1;
      this.line(bytes.subarray(at, end), bytes);
      at = end;
    }
  }

  private line(line: Buffer, bytes: Buffer): void {
    const odd = oddBytes(line);
    const length = Math.min(line.length, LOOKED_AT);
    // Next to binary lines a single bad character is no accident.
    const text = odd === 0 || (this.run === 0 && (odd < 3 || odd * 3 <= length));
    if (!text) {
      this.openSpill(bytes);
      this.run += this.heldLength + line.length;
      this.held = [];
      this.heldLength = 0;
    } else if (this.run > 0 && this.heldLength + line.length <= MOST_HELD) {
      this.held.push(line);
      this.heldLength += line.length;
    } else {
      this.closeRun();
      this.sink(line);
    }
  }

  private closeRun(): void {
    if (this.run > 0) this.sink(Buffer.from(`[binary output not shown: ${this.run} bytes]\n`));
    this.run = 0;
    for (const part of this.held) this.sink(part);
    this.held = [];
    this.heldLength = 0;
  }
}

/** Nothing but whole characters; the last one may go on in the next piece. */
function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  if (isUtf8(bytes)) return true;
  let end = bytes.length;
  for (let i = 0; i < 3 && end > 0 && bytes[end - 1]! >= 0x80; i++) end--;
  let start = 0;
  while (start < 3 && start < end && bytes[start]! >= 0x80 && bytes[start]! < 0xc0) start++;
  return isUtf8(bytes.subarray(start, end));
}

/** What no text has: control characters that move nothing, NULs side by side, bytes that are not UTF-8. */
function oddBytes(line: Buffer): number {
  const text = line.toString('utf8', 0, LOOKED_AT);
  return text.match(/[\x01-\x06\x0e-\x1a\x1c-\x1f\x7f\ufffd]|\0(?=\0)/g)?.length ?? 0;
}
