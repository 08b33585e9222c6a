/** `ada replay FILE`: a stored session once more, with its recorded answers, on a copy of its project. */
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { readLog } from '../../core/parse-log.ts';
import { findProject, isTrusted, sessionsDir } from '../../core/project.ts';
import { type Comparison, compareRuns, type Difference } from '../../core/replay/compare.ts';
import { copyProject } from '../../core/replay/copy-project.ts';
import { movedTo, type RecordedRun, recordedRun, recordingOf } from '../../core/replay/recorded-run.ts';
import { runAgain } from '../../core/replay/run-again.ts';
import { compose } from '../compose.ts';
import { workingDirectory } from '../compose-options.ts';
import { findStored } from '../find-stored.ts';
import type { Parsed } from '../flags.ts';
import { complain, openStandardOutput } from '../output.ts';
import { oneLine, plainText } from '../plain-text.ts';
import { takeSignals, within } from '../signals.ts';
import { StartError } from '../start-error.ts';

const CLOSE_MS = 1500;
/** Lines of each side around the first one that differs. */
const SHOWN_LINES = 6;

export async function run({ flags, rest }: Parsed): Promise<number> {
  const [wanted, ...more] = rest;
  if (wanted === undefined) throw new StartError('ada replay needs a session: ada replay FILE');
  if (more.length) throw new StartError('ada replay takes one session');
  const stop = takeSignals();
  const cwd = workingDirectory(flags);
  const home = process.env.HOME || homedir();
  const adaHome = process.env.ADA_HOME || join(home, '.ada');
  const { recorded, notices, file } = read(wanted, { cwd, home, adaHome });
  const atHand = findProject(cwd, home);
  const lies = projectOf(file, atHand, { home, adaHome });
  const project = flags.project === undefined ? (lies ?? recorded.project) : resolve(cwd, flags.project);
  if (!isFolder(project))
    throw new StartError(`${project}: no such directory${flags.project ? '' : ' (--project DIR names another)'}`);
  // What a log says is run: somebody else's is as good as somebody else's program.
  const folders = [flags.project === undefined ? recorded.project : project, atHand].flatMap(
    (at) => sessionsDir({ project: at, home, adaHome }).dirs,
  );
  if (!flags.trust && !folders.some((folder) => dirname(file) === real(folder)))
    throw new StartError(`${wanted} is not among the sessions of this project; --trust runs what it says`);

  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'ada-replay-')));
  // Whatever ends the process, the copy goes with it.
  const remove = () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  const copy = join(scratch, 'project');
  notices.push(...(await copyProject(realpathSync(project), copy)).map((line) => `not copied: ${line}`));
  const moved = movedTo(recorded, copy);
  const recording = join(scratch, 'recording.jsonl');
  writeFileSync(recording, recordingOf(moved), { mode: 0o600 });
  const { session } = await compose({
    cwd: folderIn(moved),
    // Compaction would take an answer that is meant for a prompt.
    env: { ...process.env, ADA_COMPACT_AT: '0' },
    model: `replay:${recording}`,
    mode: moved.turns[0]?.mode,
    headless: false,
    allow: [],
    deny: [],
    directories: [],
    offline: true,
    noSkills: false,
    trust: isTrusted(adaHome, project),
  });
  const interrupted = new AbortController();
  stop.onStop(() => interrupted.abort());
  try {
    const again = await runAgain(moved, session, interrupted.signal);
    if (stop.code !== undefined) return stop.code;
    const comparison = compareRuns(recorded, again, { project: copy, id: session.id });
    const output = openStandardOutput();
    output.write(
      flags.json ? `${JSON.stringify(resultOf(recorded, comparison, notices))}\n` : text(recorded, comparison, notices),
    );
    await output.flush();
    return comparison.difference ? 1 : 0;
  } finally {
    await within(CLOSE_MS, session.close());
    remove();
  }
}

/** The session that a path, or else an id of this project, means. */
function read(
  wanted: string,
  place: { cwd: string; home: string; adaHome: string },
): { recorded: RecordedRun; notices: string[]; file: string } {
  const { cwd, home, adaHome } = place;
  const path = resolve(cwd, wanted);
  const file = existsSync(path)
    ? path
    : wanted.includes('/') || wanted.endsWith('.jsonl')
      ? undefined
      : findStored(wanted, sessionsDir({ project: findProject(cwd, home), home, adaHome }).dirs);
  if (!file) throw new StartError(`${wanted}: no such file`);
  if (!statSync(file).isFile()) throw new StartError(`${wanted} is no file`);
  const { events, problem } = readLog(file);
  const recorded = recordedRun(events);
  if (!recorded) throw new StartError(`${wanted} is no session: no line of it is a session event`);
  if (recorded.turns.length === 0) throw new StartError(`${wanted} holds no answer of a model`);
  const left = recorded.left.map((line) => `not run again: ${line}`);
  return { recorded, notices: problem ? [problem, ...left] : left, file: realpathSync(file) };
}

/** The project whose session it is: the one in which its log lies, or the one at hand where $ADA_HOME keeps it for that. */
function projectOf(file: string, atHand: string, place: { home: string; adaHome: string }): string | undefined {
  const folder = dirname(file);
  if (sessionsDir({ project: atHand, ...place }).dirs.some((dir) => real(dir) === folder)) return atHand;
  return folder.endsWith(join('/.ada', 'sessions')) ? dirname(dirname(folder)) : undefined;
}

/** The folder of the copy that the session began in, or the copy where that is gone. */
function folderIn({ project, cwd }: RecordedRun): string {
  return !relative(project, cwd).startsWith('..') && isFolder(cwd) ? cwd : project;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function resultOf({ id, turns }: RecordedRun, comparison: Comparison, notices: readonly string[]) {
  const { calls, heldBack, difference } = comparison;
  return {
    session: id,
    equal: !difference,
    prompts: turns.length,
    calls,
    heldBack,
    difference: difference ?? null,
    notices,
  };
}

function text(recorded: RecordedRun, { calls, heldBack, difference }: Comparison, notices: readonly string[]): string {
  for (const notice of notices) complain(`ada: ${oneLine(notice, 300)}`);
  if (heldBack) {
    const calls = `${heldBack} call${heldBack > 1 ? 's that reach' : ' that reaches'}`;
    complain(`ada: ${calls} out of the copy, or could destroy something, not run again`);
  }
  if (difference) return differenceText(difference);
  const prompts = recorded.turns.length;
  return `equal: ${prompts} prompt${prompts > 1 ? 's' : ''}, ${calls} call${calls === 1 ? '' : 's'}\n`;
}

const WHAT: Readonly<Record<Difference['what'], string>> = {
  result: 'another result',
  call: 'another call',
  approval: 'another answer to whether it may run',
  missing: 'a call that was not made again',
  added: 'a call that the recording has not',
};

function differenceText({ turn, call, what, prompt, name, input, recorded, now }: Difference): string {
  const [was, is] = [plainText(recorded).split('\n'), plainText(now).split('\n')];
  let at = was.findIndex((line, i) => line !== is[i]);
  if (at < 0) at = was.length;
  const from = Math.max(0, at - 2);
  const side = (lines: readonly string[]) => {
    const shown = lines.slice(from, from + SHOWN_LINES).map((line) => `  | ${oneLine(line, 200)}`);
    if (from > 0) shown.unshift(`  | … ${from} equal lines`);
    if (lines.length > from + SHOWN_LINES) shown.push(`  | … ${lines.length - from - SHOWN_LINES} more lines`);
    return shown.join('\n');
  };
  return [
    `different: ${WHAT[what]}, prompt ${turn} (${oneLine(prompt, 60)}), call ${call}`,
    `${name} ${oneLine(JSON.stringify(input), 160)}`,
    'recorded',
    side(was),
    'now',
    side(is),
    '',
  ].join('\n');
}
