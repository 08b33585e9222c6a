/** Finds where a session that was run again differs from its recording. Pure. */
import { inFolder, type RecordedRun, type RunCall } from './recorded-run.ts';
import type { RerunCall } from './run-again.ts';

export interface Difference {
  /** Counted from 1. */
  turn: number;
  /** Of the turn, counted from 1. */
  call: number;
  what: 'result' | 'call' | 'approval' | 'missing' | 'added';
  prompt: string;
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

export function compareRuns(
  recorded: RecordedRun,
  again: readonly (readonly RerunCall[])[],
  now: Whereabouts,
): Comparison {
  const before = (text: string) => settled(text);
  const after = (text: string) =>
    settled(inFolder(text, now.project, recorded.project).replaceAll(now.id, recorded.id));
  let calls = 0;
  let heldBack = 0;
  for (const [t, turn] of recorded.turns.entries()) {
    const rerun = again[t] ?? [];
    for (let c = 0; c < Math.max(turn.calls.length, rerun.length); c++) {
      const [was, is] = [turn.calls[c], rerun[c]];
      const at = { turn: t + 1, call: c + 1, prompt: turn.prompt };
      if (!was || !is) {
        const { name, input } = (was ?? is)!;
        const side = (call: RunCall | undefined) => (call ? call.output : '(no such call)');
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
  }
  return { calls, heldBack };
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
