/** `ada replay FILE`: a stored session once more, with its recorded answers, on a copy of its project. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { readLog } from '../../core/parse-log.ts';
import { findProject, isTrusted, sessionsDir } from '../../core/project.ts';
import { type Comparison, compareRuns, type Difference, toldOtherwise } from '../../core/replay/compare.ts';
import { copyProject, removeCopy } from '../../core/replay/copy-project.ts';
import { recordedModel } from '../../core/replay/recorded-model.ts';
import { movedTo, type RecordedRun, recordedRun, turnsOf } from '../../core/replay/recorded-run.ts';
import { runAgain } from '../../core/replay/run-again.ts';
import { holdsLesson } from '../../core/taught-calls.ts';
import { coreTools } from '../../core/tools/index.ts';
import { compactSchemas, fullSchemas } from '../../core/tools/tool-schemas.ts';
import { compose } from '../compose.ts';
import { workingDirectory } from '../compose-options.ts';
import { findStored } from '../find-stored.ts';
import type { Parsed } from '../flags.ts';
import type { ChosenModel } from '../models-api.ts';
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
  const remove = () => removeCopy(scratch);
  process.once('exit', remove);
  const copy = join(scratch, 'project');
  notices.push(...(await copyProject(realpathSync(project), copy)).map((line) => `not copied: ${line}`));
  const moved = movedTo(recorded, copy);
  const model = recordedModel();
  const { session, permissions } = await compose({
    cwd: folderIn(moved),
    // Recorded answers need no room; those that made it then are not kept.
    env: { ...process.env, ADA_COMPACT_AT: '0' },
    answerer: { model: chosenIn(recorded), ask: model.ask },
    mode: moved.mode,
    headless: false,
    allow: [],
    deny: [],
    disallowedTools: missingTools(recorded),
    directories: [],
    offline: true,
    noSkills: false,
    trust: isTrusted(adaHome, project),
  });
  const where = { project: copy, id: session.id };
  const [first] = session.stored();
  if (first?.type === 'session') notices.push(...toldOtherwise(recorded, first, where));
  const interrupted = new AbortController();
  stop.onStop(() => interrupted.abort());
  try {
    const again = await runAgain(moved, { session, model, permissions, signal: interrupted.signal });
    if (stop.code !== undefined) return stop.code;
    const comparison = compareRuns(recorded, again, where);
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
  if (!file)
    throw new StartError(
      `${wanted}: no such file${wanted.includes('/') ? '' : ', and no session of this project (ada sessions list)'}`,
    );
  if (!statSync(file).isFile()) throw new StartError(`${wanted} is no file: a session is one, .ada/sessions/ID.jsonl`);
  const { events, problem } = readLog(file);
  const recorded = recordedRun(events);
  if (!recorded)
    throw new StartError(
      isRecording(file)
        ? `${wanted} is no session but a recorded model: ada --model replay:${wanted} asks it`
        : `${wanted} is no session: no line of it is a session event (ada sessions list names them)`,
    );
  if (turnsOf(recorded).length === 0) throw new StartError(`${wanted} holds no prompt: there is nothing to run again`);
  const left = recorded.left.map((line) => `not run again: ${line}`);
  return { recorded, notices: problem ? [problem, ...left] : left, file: realpathSync(file) };
}

/** Whether a file is what `ada sessions export --replay` writes. */
function isRecording(file: string): boolean {
  const [first = ''] = readFileSync(file, 'utf8').split('\n', 1);
  try {
    const line = JSON.parse(first) as Record<string, unknown> | null;
    return ['text', 'reasoning', 'toolCalls', 'finish', 'error', 'capabilities'].some(
      (name) => line?.[name] !== undefined,
    );
  } catch {
    return false;
  }
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

/** The model that the session began with, as far as that decides what it is told and offered. */
function chosenIn({ opening: { model, system, tools } }: RecordedRun): ChosenModel {
  const names = new Set(tools.map(({ name }) => name));
  const core = coreTools({ env: process.env }).filter(({ name }) => names.has(name));
  const distance = (schemas: readonly object[]) =>
    Math.abs(
      JSON.stringify(schemas).length -
        JSON.stringify(tools.filter(({ name }) => core.some((tool) => tool.name === name))).length,
    );
  return {
    id: model,
    local: true,
    contextTokens: null,
    parameters: { model },
    // Descriptions may be other ones by now: the nearer form is the one that it was.
    isSmall: distance(compactSchemas(core)) < distance(fullSchemas(core)),
    ...(holdsLesson(system) && { tools: false }),
  };
}

/** Tools that the session was not to have. */
function missingTools({ opening: { tools } }: RecordedRun): string[] {
  if (tools.length === 0) return [];
  return coreTools({ env: process.env }).flatMap(({ name }) =>
    tools.some((tool) => tool.name === name) ? [] : [name],
  );
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

function resultOf(recorded: RecordedRun, comparison: Comparison, notices: readonly string[]) {
  const { calls, heldBack, difference } = comparison;
  return {
    session: recorded.id,
    equal: !difference,
    prompts: turnsOf(recorded).length,
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
  if (difference) {
    complain(`ada: ${NEXT}`);
    return differenceText(difference);
  }
  const prompts = turnsOf(recorded).length;
  return `equal: ${prompts} prompt${prompts > 1 ? 's' : ''}, ${calls} call${calls === 1 ? '' : 's'}\n`;
}

const NEXT =
  '--json shows both sides whole; --project DIR runs the session on another state of the project (a work tree, say)';

const WHAT: Readonly<Record<Difference['what'], string>> = {
  result: 'another result',
  call: 'another call',
  approval: 'another answer to whether it may run',
  missing: 'a call that was not made again',
  added: 'a call that the recording has not',
  end: 'another end of the turn',
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
    `different: ${WHAT[what]}, ${turn === 0 ? 'before the first prompt' : `prompt ${turn}`} (${oneLine(prompt, 60)})${name && `, call ${call}`}`,
    ...(name ? [`${name} ${oneLine(JSON.stringify(input), 160)}`] : []),
    'recorded',
    side(was),
    'now',
    side(is),
    '',
  ].join('\n');
}
