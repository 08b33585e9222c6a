/**
 * One writer a session: a small file in the project's state folder names the process that holds the log. A holder
 * that no longer lives (or whose process id now belongs to another program) holds nothing.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Time at which a process started, in kernel ticks; undefined where the system does not tell, `dead` for one that has
 * ended and was not waited for yet.
 */
export function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'dead' : fields[19];
  } catch {
    return undefined;
  }
}

function lives(pid: number, start: string | undefined): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = processStart(pid);
  return now !== 'dead' && (!start || now === undefined || now === start);
}

export interface LogLock {
  /** Takes it again where its file was deleted meanwhile. Throws where another process has it now. */
  keep(): void;
  release(): void;
}

/** Takes the lock, or names the live process that has it. */
export function holdLog(stateDir: string, id: string): LogLock | { held: number } {
  const file = join(stateDir, `${id}.lock`);
  makeFolder(stateDir, 0o700);
  const mine = `${process.pid} ${processStart(process.pid) ?? ''}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(file, mine, { flag: 'wx', mode: 0o600 });
      return {
        keep() {
          if (readHolder(file)[0] === process.pid) return;
          const again = holdLog(stateDir, id);
          if ('held' in again) throw new Error(`process ${again.held} has opened its log, too`);
        },
        release() {
          if (readHolder(file)[0] === process.pid) rmSync(file, { force: true });
        },
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const [pid, start] = readHolder(file);
    if (pid && lives(pid, start)) return { held: pid };
    rmSync(file, { force: true });
  }
  return { held: 0 };
}

/** The live process that has the lock, where only looking is allowed. */
export function holderOf(stateDir: string, id: string): number | undefined {
  const [pid, start] = readHolder(join(stateDir, `${id}.lock`));
  return pid && lives(pid, start) ? pid : undefined;
}

function readHolder(file: string): [number, string | undefined] {
  try {
    const [pid, start] = readFileSync(file, 'utf8').split(' ');
    return [Number(pid), start];
  } catch {
    return [0, undefined];
  }
}
