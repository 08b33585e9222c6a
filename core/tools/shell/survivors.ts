/**
 * After an ada that was killed, what its commands left is ended by the next one. An empty file in the project's state
 * folder stands for every ada that has started a shell; its name says which ada that was and which mark its processes
 * carry. Linux only: elsewhere a mark cannot be found again.
 */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcesses, findProcesses, startOf } from './processes.ts';

const FOLDER = 'shells';
const GRACE_MS = 250;
/** A record of another machine or container cannot be looked into; after so long it says nothing any more. */
const FOREIGN_MS = 7 * 24 * 3600_000;

/** Which kernel and which numbering of processes: containers of one machine have their own. */
function here(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
  return `${boot}-${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))![0]}`;
}

/** Records this ada, before its first shell, under `stateDir`; gives the file, undefined where it cannot be had. */
export function recordShells(stateDir: string, mark: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const folder = join(stateDir, FOLDER);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${mark}.${startOf(process.pid)}.${here()}`);
    writeFileSync(file, '', { mode: 0o600 });
    return file;
  } catch {
    // A folder that cannot be written: the commands run all the same.
    return undefined;
  }
}

export function forgetShells(file: string | undefined): void {
  if (file !== undefined) rmSync(file, { force: true });
}

/**
 * Ends what the killed adas recorded under `stateDir` left running; gives how many processes. Never throws, and costs one
 * look at a folder when there is nothing to do.
 */
export async function endSurvivors(stateDir: string): Promise<number> {
  const folder = join(stateDir, FOLDER);
  let place: string;
  const dead: { file: string; mark: string }[] = [];
  try {
    const names = readdirSync(folder);
    if (names.length === 0) return 0;
    place = here();
    for (const name of names) {
      const file = join(folder, name);
      const [mark = '', start, where] = name.split('.');
      const pid = Number(/^(\d+)-[0-9a-z]+-[0-9a-z]+$/.exec(mark)?.[1]);
      if (where === place && pid > 0) {
        // An ada inside the killed one is itself what was left; it does not end its own shell.
        const isInside = process.env.ADA_JOB?.includes(mark);
        if (!isInside && startOf(pid) !== start) dead.push({ file, mark: `${mark}.` });
      } else if (Date.now() - statSync(file).mtimeMs > FOREIGN_MS) rmSync(file, { force: true });
    }
  } catch {
    return 0;
  }
  if (dead.length === 0) return 0;
  const marks = dead.map(({ mark }) => mark);
  const found = new Set<number>();
  const left = await endProcesses(() => {
    const now = findProcesses({ marks });
    for (const { pid } of now) found.add(pid);
    return now;
  }, GRACE_MS);
  if (left.length === 0) for (const { file } of dead) forgetShells(file);
  return found.size - left.length;
}
