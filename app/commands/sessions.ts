/** `ada sessions`: the stored conversations of this project. */
import { closeSync, existsSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import { eventsIn } from '../../core/log-events.ts';
import { newerFormatOf } from '../../core/log-version.ts';
import { findProject, type SessionsPlace, sessionsDir } from '../../core/project.ts';
import { folderProblem, listSessions, type SessionSummary } from '../../core/session-list.ts';
import type { Found } from '../../core/session-search.ts';
import type { StoredEvent } from '../../core/types.ts';
import { workingDirectory } from '../compose-options.ts';
import { findStored } from '../find-stored.ts';
import type { Flags, Parsed } from '../flags.ts';
import { localMinute } from '../local-minute.ts';
import { complain, type Output, openStandardOutput } from '../output.ts';
import { oneLine, plainText } from '../plain-text.ts';
import { StartError } from '../start-error.ts';

export async function run({ flags, rest }: Parsed): Promise<number> {
  const [action = 'list', id, ...more] = rest;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action as keyof typeof ACTIONS] : undefined;
  if (!act) throw new StartError(`unknown action ${action}; ada sessions knows ${Object.keys(ACTIONS).join(', ')}`);
  if (more.length) throw new StartError(`ada sessions ${action}: too many arguments`);
  if (action !== 'export' && (flags.format || flags.replay || flags.output))
    throw new StartError(`ada sessions ${action} writes no file; export does`);
  if (action !== 'list' && flags.search !== undefined)
    throw new StartError(`ada sessions ${action} takes no --search; list does`);
  // Thousands of rows, each once: compiling the loops for speed would cost a fifth of the whole run.
  if (action === 'list') setFlagsFromString('--no-opt');
  const home = process.env.HOME || homedir();
  const adaHome = process.env.ADA_HOME || join(home, '.ada');
  const cwd = workingDirectory(flags);
  const project = findProject(cwd, home);
  const place = sessionsDir({ project, home, adaHome });
  const sessions = place.dirs.flatMap(listSessions).sort((a, b) => b.mtime - a.mtime);
  for (const dir of place.dirs) {
    const problem = folderProblem(dir);
    if (problem) complain(`ada: ${problem}`);
  }
  const output = openStandardOutput();
  const code = await act({ flags, id, cwd, project, place, sessions, output });
  await output.flush();
  return code;
}

interface Job {
  flags: Flags;
  id: string | undefined;
  cwd: string;
  project: string;
  place: SessionsPlace;
  /** Newest first. */
  sessions: readonly SessionSummary[];
  output: Output;
}

/** Each gives the exit code. */
const ACTIONS = { list, show, fork, delete: remove, export: exportOne } as const satisfies Record<
  string,
  (job: Job) => number | Promise<number>
>;

async function list({ flags, id, project, sessions, output }: Job): Promise<number> {
  if (id !== undefined)
    throw new StartError('ada sessions list takes no argument (--search TEXT lists those that hold a text)');
  if (flags.search === undefined) {
    const rows = { sessions, costs: costsByDay(sessions) };
    output.write(flags.json ? `${JSON.stringify(rows)}\n` : listText(sessions, project));
    return 0;
  }
  const { searchSessions } = await import('../../core/session-search.ts');
  const found = searchSessions(sessions, flags.search, sessions.length);
  const held = found.map(({ session, ...hit }) => ({ ...session, found: hit }));
  if (flags.json) output.write(`${JSON.stringify({ sessions: held, costs: costsByDay(held) })}\n`);
  else if (held.length > 0) output.write(listText(held, project, sessions));
  else complain(`ada: no session holds “${oneLine(flags.search, 60)}”`);
  return 0;
}

async function show(job: Job): Promise<number> {
  const events = eventsOf(choose(job));
  if (job.flags.json) await writeAll(job.output, lines(events));
  else await writeAll(job.output, (await import('../transcript.ts')).transcript(events));
  return 0;
}

function* lines(events: Iterable<StoredEvent>): Generator<string> {
  for (const event of events) yield `${JSON.stringify(event)}\n`;
}

async function fork(job: Job): Promise<number> {
  const from = choose(job);
  const { forkStored } = await import('../session-file.ts');
  const notices: string[] = [];
  const id = forkStored(from.file, job.place.prepare(), notices);
  for (const notice of notices) complain(`ada: ${notice}`);
  job.output.write(job.flags.json ? `${JSON.stringify({ session: id, parent: from.id })}\n` : `${id}\n`);
  complain(`ada: a copy of ${from.id}; ada -r ${id} goes on with it`);
  return 0;
}

async function remove(job: Job): Promise<number> {
  if (job.id === undefined) throw new StartError('ada sessions delete needs an id (ada sessions lists them)');
  const session = choose(job);
  const what = `${session.id}  ${localMinute(session.mtime)}  ${shownTitle(session.title)}`;
  if (!job.flags.yes) {
    if (!isatty(0) || !isatty(2)) throw new StartError(`delete ${session.id}? --yes deletes it without asking`);
    const { createInterface } = await import('node:readline/promises');
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await lines.question(`${what}\nDelete this session for ever? [y/N] `).finally(() => lines.close());
    if (!/^\s*y(es)?\s*$/i.test(answer)) {
      complain('ada: nothing was deleted');
      return 1;
    }
  }
  const { removeSession } = await import('../../core/session-removal.ts');
  let result: ReturnType<typeof removeSession>;
  try {
    // State that is not there needs no folder made for its lock.
    result = removeSession(session, job.place.stateDirs.filter(existsSync));
  } catch (error) {
    throw new StartError(`session ${session.id} cannot be deleted: ${(error as Error).message}`);
  }
  if ('held' in result)
    throw new StartError(`session ${session.id} is open in process ${result.held}; it was not deleted`);
  complain(`ada: deleted ${what}`);
  for (const line of result.left) complain(`ada: left behind: ${line}`);
  if (job.flags.json) job.output.write(`${JSON.stringify({ session: session.id, deleted: true })}\n`);
  return 0;
}

async function exportOne(job: Job): Promise<number> {
  const { flags, cwd } = job;
  if (flags.replay && flags.format && flags.format !== 'replay')
    throw new StartError(`--replay contradicts --format ${flags.format}`);
  const { exported, formatOfFile } = await import('../../core/export/export-session.ts');
  const file = flags.output === undefined || flags.output === '-' ? undefined : resolve(cwd, flags.output);
  const named = file === undefined ? undefined : formatOfFile(file);
  const format = flags.format ?? (flags.replay ? 'replay' : flags.json ? 'json' : (named ?? 'markdown'));
  const pieces = exported(eventsOf(choose(job)), format, plainText);
  if (file === undefined) {
    await writeAll(job.output, pieces);
    return 0;
  }
  // A log is written by its session alone.
  const folder = realFolder(dirname(file));
  const isLog = file.endsWith('.jsonl') && job.place.dirs.some((dir) => realFolder(dir) === folder);
  if (isLog) throw new StartError(`${file} is a session; name another file`);
  writeFile(file, pieces, flags.yes ?? false);
  complain(`ada: wrote ${file}`);
  return 0;
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What is there already is somebody's. */
function writeFile(file: string, pieces: Iterable<string>, replaces: boolean): void {
  try {
    const fd = openSync(file, replaces ? 'w' : 'wx', 0o600);
    try {
      for (const text of gathered(pieces)) writeFileSync(fd, text);
    } catch (error) {
      // Half an export passes for a whole one.
      if (!replaces) rmSync(file, { force: true });
      throw error;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new StartError(`${file} exists; name another file, or --yes replaces it`);
    throw new StartError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

/** Waits for a reader that is slower, so that what it did not read yet is not held. */
async function writeAll(output: Output, pieces: Iterable<string>): Promise<void> {
  for (const text of gathered(pieces)) {
    output.write(text);
    await output.flush();
    if (output.closed) return;
  }
}

const FULL = 1 << 18;

/** The same text in larger pieces. */
function* gathered(pieces: Iterable<string>): Generator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < FULL) continue;
    yield text;
    text = '';
  }
  if (text) yield text;
}

function eventsOf({ id, file }: SessionSummary): Iterable<StoredEvent> {
  let read: ReturnType<typeof eventsIn>;
  try {
    read = eventsIn(file);
  } catch (error) {
    throw new StartError(`session ${id} cannot be read: ${(error as Error).message}`);
  }
  const newer = newerFormatOf(file);
  if (newer) complain(`ada: ${id} ${newer}; what this one does not know of it is left out`);
  if (read.problem) complain(`ada: ${file}: ${read.problem}`);
  return read.events;
}

function costsByDay(sessions: readonly SessionSummary[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { costs = {} } of sessions)
    for (const [day, cost] of Object.entries(costs)) sums[day] = Number(((sums[day] ?? 0) + cost).toFixed(8));
  return sums;
}

/** `all`: where the titles of those that they are copies of are looked for. */
export function listText(
  sessions: readonly (SessionSummary & { found?: Omit<Found, 'session'> })[],
  project: string,
  all: readonly SessionSummary[] = sessions,
): string {
  if (sessions.length === 0) return `no sessions in ${project} yet\n`;
  // Thousands of rows, by code that nobody compiles for speed: see `ada sessions list`.
  const costs: string[] = [];
  let width = 0;
  const titles = new Map<string, string>();
  for (const { costs: known, parent } of sessions) {
    const cost = known ? costText(known) : '';
    if (cost.length > width) width = cost.length;
    costs.push(cost);
    if (parent) titles.set(parent, '');
  }
  if (titles.size > 0) for (const { id, title } of all) if (titles.has(id)) titles.set(id, title);
  let text = '';
  let at = 0;
  for (const { id, title, mtime, parent, found } of sessions) {
    const cost = costs[at++]!;
    text += `${id}  ${localMinute(mtime)}  `;
    if (width > 0) text += `${cost.padStart(width)}  `;
    text += shownTitle(title);
    if (parent) text += copyText(parent, titles.get(parent)!, title);
    text += found ? `\n    ${foundText(found)}\n` : '\n';
  }
  return text;
}

/** `origin`: title of what it is a copy of; empty where that is gone. Nearly always both are called the same. */
const copyText = (parent: string, origin: string, title: string): string =>
  `  (copy of ${origin === '' || origin === title ? '' : `“${shownTitle(origin, 30)}” `}${shownTitle(parent)})`;

function costText(costs: Readonly<Record<string, number>>): string {
  let sum = 0;
  for (const day in costs) sum += costs[day]!;
  return `$${sum.toFixed(sum > 0 && sum < 0.1 ? 4 : 2)}`;
}

const foundText = ({ count, who, around, isGone }: Omit<Found, 'session'>): string =>
  `${count === 1 ? '' : `${count}×  `}${isGone ? 'gone back over  ' : ''}${who}: ${oneLine(around, 120)}`;

const TITLE_WIDTH = 80;
/** Most titles can be shown as they are. */
const SIMPLE = /^[!-~]+(?: [!-~]+)*$/;

const shownTitle = (title: string, width = TITLE_WIDTH): string =>
  title.length <= width && SIMPLE.test(title) ? title : oneLine(title, width);

/** The session that a person means (`findSession`); the newest without a word. */
function choose({ sessions, id = 'latest', place, project }: Job): SessionSummary {
  const file = findStored(id, place.dirs, sessions);
  const found = sessions.find((session) => session.file === file);
  if (!found) throw new StartError(`no sessions in ${project} yet`);
  return found;
}
