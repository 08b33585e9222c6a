/** A stored session as it can be run again: where it ran, what its model was told first, and its steps. */
import type { EventOf, StoredEvent } from '../types.ts';
import { type RecordedSteps, type RecordedTurn, recordedSteps } from './recorded-steps.ts';

export interface RecordedRun extends RecordedSteps, Pick<EventOf<'session'>, 'id' | 'project' | 'cwd' | 'mode'> {
  opening: Pick<EventOf<'session'>, 'model' | 'system' | 'tools'>;
}

/** Undefined where the log has no `session` event: then nothing says where it ran. */
export function recordedRun(log: readonly StoredEvent[]): RecordedRun | undefined {
  const first = log.find((event): event is EventOf<'session'> => event.type === 'session');
  if (!first) return undefined;
  const { id, project, cwd, mode, model, system, tools } = first;
  return {
    id,
    project,
    cwd,
    mode,
    opening: { model, system, tools },
    ...recordedSteps(asInOnePlace(log, project), mode),
  };
}

export const turnsOf = ({ steps }: RecordedSteps): RecordedTurn[] =>
  steps.filter((step): step is RecordedTurn => step.kind === 'prompt');

/** A session whose project was moved, as if it had been where it began: all of it is run again in one folder. */
function asInOnePlace(events: readonly StoredEvent[], project: string): readonly StoredEvent[] {
  if (!events.some(({ type }) => type === 'place')) return events;
  let now = project;
  return events.map((event) => {
    if (event.type === 'place') now = event.project;
    if (now === project || event.type === 'place') return event;
    return JSON.parse(JSON.stringify(event), (_key, value: unknown) =>
      typeof value === 'string' ? inFolder(value, now, project) : value,
    ) as StoredEvent;
  });
}

/** The same run in another folder: every text that names the recorded one names that folder. */
export function movedTo(run: RecordedRun, folder: string): RecordedRun {
  const moved = JSON.parse(JSON.stringify(run.steps), (_key, value: unknown) =>
    typeof value === 'string' ? inFolder(value, run.project, folder) : value,
  ) as RecordedRun['steps'];
  return { ...run, project: folder, cwd: inFolder(run.cwd, run.project, folder), steps: moved };
}

/** Replaces a path where it stands as a whole: `/a/b` in `/a/b/c`, not in `/a/bc`. */
export function inFolder(text: string, from: string, to: string): string {
  if (from === '' || from === '/') return text;
  let out = '';
  let at = 0;
  for (;;) {
    const found = text.indexOf(from, at);
    if (found < 0) return out + text.slice(at);
    const end = found + from.length;
    const whole = !/[\w.-]/.test(text[end] ?? '') || /^\.(?![\w-])/.test(text.slice(end));
    out += text.slice(at, found) + (whole ? to : from);
    at = end;
  }
}
