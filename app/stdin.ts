/** Standard input as part of a prompt (CONTRACT, "Commands"). */
import { fstatSync, readSync } from 'node:fs';
import { isatty } from 'node:tty';
import { StartError } from './start-error.ts';

/** Far more than any model's window; it bounds memory on `< /dev/zero`. */
const MAX_BYTES = 16 * 1024 * 1024;
const QUIET_MS = 1000;

export interface StdinOptions {
  /** With a prompt in the arguments, a pipe that sends nothing for a second is left alone. */
  hasArgument: boolean;
  notice(text: string): void;
}

/** The text that was piped or redirected in; '' when there is none or standard input is a terminal. */
export async function readStdin(options: StdinOptions): Promise<string> {
  if (isatty(0)) return '';
  let stat: ReturnType<typeof fstatSync>;
  try {
    stat = fstatSync(0);
  } catch {
    return '';
  }
  if (stat.isDirectory()) throw new StartError('standard input is a directory');
  const bytes = stat.isFIFO() || stat.isSocket() ? await readPipe(options) : readFile();
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function readFile(): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const count = readSync(0, chunk);
    if (count === 0) return Buffer.concat(chunks);
    total = bounded(total + count);
    chunks.push(chunk.subarray(0, count));
  }
}

function bounded(total: number): number {
  if (total > MAX_BYTES)
    throw new StartError('standard input is larger than 16 MB; name the file in the prompt instead');
  return total;
}

async function readPipe({ hasArgument, notice }: StdinOptions): Promise<Buffer> {
  const input = process.stdin;
  const chunks: Buffer[] = [];
  let total = 0;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const quiet = setTimeout(() => {
        if (!hasArgument) return notice('waiting for a prompt on standard input');
        notice('standard input sent nothing for 1 s; going on without it');
        resolve(Buffer.alloc(0));
      }, QUIET_MS);
      const end = () => {
        clearTimeout(quiet);
        resolve(Buffer.concat(chunks));
      };
      input.on('data', (chunk: Buffer) => {
        clearTimeout(quiet);
        chunks.push(chunk);
        try {
          total = bounded(total + chunk.length);
        } catch (error) {
          reject(error);
        }
      });
      input.on('end', end);
      // A peer that resets its end has said all that it will say.
      input.on('error', end);
    });
  } finally {
    input.removeAllListeners('data');
    input.pause();
    input.unref?.();
  }
}
