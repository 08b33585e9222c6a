/**
 * Writing to a file descriptor without losing a byte. Standard output goes through here rather than through
 * `process.stdout`, whose streams cost start-up time and lose what is queued when a process exits.
 */
import { constants, fstatSync, openSync, writeSync } from 'node:fs';

const WAIT_MS = 2;
/** Text gathered beyond this goes out at once instead of at the end of the event loop's turn. */
const FULL = 64 * 1024;

/** Gathers what is written in one turn of the event loop and writes it with one call. */
export interface Output {
  /** True when the reader has gone: what is written from then on is dropped. */
  readonly closed: boolean;
  write(text: string): void;
  /** Resolves when all that was written has left, or the reader has gone. */
  flush(): Promise<void>;
}

/** An Output on `fd`; `onClosed` runs once when the reader has gone (EPIPE). Other write errors reject `flush`. */
export function openOutput(fd: number, onClosed?: () => void, write: typeof writeSync = writeSync): Output {
  let text = '';
  let bytes: Buffer | undefined;
  let scheduled = false;
  let closed = false;
  let failure: Error | undefined;

  /** Writes as much as the descriptor takes; true when nothing is left. */
  function push(): boolean {
    while (!closed && !failure) {
      if (!bytes) {
        if (!text) return true;
        bytes = Buffer.from(text);
        text = '';
      }
      try {
        const written = write(fd, bytes);
        bytes = written < bytes.length ? bytes.subarray(written) : undefined;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // A pipe that is full and does not block: the reader is slow, not gone.
        if (code === 'EAGAIN') return false;
        if (code === 'EPIPE' || code === 'ECONNRESET') {
          closed = true;
          onClosed?.();
        } else failure = new Error(`cannot write the output: ${(error as Error).message}`, { cause: error });
      }
    }
    text = '';
    bytes = undefined;
    return true;
  }

  function turn(): void {
    scheduled = false;
    if (!push()) {
      scheduled = true;
      setTimeout(turn, WAIT_MS);
    }
  }

  return {
    get closed() {
      return closed;
    },
    write(more) {
      if (closed) return;
      text += more;
      if (!scheduled) {
        scheduled = true;
        setImmediate(turn);
      } else if (text.length > FULL && !bytes) push();
    },
    async flush() {
      while (!push()) await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      if (failure) throw failure;
    },
  };
}

/** Standard output. A pipe whose reader does not read never blocks the process, so that signals still end it. */
export const openStandardOutput = (onClosed?: () => void): Output => openOutput(outputDescriptor(), onClosed);

function outputDescriptor(): number {
  if (process.platform !== 'linux' || !fstatSync(1).isFIFO()) return 1;
  try {
    // A description of its own: the flag must not change for others who hold the same pipe.
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return 1;
  }
}

/** One whole line on standard error; a closed or full standard error never ends the program. */
export function complain(line: string): void {
  let bytes = Buffer.from(`${line}\n`);
  for (let tries = 0; bytes.length > 0 && tries < 100; tries++) {
    try {
      bytes = bytes.subarray(writeSync(2, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }
}
