/** Finds where a session that was run again differs from its recording. Pure. */
import type { EventOf } from '../types.ts';
import { beginningOf } from '../well-formed.ts';
import { inFolder, type RecordedRun } from './recorded-run.ts';
import type { RecordedTurn, RunCall } from './recorded-steps.ts';
import type { RerunStep } from './run-again.ts';

export interface Difference {
  /** The prompt, counted from 1; 0 before the first. */
  turn: number;
  /** Of the turn, counted from 1. Of its end: behind the last one. */
  call: number;
  what: 'result' | 'call' | 'approval' | 'missing' | 'added' | 'end';
  /** Of a command of the person: that, behind a `!`. */
  prompt: string;
  /** Of the call; the end of a turn has none. */
  name: string;
  input: Record<string, unknown>;
  /** What each side has there, as it was compared. */
  recorded: string;
  now: string;
}

export interface Comparison {
  calls: number;
  /** Calls that were not run again because they reach out of the copy or destroy something. */
  heldBack: number;
  difference?: Difference;
}

/** Where the second run was: its texts are read as if it had been the first. */
export interface Whereabouts {
  project: string;
  id: string;
}

export function compareRuns(recorded: RecordedRun, again: readonly RerunStep[], now: Whereabouts): Comparison {
  const before = (text: string) => settled(text);
  const after = (text: string) =>
    settled(inFolder(text, now.project, recorded.project).replaceAll(now.id, recorded.id));
  let calls = 0;
  let heldBack = 0;
  let prompts = 0;
  for (const [s, step] of recorded.steps.entries()) {
    const rerun = again[s] ?? { calls: [], left: 0, isShort: false };
    if (step.kind === 'rewind') continue;
    if (step.kind === 'prompt') prompts++;
    const prompt = step.kind === 'prompt' ? step.prompt : `!${step.command}`;
    const then = step.kind === 'prompt' ? step.calls : [step.call];
    for (let c = 0; c < Math.max(then.length, rerun.calls.length); c++) {
      const [was, is] = [then[c], rerun.calls[c]];
      const at = { turn: prompts, call: c + 1, prompt };
      if (!was || !is) {
        const { name, input } = (was ?? is)!;
        const none = rerun.finish && !is ? `(no such call: ${endOf(rerun)})` : '(no such call)';
        const side = (call: RunCall | undefined) => (call ? call.output : none);
        const what = was ? 'missing' : 'added';
        return { calls, heldBack, difference: { ...at, what, name, input, recorded: side(was), now: side(is) } };
      }
      calls++;
      const { name, input } = was;
      const differs = (what: Difference['what'], recordedSide: string, nowSide: string): Comparison => ({
        calls,
        heldBack,
        difference: { ...at, what, name, input, recorded: recordedSide, now: nowSide },
      });
      const called = [before(shown(was)), after(shown(is))] as const;
      if (called[0] !== called[1]) return differs('call', ...called);
      if (is.heldBack) {
        heldBack++;
        continue;
      }
      // How a refusal is worded depends on who refused.
      if (was.denied && is.denied) continue;
      const results = [before(result(was)), after(result(is))] as const;
      if (results[0] !== results[1]) return differs(was.denied === is.denied ? 'result' : 'approval', ...results);
    }
    const ends = step.kind === 'prompt' ? endsOf(step, rerun) : undefined;
    if (ends) {
      const at = { turn: prompts, call: then.length + 1, what: 'end' as const, prompt, name: '', input: {} };
      return { calls, heldBack, difference: { ...at, ...ends } };
    }
  }
  return { calls, heldBack };
}

/** How the turn ended on both sides, where that differs. */
function endsOf(turn: RecordedTurn, rerun: RerunStep): Pick<Difference, 'recorded' | 'now'> | undefined {
  // How a turn that was cut off would have gone on, nobody knows.
  const { finish } = turn;
  if ((finish === 'cut' || finish === rerun.finish) && rerun.left === 0 && !rerun.isShort) return undefined;
  const answers = turn.answers.length;
  const asked = (count: number) => `after ${count} answer${count === 1 ? '' : 's'} of the model`;
  return {
    recorded: `the turn ended (${finish === 'cut' ? 'it was cut off' : finish}) ${asked(answers)}`,
    now: rerun.isShort
      ? `the turn went on ${asked(answers)}: it asked for one more`
      : `${endOf(rerun)}, ${asked(answers - rerun.left)}`,
  };
}

const endOf = ({ finish, why }: RerunStep): string => `the turn ended (${finish}${why ? `: ${why}` : ''})`;

/** What the model is told first that is not as it was then, one line each. The recorded answers were given to that. */
export function toldOtherwise(
  { opening, project, id }: RecordedRun,
  is: Pick<EventOf<'session'>, 'system' | 'tools'>,
  now: Whereabouts,
): string[] {
  const news: string[] = [];
  const was = settled(opening.system).split('\n');
  const told = settled(inFolder(is.system, now.project, project).replaceAll(now.id, id)).split('\n');
  const at = was.findIndex((line, i) => line !== told[i]);
  if (opening.system !== '' && (at >= 0 || told.length > was.length)) {
    const line = at < 0 ? was.length : at;
    const side = (lines: readonly string[]) => (line < lines.length ? `“${beginningOf(lines[line]!, 60)}”` : 'nothing');
    news.push(
      `the system prompt is another one (AGENTS.md belongs to it), from line ${line + 1}: then ${side(was)}, now ${side(told)}`,
    );
  }
  const names = (tools: typeof is.tools) => tools.map(({ name }) => name);
  const gone = names(opening.tools).filter((name) => !names(is.tools).includes(name));
  const added = opening.tools.length ? names(is.tools).filter((name) => !names(opening.tools).includes(name)) : [];
  const changed = is.tools.filter((tool) =>
    opening.tools.some(
      ({ name, ...then }) => name === tool.name && JSON.stringify({ name, ...then }) !== JSON.stringify(tool),
    ),
  );
  if (gone.length) news.push(`tools that are gone: ${gone.join(', ')}`);
  if (added.length) news.push(`tools that are new: ${added.join(', ')}`);
  if (changed.length) news.push(`tools that are described otherwise: ${names(changed).join(', ')}`);
  return news;
}

const shown = ({ name, input }: RunCall): string => `${name} ${JSON.stringify(input)}`;
const result = ({ output, isError }: RunCall): string => (isError ? `[error] ${output}` : output);

/** What is another every time, and says nothing of the work. */
const CHANCE: readonly [RegExp, string][] = [
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?/g, '<time>'],
  [
    /\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2}(?: +\d{1,2}:\d\d(?::\d\d)?)?(?: +(?:[A-Z]{3,4} +)?\d{4})?/g,
    '<time>',
  ],
  [/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g, '<time>'],
  [/\b\d+(?:\.\d+)?(?= ?(?:ms|µs|ns|s|sec|secs|seconds?|minutes?)\b)/g, '<n>'],
  [/\b(?:duration_ms|real|user|sys)\s+\d+[\dm.s]*/g, '<time>'],
  [/(?:\/tmp|\/var\/folders)\/[\w./+-]+/g, '<temporary>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  // Names of commits: both a digit and a letter, so that words and numbers stay.
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/g, '<hash>'],
  [/\b(pid|PID|process)[ =:]+\d+/g, '$1 <n>'],
  [/\b(localhost|127\.0\.0\.1|\[::1\]):\d{4,5}\b/g, '$1:<port>'],
];

/** The text without clock times, durations, temporary paths, ids and ports. */
export const settled = (text: string): string =>
  CHANCE.reduce((left, [pattern, stands]) => left.replace(pattern, stands), text).trimEnd();
