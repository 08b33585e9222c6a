/**
 * The terminal while the screen is up: alternate buffer, raw keys, pastes, wheel and focus on; and whatever way the
 * program ends or stops, everything as it was before. Nothing here knows what is drawn.
 */
import { constants, openSync, writeSync } from 'node:fs';
import type { Size } from './types.ts';

/**
 * DEC private modes: 1049 alternate buffer, 25 cursor, 7 autowrap, 2004 bracketed paste, 1000 and 1006 mouse buttons
 * with SGR places (the wheel is a button), 1004 focus. `CSI > 1 u` pushes kitty's "disambiguate" flag on the stack of
 * the alternate buffer, so it is popped before that is left; terminals without it ignore both.
 */
const ENTER = '\x1b[?1049h\x1b[2J\x1b[?25l\x1b[?2004h\x1b[?1000h\x1b[?1006h\x1b[?1004h\x1b[>1u';
const LEAVE =
  '\x1b[?2026l\x1b[<u\x1b[?1004l\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[?7h\x1b[0m\x1b[2J\x1b[?25h\x1b[?1049l';

/** After a stop that could not be seen coming: what was pushed before it is taken from the stack first. */
const AGAIN = `\x1b[<u${ENTER}`;

/** How often and how long a terminal that takes nothing is tried before it is given up at the end, in ms. */
const RETRY_MS = 5;
const PATIENCE_MS = 400;
/** After its last change of size a terminal may still draw its own picture of it, for so long, in ms. */
const SETTLE_MS = 300;
/** A process that was told to stop and runs on after this long has nobody who could have stopped it, in ms. */
const STOPPED_MS = 100;

/** The part of `tty.ReadStream` that is used. */
export interface KeySource {
  setRawMode(raw: boolean): unknown;
  on(event: 'data', listener: (bytes: Buffer) => void): unknown;
  on(event: 'end' | 'error', listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** The part of `tty.WriteStream` that is used; bytes are written to `fd` directly. */
export interface Display {
  readonly fd: number;
  readonly columns: number;
  readonly rows: number;
  /** Asks the terminal for its size; Node.js does so by itself only when told of a change. */
  _refreshSize?(): void;
  on(event: 'resize', listener: () => void): unknown;
}

export interface TerminalHandlers {
  input(bytes: Buffer): void;
  /** The size changed, or what is shown of it: paint everything. */
  resize(size: Size): void;
  /** The screen is empty again after a stop: paint everything. */
  resumed(): void;
  /** What could not be written for a while has been written: paint what changed since. */
  drained(): void;
  /** The terminal is gone. */
  lost(): void;
}

export class Terminal {
  readonly #keys: KeySource;
  readonly #display: Display;
  readonly #handlers: TerminalHandlers;
  readonly #fd: number;
  #entered = false;
  #watching = false;
  /** Stops itself: what brings it back if nothing stopped it. */
  #stopping: NodeJS.Timeout | undefined;
  #settling: NodeJS.Timeout | undefined;
  /** Bytes that the terminal has not taken yet. */
  #pending: Buffer | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(keys: KeySource, display: Display, handlers: TerminalHandlers) {
    this.#keys = keys;
    this.#display = display;
    this.#handlers = handlers;
    this.#fd = ownDescription(display.fd);
  }

  get size(): Size {
    return { columns: this.#display.columns || 80, rows: this.#display.rows || 24 };
  }

  /** True while the terminal takes no more: frames that it could not show are better left out. */
  get busy(): boolean {
    return this.#pending !== undefined;
  }

  /** Takes the terminal over. */
  enter(): void {
    if (this.#entered) return;
    this.#entered = true;
    this.#watch();
    this.#takeKeys();
    this.write(ENTER);
  }

  #takeKeys(): void {
    this.#keys.setRawMode(true);
    this.#keys.resume();
  }

  /** Gives it back as it was; safe to call at any moment, also while the process exits. */
  leave(): void {
    if (!this.#entered) return;
    this.#entered = false;
    this.write(LEAVE);
    this.#finish();
    try {
      this.#keys.setRawMode(false);
      this.#keys.pause();
    } catch {
      // A terminal that hung up has no modes left to restore.
    }
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    this.#pending = this.#pending ? Buffer.concat([this.#pending, bytes]) : bytes;
    this.#push();
  }

  /**
   * Stops the process as Ctrl+Z does in a shell, and takes the terminal over again when it continues. `group`: with the
   * whole job, because a shell waits for all of it.
   */
  suspend(group = true): void {
    if (!this.#entered || process.platform === 'win32') return;
    this.leave();
    process.off('SIGTSTP', this.#onStop);
    process.kill(group ? 0 : process.pid, 'SIGTSTP');
    // A job without a shell above it is not stopped by this signal.
    this.#stopping = setTimeout(this.#onContinue, STOPPED_MS);
  }

  /**
   * Node.js tells of a size that differs from the one before: not of one that changed and changed back, which has cost
   * the terminal part of its picture as well.
   */
  readonly #onChange = (): void => {
    if (!this.#entered) return;
    const tell = () => this.#entered && this.#handlers.resize(this.size);
    this.#display._refreshSize?.();
    tell();
    clearTimeout(this.#settling);
    this.#settling = setTimeout(tell, SETTLE_MS).unref();
  };

  readonly #onStop = (): void => this.suspend(false);

  /** Whoever had the terminal meanwhile may have changed all of it: its modes, its size, its picture. */
  readonly #onContinue = (): void => {
    if (this.#stopping) {
      clearTimeout(this.#stopping);
      this.#stopping = undefined;
      process.on('SIGTSTP', this.#onStop);
      this.enter();
    } else if (this.#entered) {
      // SIGSTOP comes without a warning. Node.js sets a mode only if it believes that it is another.
      this.#keys.setRawMode(false);
      this.#takeKeys();
      this.write(AGAIN);
    } else return;
    this.#display._refreshSize?.();
    this.#handlers.resumed();
  };

  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    this.#keys.on('data', (bytes) => this.#entered && this.#handlers.input(bytes));
    for (const event of ['end', 'error'] as const) this.#keys.on(event, () => this.#handlers.lost());
    this.#display.on('resize', () => this.#entered && this.#handlers.resize(this.size));
    process.on('SIGWINCH', this.#onChange);
    process.on('SIGTSTP', this.#onStop);
    process.on('SIGCONT', this.#onContinue);
    // Before whoever reports the error: on the alternate buffer nobody would ever read it.
    process.prependListener('uncaughtException', () => this.leave());
    process.on('exit', () => this.leave());
  }

  #push(): void {
    const had = this.#pending;
    while (this.#pending) {
      try {
        const written = writeSync(this.#fd, this.#pending);
        this.#pending = written < this.#pending.length ? this.#pending.subarray(written) : undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
          // Hung up: what is written from now on is for nobody.
          this.#pending = undefined;
          return;
        }
        this.#retry ??= setTimeout(() => {
          this.#retry = undefined;
          this.#push();
          if (had && !this.#pending) this.#handlers.drained();
        }, RETRY_MS);
        return;
      }
    }
  }

  /** Waits, without the event loop, until all is written or nobody takes it. */
  #finish(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    for (let waited = 0; this.#pending && waited < PATIENCE_MS; waited += RETRY_MS) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      this.#push();
      clearTimeout(this.#retry);
      this.#retry = undefined;
    }
    this.#pending = undefined;
  }
}

/**
 * A description of the terminal of its own that never blocks: a terminal that is stopped or slow must not keep the
 * program from answering signals, and the flag must not change for others who hold the same terminal.
 */
function ownDescription(fd: number): number {
  if (process.platform !== 'linux') return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return fd;
  }
}
