/** Runs the ripgrep binary that comes with ada, else the one in PATH. */
import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

export interface RipgrepRun {
  /** Separator of the records of the output. */
  separator: string;
  args: readonly string[];
  cwd: string;
  signal: AbortSignal;
  /** Gets each record; `false` ends the run. */
  record(text: string): boolean;
}

export interface RipgrepResult {
  /** 0 something was found, 1 nothing, 2 an error; null when the run was ended early. */
  code: number | null;
  errors: string;
}

/** ripgrep cannot be run here; the message says what to do. */
export class RipgrepMissing extends Error {
  override readonly name = 'RipgrepMissing';
}

const COMMON = ['--no-config', '--hidden', '--no-require-git', '--no-messages', '--color=never', '--glob=!.git'];

let binary: Promise<string> | undefined;

async function findBinary(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return 'rg';
  }
}

export async function ripgrep(run: RipgrepRun): Promise<RipgrepResult> {
  const file = await (binary ??= findBinary());
  run.signal.throwIfAborted();
  const child = spawn(file, [...COMMON, ...run.args], {
    cwd: run.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: run.signal,
  });
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let ended = false;
  let errors = '';
  const stop = () => {
    ended = true;
    child.stdout.destroy();
    child.kill('SIGKILL');
  };
  child.stdout.on('data', (chunk: Buffer) => {
    const records = (rest + decoder.write(chunk)).split(run.separator);
    rest = records.pop()!;
    for (const record of records) if (!ended && !run.record(record)) return stop();
    // One endless line must not fill the memory.
    if (rest.length > 1 << 22) rest = '';
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (errors.length < 4000) errors += chunk.toString('utf8');
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', (status) => resolve(ended ? null : status));
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (ended) return;
      if (error.code !== 'ENOENT') return reject(error);
      binary = undefined;
      reject(
        new RipgrepMissing(
          'ripgrep (rg) is not installed here: neither the package @vscode/ripgrep nor rg in PATH can be run.',
        ),
      );
    });
  });
  if (!ended && rest) run.record(rest);
  return { code, errors: errors.trim() };
}
