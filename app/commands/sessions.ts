/** `ada sessions`: the stored conversations of this project. */
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import { readLog } from '../../core/parse-log.ts';
import { findProject, type SessionsPlace, sessionsDir } from '../../core/project.ts';
import { withoutRewound } from '../../core/rewound.ts';
import { costOf } from '../../core/served.ts';
import { folderProblem, listSessions, type SessionSummary } from '../../core/session-list.ts';
import type { StoredEvent } from '../../core/types.ts';
import { visibleControls } from '../../core/visible-controls.ts';
import { workingDirectory } from '../compose-options.ts';
import type { Flags, Parsed } from '../flags.ts';
import { localMinute } from '../local-minute.ts';
import { complain, openStandardOutput } from '../output.ts';
import { oneLine, plainText } from '../plain-text.ts';
import { StartError } from '../start-error.ts';

export async function run({ flags, rest }: Parsed): Promise<number> {
  const [action = 'list', id, ...more] = rest;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action as keyof typeof ACTIONS] : undefined;
  if (!act) throw new StartError(`unknown action ${action}; ada sessions knows ${Object.keys(ACTIONS).join(', ')}`);
  if (more.length) throw new StartError(`ada sessions ${action}: too many arguments`);
  if (action !== 'export' && (flags.format || flags.replay || flags.output))
    throw new StartError(`ada sessions ${action} writes no file; export does`);
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
  const code = await act({ flags, id, cwd, project, place, sessions, write: (text) => output.write(text) });
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
  write(text: string): void;
}

/** Each gives the exit code. */
const ACTIONS = { list, show, fork, delete: remove, export: exportOne } as const satisfies Record<
  string,
  (job: Job) => number | Promise<number>
>;

function list({ flags, id, project, sessions, write }: Job): number {
  if (id !== undefined) throw new StartError('ada sessions list takes no argument');
  write(flags.json ? `${JSON.stringify({ sessions, costs: costsByDay(sessions) })}\n` : listText(sessions, project));
  return 0;
}

function show(job: Job): number {
  const events = eventsOf(choose(job));
  if (job.flags.json) {
    job.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    return 0;
  }
  const cost = events.reduce((sum, event) => sum + costOf(event), 0);
  job.write(transcript(events) + (cost > 0 ? `\n[cost: $${Number(cost.toFixed(6))}]\n` : ''));
  return 0;
}

async function fork(job: Job): Promise<number> {
  const from = choose(job);
  const { startNew } = await import('../session-file.ts');
  const notices: string[] = [];
  const { log } = startNew(from.file, job.place.prepare(), {}, notices);
  log.close();
  if (log.failure) throw new StartError(`no copy of ${from.id} can be kept: ${log.failure}`);
  for (const notice of notices) complain(`ada: ${notice}`);
  job.write(`${log.id}\n`);
  complain(`ada: a copy of ${from.id}; ada -r ${log.id} goes on with it`);
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
  return 0;
}

async function exportOne(job: Job): Promise<number> {
  const { flags, cwd } = job;
  if (flags.replay && flags.format && flags.format !== 'replay')
    throw new StartError(`--replay contradicts --format ${flags.format}`);
  const { exportSession, formatOfFile } = await import('../../core/export/export-session.ts');
  const file = flags.output === undefined ? undefined : resolve(cwd, flags.output);
  const named = file === undefined ? undefined : formatOfFile(file);
  const format = flags.format ?? (flags.replay ? 'replay' : flags.json ? 'json' : (named ?? 'markdown'));
  const text = exportSession(eventsOf(choose(job)), format, plainText);
  if (file === undefined) {
    job.write(text);
    return 0;
  }
  // A log is written by its session alone.
  const isLog = file.endsWith('.jsonl') && job.place.dirs.some((dir) => file.startsWith(`${dir}/`));
  if (isLog) throw new StartError(`${file} is a session; name another file`);
  try {
    // What is there already is somebody's.
    writeFileSync(file, text, { mode: 0o600, flag: flags.yes ? 'w' : 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new StartError(`${file} exists; name another file, or --yes replaces it`);
    throw new StartError(`${file} cannot be written: ${(error as Error).message}`);
  }
  complain(`ada: wrote ${file}`);
  return 0;
}

function eventsOf({ id, file }: SessionSummary): readonly StoredEvent[] {
  let read: ReturnType<typeof readLog>;
  try {
    read = readLog(file);
  } catch (error) {
    throw new StartError(`session ${id} cannot be read: ${(error as Error).message}`);
  }
  const { events, problem } = read;
  if (problem) complain(`ada: ${file}: ${problem}`);
  return events;
}

function costsByDay(sessions: readonly SessionSummary[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { costs = {} } of sessions)
    for (const [day, cost] of Object.entries(costs)) sums[day] = Number(((sums[day] ?? 0) + cost).toFixed(8));
  return sums;
}

function listText(sessions: readonly SessionSummary[], project: string): string {
  if (sessions.length === 0) return `no sessions in ${project} yet\n`;
  let text = '';
  for (const { id, title, mtime } of sessions) text += `${id}  ${localMinute(mtime)}  ${shownTitle(title)}\n`;
  return text;
}

const TITLE_WIDTH = 80;
/** Most titles can be shown as they are. */
const SIMPLE = /^[!-~]+(?: [!-~]+)*$/;

const shownTitle = (title: string): string =>
  title.length <= TITLE_WIDTH && SIMPLE.test(title) ? title : oneLine(title, TITLE_WIDTH);

/** The session with this id or title, or the only one whose id or title begins so; the newest without a word. */
function choose({ sessions, id, project }: Job): SessionSummary {
  if (id === undefined) {
    if (!sessions[0]) throw new StartError(`no sessions in ${project} yet`);
    return sessions[0];
  }
  const exact = sessions.find((session) => session.id === id);
  if (exact) return exact;
  const word = id.trim().toLowerCase();
  const titled = (test: (title: string) => boolean) => sessions.filter(({ title }) => test(title.toLowerCase()));
  for (const found of [
    sessions.filter((session) => session.id.startsWith(id)),
    titled((title) => title === word),
    titled((title) => title.startsWith(word)),
  ]) {
    if (found.length === 1) return found[0]!;
    if (found.length > 1) throw new StartError(`${found.length} sessions begin with ${id}`);
  }
  throw new StartError(`no session ${id} in ${project}`);
}

/** The conversation as plain text: prompts, answers, and a line for each tool call. */
export function transcript(events: readonly StoredEvent[]): string {
  let text = '';
  for (const event of withoutRewound(events)) {
    switch (event.type) {
      case 'user':
        text += `> ${plainText(event.text).trim().replace(/\n/g, '\n> ')}\n\n`;
        break;
      case 'assistant':
        for (const part of event.content) {
          if (part.type === 'text' && part.text.trim()) text += `${plainText(part.text).trim()}\n\n`;
        }
        break;
      case 'tool_call':
        text += `[${oneLine(visibleControls(`${event.name} ${event.detail}`))}]\n\n`;
        break;
      case 'tool_result':
        if (event.isError) text += `[${event.name} failed: ${oneLine(event.output)}]\n\n`;
        break;
      case 'error':
        text += `[the turn failed: ${oneLine(event.message, 500)}]\n\n`;
        break;
      case 'done':
        if (event.finish !== 'stop' && event.finish !== 'error') text += `[ended: ${event.finish}]\n\n`;
        break;
    }
  }
  return text.trimEnd() === '' ? 'nothing was said\n' : `${text.trimEnd()}\n`;
}
