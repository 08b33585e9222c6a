/**
 * A pseudoterminal that commands write to and ada reads, without being anybody's controlling terminal. ada holds the
 * slave side open, so that the master never ends, and knows by a marker of its own that it has read all.
 */
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import type { ReadStream } from 'node:tty';

const COLUMNS = 200;
const ROWS = 50;
/** After so many bytes of one command the terminal's own work on them is turned off. */
const FLOOD = 128 << 10;
/** A flood is read into pieces of a buffer of this size; a terminal gives less than PIECE at once. */
const BUFFER = 64 << 10;
const PIECE = 4096;
/** So many bytes of a flood are read before others get their turn. */
const AT_ONCE = 256 << 10;

/** What node-pty's `open` gives; its typings leave it out. */
interface OpenTerminal {
  master: ReadStream;
  slave: ReadStream;
  _pty: string;
  _fd: number;
}

/** ada's own ends of terminals: node-pty opens them without close-on-exec, so every shell must close them. */
export const leakedFds = new Set<number>();

export class PtyPair {
  /** Given to a command as standard output and error. */
  readonly slave: number;
  private readonly masterFd: number;
  busy = false;
  private readonly master: ReadStream;
  private readonly marking: number;
  private reader: ((chunk: Buffer) => void) | undefined;
  private closed = false;
  private taken = 0;
  private isRaw = false;
  /** A carriage return is put before each line feed. */
  addsReturns = true;
  private buffer: Buffer | undefined;
  private used = 0;

  constructor(terminal: OpenTerminal) {
    this.master = terminal.master;
    this.masterFd = terminal._fd;
    leakedFds.add(this.masterFd);
    this.slave = openSync(terminal._pty, constants.O_RDWR | constants.O_NOCTTY);
    // A description of its own: commands may make theirs blocking, and ada must never block on a full terminal.
    this.marking = openSync(terminal._pty, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    terminal.slave.destroy();
    // node-pty's own listeners expect a terminal made by `spawn`.
    this.master.removeAllListeners('error');
    this.master.removeAllListeners('close');
    this.master.on('error', () => this.close());
    this.master.on('data', (chunk: Buffer) => {
      this.take(chunk);
      if (this.taken <= FLOOD) return;
      if (!this.isRaw) this.makeRaw();
      this.readOn();
    });
    this.master.unref();
  }

  private take(chunk: Buffer): void {
    this.reader?.(chunk);
    this.taken += chunk.length;
  }

  /**
   * Reads what else a flood has left: a stream makes a buffer of 64 KiB and an event for each 4 KiB, which costs several
   * times as much. Only where the stream holds nothing back, so that all stays in order.
   */
  private readOn(): void {
    for (let read = 0; read < AT_ONCE && !this.closed && this.master.readableLength === 0; ) {
      if (!this.buffer || this.used + PIECE > this.buffer.length) {
        this.buffer = Buffer.allocUnsafeSlow(BUFFER);
        this.used = 0;
      }
      let length = 0;
      try {
        length = readSync(this.masterFd, this.buffer, this.used, PIECE, null);
      } catch {
        // Nothing more for now; of an end the stream tells.
      }
      if (length === 0) return;
      const from = this.used;
      this.used += length;
      read += length;
      this.take(this.buffer.subarray(from, this.used));
      // Who writes is not ahead.
      if (length < PIECE / 2) return;
    }
  }

  /** Passes on what a command writes; without a reader it is thrown away. */
  read(reader: (chunk: Buffer) => void): void {
    this.reader = reader;
    this.busy = true;
    this.taken = 0;
    this.master.ref();
  }

  /** Passes on what a job writes, without keeping the program alive for it. */
  follow(reader: (chunk: Buffer) => void): void {
    this.read(reader);
    this.master.unref();
  }

  stop(): void {
    this.reader = undefined;
    this.buffer = undefined;
    this.busy = false;
    this.master.unref();
  }

  /** Writes as much of `bytes` as there is room for; returns how many went in. */
  write(bytes: Buffer): number {
    try {
      return writeSync(this.marking, bytes);
    } catch {
      return 0;
    }
  }

  /** Presses keys, for who reads the terminal. */
  type(keys: string): void {
    try {
      if (!this.closed) writeSync(this.masterFd, keys);
    } catch {
      // A full queue: nobody reads.
    }
  }

  /**
   * Lets line feeds through as they are. To put a carriage return before each one, the kernel handles output line by
   * line, which costs up to 0.2 µs a byte, in the command itself; the reader takes both alike. Only for floods: it is a
   * process.
   */
  private makeRaw(): void {
    if (this.closed) return;
    this.isRaw = true;
    // GNU's stty otherwise waits until nobody writes; others never wait, and do not know the word.
    const child = spawn('/bin/sh', ['-c', 'stty -drain -opost || stty -opost'], {
      stdio: [this.slave, 'ignore', 'ignore'],
    });
    // Where it cannot be done, floods are only slower.
    child.on('error', () => {});
    child.on('exit', (code) => {
      if (code === 0) this.addsReturns = false;
    });
    child.unref();
  }

  get usable(): boolean {
    return !this.closed && !this.busy;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    leakedFds.delete(this.masterFd);
    this.master.destroy();
    for (const fd of [this.slave, this.marking]) closeSync(fd);
  }
}

/** Throws when pseudoterminals are not to be had here. */
export async function openPtyPair(): Promise<PtyPair> {
  // @ts-expect-error The package is installed under this name, and its typings declare another.
  const module: unknown = await import('node-pty');
  const { open } = ((module as { default?: object }).default ?? module) as {
    open(options: { cols: number; rows: number; encoding: null }): OpenTerminal;
  };
  return new PtyPair(open({ cols: COLUMNS, rows: ROWS, encoding: null }));
}
