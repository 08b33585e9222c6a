/** `ada models pull NAME`: has the Ollama server get a model, and tells how far it is. */
import type { Flags } from './flag-table.ts';
import type { Models } from './models-api.ts';
import { isOffline } from './offline.ts';
import { complain, openStandardOutput } from './output.ts';
import { oneLine } from './plain-text.ts';
import { type PullFigures, pullBar, pullMeter, pullText } from './pull-progress.ts';
import { takeSignals } from './signals.ts';
import { StartError } from './start-error.ts';

const BAR = 24;
/** A line on a terminal is drawn at most so often, ms. */
const DRAW_MS = 100;
/** Elsewhere a line is written whenever so much more has come, in percent. */
const STEP = 10;

/** Exit codes: 0 it is there, 1 the server could not get it, 3 no server (thrown), 130 stopped by Ctrl+C. */
export async function pullOnTerminal(models: Models, name: string, flags: Flags): Promise<number> {
  const stop = takeSignals();
  const stopped = new AbortController();
  stop.onStop(() => stopped.abort());
  if (isOffline(flags.offline, process.env))
    complain('ada: --offline: ada speaks to the Ollama server alone; that server goes out for the model');
  const model = name.trim().replace(/^ollama\//, '');
  const shown = process.stderr.isTTY && process.env.TERM !== 'dumb' ? drawn(model) : listed();
  const measure = pullMeter();
  let begun = false;
  try {
    for await (const step of models.pull(model, stopped.signal)) {
      begun ||= step.completed > 0;
      shown.step(measure(step, Date.now()));
    }
    shown.end();
  } catch (error) {
    shown.end();
    if (stop.code !== undefined) {
      complain(`ada: stopped; ada models pull ${oneLine(model)} goes on where it was`);
      return stop.code;
    }
    if (error instanceof StartError) throw error;
    const { message } = error as Error;
    const rest = begun ? `; ada models pull ${oneLine(model)} goes on where it was` : '';
    complain(`ada: ${oneLine(message, 600)}${rest}`);
    return 1;
  }
  const output = openStandardOutput();
  output.write(flags.json ? `${JSON.stringify({ model, pulled: true })}\n` : `${oneLine(model)} is ready\n`);
  await output.flush();
  return 0;
}

interface Shown {
  step(figures: PullFigures): void;
  end(): void;
}

/** One line that is drawn over and over. */
function drawn(model: string): Shown {
  let last: PullFigures | undefined;
  let drawnAt = 0;
  const draw = (): void => {
    if (!last) return;
    const columns = process.stderr.columns || 80;
    const bar = last.total > 0 ? `${pullBar(last, BAR)}  ` : '';
    const line = oneLine(`${model}  ${bar}${pullText(last)}`, columns - 1);
    process.stderr.write(`\r\x1b[K${line}`);
    drawnAt = Date.now();
  };
  return {
    step(figures) {
      const isNews = figures.status !== last?.status;
      last = figures;
      if (isNews || Date.now() - drawnAt >= DRAW_MS) draw();
    },
    end() {
      draw();
      if (last) process.stderr.write('\n');
    },
  };
}

/** A line for each stage, and for each tenth that has come. */
function listed(): Shown {
  let stage = '';
  let tenth = -1;
  return {
    step(figures) {
      const { status, completed, total } = figures;
      // Each layer has a stage of its own; together they are one.
      const now = total > 0 && completed < total ? 'getting' : status;
      const reached = total > 0 ? Math.floor(((completed / total) * 100) / STEP) : -1;
      if (now === stage && reached <= tenth) return;
      if (now !== stage || reached > tenth) complain(oneLine(pullText(figures), 200));
      stage = now;
      tenth = Math.max(tenth, reached);
    },
    end() {},
  };
}
