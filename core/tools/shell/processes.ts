/**
 * Finds and ends what a shell started, also what left its process group. On Linux by group, session, parentage, a mark
 * in the environment (`ADA_JOB`) and a number among the limits; elsewhere by group alone. What has changed all of these,
 * or was started by another program at its request (a service, a container), is not found.
 */
import { execFileSync } from 'node:child_process';
import { openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { cutBefore } from '../../redact-cut.ts';
import { numbersOf } from './mark-number.ts';

export interface FoundProcess {
  pid: number;
  command: string;
}

const LINUX = process.platform === 'linux';

/** True while a process of the group lives. */
export function groupLives(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Kept open, since it is read after every command: one system call in place of five. */
let load: number | undefined;
const loadLine = Buffer.alloc(128);

/** The number of the newest process of this machine or container, dead or alive; NaN where it is not known. */
function newestPid(): number {
  if (!LINUX) return Number.NaN;
  try {
    load ??= openSync('/proc/loadavg', 'r');
    const length = readSync(load, loadLine, 0, loadLine.length, 0);
    return Number(loadLine.toString('latin1', 0, length).trim().split(' ').at(-1));
  } catch {
    return Number.NaN;
  }
}

/** True when no process at all was started since `pid`: then it left nothing behind. Costs one small read. */
export const nothingStartedSince = (pid: number): boolean => newestPid() === pid;

/** Which processes are wanted. Off Linux only the groups of `shells` can be found. */
export interface ProcessQuery {
  /** Texts one of which stands in the environment of what is wanted. */
  marks: readonly string[];
  /** Processes whose group, session and descendants are wanted too. */
  shells?: readonly number[];
  /** Sessions that are wanted, but for what carries `foreign` without carrying a mark. */
  sessions?: readonly number[];
  foreign?: string;
  /** Only processes numbered from there on are looked at, where numbers have not started over. */
  since?: number;
}

/** The live processes that a query means, lowest number first. */
export function findProcesses({ marks, shells = [], sessions = [], foreign, since = 0 }: ProcessQuery): FoundProcess[] {
  if (!LINUX) return shells.flatMap(groupByPs);
  let pids: number[];
  try {
    pids = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
  // Numbers that have started over since then say nothing.
  const from = since > 0 && newestPid() >= since ? since : 0;
  const found: FoundProcess[] = [];
  const family = new Set(shells);
  const numbers = marks.map(numbersOf);
  const others = foreign === undefined ? undefined : numbersOf(foreign);
  for (const pid of pids.sort((a, b) => a - b)) {
    if (pid === process.pid || pid < from) continue;
    const stat = statOf(pid);
    if (!stat || stat.state === 'Z') continue;
    let wanted = family.has(stat.parent) || shells.includes(stat.group) || shells.includes(stat.session);
    if (!wanted) {
      const environment = environmentOf(pid);
      wanted = marks.some((mark) => environment.includes(mark));
      const number = wanted ? Number.NaN : numberOf(pid);
      wanted ||= numbers.some(({ from, to }) => number >= from && number < to);
      if (!wanted && sessions.includes(stat.session) && pid !== stat.session) {
        const isForeign = others !== undefined && number >= others.from && number < others.to;
        wanted = foreign === undefined || !(isForeign || environment.includes(foreign));
      }
    }
    if (!wanted) continue;
    family.add(pid);
    found.push({ pid, command: commandOf(pid) });
  }
  return found;
}

/**
 * Ends all that `find` gives: SIGTERM, after `graceMs` SIGKILL, again until none is left. Returns what would not die.
 */
export async function endProcesses(find: () => FoundProcess[], graceMs: number): Promise<FoundProcess[]> {
  let left = find();
  signalAll(left, 'SIGTERM');
  const patience = Date.now() + graceMs;
  for (let pause = 5; left.length > 0 && Date.now() < patience; pause = Math.min(50, pause * 2)) {
    await delay(pause);
    left = find();
  }
  for (let round = 0; left.length > 0 && round < 12; round++) {
    signalAll(left, 'SIGKILL');
    await delay(round < 4 ? 10 : 50);
    left = find();
  }
  return left;
}

export const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function signalAll(processes: readonly FoundProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
      // A stopped process must run to be ended by SIGTERM.
      if (signal === 'SIGTERM') process.kill(pid, 'SIGCONT');
    } catch {
      // Gone already.
    }
  }
}

interface Stat {
  state: string;
  parent: number;
  group: number;
  session: number;
  start: string;
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may itself hold spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, session] = fields;
    return {
      state: state!,
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      start: fields[19]!,
    };
  } catch {
    return undefined;
  }
}

/** When a live process started, in clock ticks since the machine did: with it, a number means one process only. */
export function startOf(pid: number): string | undefined {
  const stat = statOf(pid);
  return stat && stat.state !== 'Z' ? stat.start : undefined;
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

/** The limit that a shell was given as its number; NaN where it has none. */
function numberOf(pid: number): number {
  try {
    return Number(/^Max file locks +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'latin1'))?.[1]);
  } catch {
    return Number.NaN;
  }
}

function commandOf(pid: number): string {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return words.length > 80 ? `${words.slice(0, cutBefore(words, 80))}…` : words;
  } catch {
    return '';
  }
}

function groupByPs(group: number): FoundProcess[] {
  if (!groupLives(group)) return [];
  try {
    const rows = execFileSync('ps', ['-axo', 'pid=,pgid=,state=,command='], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return rows.split('\n').flatMap((row) => {
      const [, pid, of, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row) ?? [];
      return Number(of) === group && !state!.startsWith('Z')
        ? [{ pid: Number(pid), command: command!.slice(0, cutBefore(command!, 80)) }]
        : [];
    });
  } catch {
    return [{ pid: group, command: '' }];
  }
}
