/**
 * `ada demo`: a recorded model repairs a real bug in a copy of the sample project, with the real loop, tools and
 * permissions. It needs no model and no network, and judges itself by the sample's tests before and after.
 */
import { isatty } from 'node:tty';
import type { Session } from '../../core/session.ts';
import type { Event } from '../../core/types.ts';
import { type Composition, compose } from '../compose.ts';
import type { Parsed } from '../flags.ts';
import { openStandardOutput } from '../output.ts';
import { takeSignals, within } from '../signals.ts';
import { StartError } from '../start-error.ts';
import { runTests } from './run-tests.ts';
import { PROMPT, setStage, verdict } from './stage.ts';
import { stepLines } from './steps.ts';

const CLOSE_MS = 1500;

export async function run({ flags, rest }: Parsed): Promise<number> {
  if (rest.length) throw new StartError('ada demo takes no argument');
  const stop = takeSignals();
  const stage = setStage();
  const { project, home, env } = stage;
  const colour = isatty(1) && !flags['no-color'] && !process.env.NO_COLOR;
  const output = openStandardOutput();
  const say = (lines: readonly string[]) => output.write(lines.map((line) => `${line}\n`).join(''));
  let composition: Composition | undefined;
  let good = false;
  try {
    stop.onStop(() => composition?.session.send({ type: 'abort' }));
    say([
      'A recorded model repairs a real bug in a copy of a small project, with the real tools.',
      row('project', project),
    ]);
    const before = await runTests(project, env);
    say([row('tests', verdict(before)), row('prompt', PROMPT)]);
    composition = await compose(stage.options('auto', true));
    const finish = await turn(composition.session, (event) => say(stepLines(event, colour)));
    const after = await runTests(project, env);
    good = !before.green && after.green && finish === 'stop';
    say([
      row('tests', verdict(after)),
      row('result', good ? 'red before, green after' : `not repaired (the turn ended with ${finish})`),
    ]);
  } finally {
    if (composition) await within(CLOSE_MS, composition.session.close());
    // What went wrong can be looked at; what went right leaves nothing behind.
    if (good || stop.code !== undefined) stage.remove();
    else say([row('kept', home)]);
    await Promise.race([output.flush(), stop.expired]);
  }
  return stop.code ?? (good ? 0 : 1);
}

/** One line of the report: what, then how it went. */
const row = (name: string, text: string) => `${name.padEnd(11)}${text}`;

async function turn(session: Session, onEvent: (event: Event) => void): Promise<string> {
  const events = session.events()[Symbol.asyncIterator]();
  // The first pull subscribes, before the prompt can cause anything.
  let pulled = events.next();
  session.send({ type: 'prompt', text: PROMPT });
  for (; ; pulled = events.next()) {
    const { value: event, done } = await pulled;
    if (done) return 'no end';
    onEvent(event);
    if (event.type !== 'done') continue;
    await events.return?.();
    return event.finish;
  }
}
