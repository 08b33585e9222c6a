/** Whatever the loop does to get over what goes wrong comes out the same when the session is run again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CALL_AS_TEXT_NOTE, CALLS_AS_TEXT } from '../../../core/guards/call-as-text.ts';
import { EMPTY_ANSWER, TORN_CALL } from '../../../core/guards/lost-in-stream.ts';
import { REPEATED_TEXT } from '../../../core/guards/repeated-text.ts';
import type { Session } from '../../../core/session.ts';
import type { SessionOptions } from '../../../core/session-options.ts';
import type { StoredEvent } from '../../../core/types.ts';
import { ProviderError, ValidationError } from '../../../providers/errors.ts';
import { dir } from '../scripted-session.ts';
import { type Answer, again, courseOf, played, prompt, record } from './recorded-again.ts';

const bash = (command: string): [string, Record<string, unknown>] => ['bash', { command }];
const READ: Answer = { calls: [['read_file', { path: 'a.txt' }]] };
const DONE: Answer = { text: 'Done.' };
const LOOP: Answer = { text: `Let me see.\n${'I read the file again. '.repeat(200)}` };
const streamed = { streamed: true };
const constrains = { constrains: true };
const tooLong = new ValidationError({ message: 'too long', code: 'CONTEXT_OVERFLOW', category: 'overflow' });
const WRITTEN: Answer = { text: 'I read it.\n```json\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n```' };
const SUMMARY: Answer = {
  text: '## Goal\nRead the file and say what it holds.\n## Decisions\nNone.\n## Done\nIt was read.\n## Next step\nGo on.',
};
/** In so many the older turns are told for the summary. */
const PIECES = 2;
const times = (count: number, answer: (i: number) => Answer) => Array.from({ length: count }, (_, i) => answer(i));
const go = (session: Session) => prompt(session, 'Go.');
const goTwice = async (session: Session) => {
  await prompt(session, 'Go.');
  await prompt(session, 'And on.');
};

interface Scene {
  answers: readonly Answer[];
  act?: (session: Session) => Promise<unknown>;
  more?: Partial<SessionOptions>;
  /** What the log must show of it, so that the scene is what it says. */
  shows: (event: StoredEvent) => boolean;
  calls: number;
}
const retried = (reason: string) => (event: StoredEvent) => event.type === 'retry' && event.reason === reason;
const noticed = (text: string) => (event: StoredEvent) => event.type === 'notice' && event.text.includes(text);
const ended = (finish: string) => (event: StoredEvent) => event.type === 'done' && event.finish === finish;
const failed = (code: string) => (event: StoredEvent) => event.type === 'error' && event.code === code;

const RECOVERIES: Record<string, Scene> = {
  'an answer that ran in a circle, then another one': {
    answers: [READ, LOOP, READ, DONE],
    shows: retried(REPEATED_TEXT),
    calls: 2,
  },
  'thinking that ran in a circle': {
    answers: [{ reasoning: LOOP.text!, size: 200 }, READ, DONE],
    shows: retried(REPEATED_TEXT),
    calls: 1,
  },
  'two answers that ran in a circle, and a turn behind them': {
    answers: [READ, LOOP, { ...LOOP, size: 7 }, READ, DONE],
    act: goTwice,
    shows: ended('limit'),
    calls: 2,
  },
  'two thoughts that ran in a circle': {
    answers: [{ reasoning: LOOP.text! }, { reasoning: LOOP.text!, size: 513 }, READ, DONE],
    act: goTwice,
    shows: ended('limit'),
    calls: 1,
  },
  'an empty answer, then a whole one': {
    answers: [{ custom: streamed }, READ, DONE],
    shows: retried(EMPTY_ANSWER),
    calls: 1,
  },
  'two empty answers': {
    answers: [READ, { custom: streamed }, {}, READ, DONE],
    act: goTwice,
    shows: noticed(EMPTY_ANSWER),
    calls: 2,
  },
  'a call that the server took apart': {
    answers: [{ calls: [['<|', {}]], custom: streamed }, READ, DONE],
    shows: retried(TORN_CALL),
    calls: 1,
  },
  'a server that was busy twice': {
    answers: [
      {
        ...READ,
        retries: [
          { reason: 'busy', attempt: 2, delayMs: 0, discard: false },
          { reason: 'busy', attempt: 3, delayMs: 0, discard: false },
        ],
      },
      DONE,
    ],
    shows: retried('busy'),
    calls: 1,
  },
  'a stream that broke off and began anew': {
    answers: [{ ...READ, retries: [{ reason: 'broken', attempt: 2, delayMs: 0, discard: true }] }, DONE],
    shows: retried('broken'),
    calls: 1,
  },
  'an answer that failed half said, and a turn behind it': {
    answers: [READ, { text: 'I will', fail: new ProviderError({ message: 'it broke' }) }, READ, DONE],
    act: goTwice,
    shows: ended('error'),
    calls: 2,
  },
  'a request that failed after tries': {
    answers: [
      {
        fail: new ProviderError({ message: 'busy', isRetryable: true }),
        retries: [{ reason: 'busy', attempt: 2, delayMs: 0, discard: false }],
      },
      READ,
      DONE,
    ],
    act: goTwice,
    shows: (event) => event.type === 'assistant' && event.served.attempts === 2,
    calls: 1,
  },
  'a request that was too long, with room made': {
    answers: [
      READ,
      DONE,
      { calls: [bash('echo two')] },
      { fail: tooLong },
      ...times(PIECES, () => SUMMARY),
      READ,
      DONE,
    ],
    act: async (session) => {
      await prompt(session, `Go. ${'Mind these words. '.repeat(400)}`);
      await prompt(session, 'And on.');
    },
    shows: (event) => event.type === 'compaction' && event.summary !== '',
    calls: 3,
  },
  'requests that were too long twice': {
    answers: [READ, DONE, READ, { fail: tooLong }, ...times(PIECES, () => SUMMARY), { fail: tooLong }, READ, DONE],
    act: async (session) => {
      await prompt(session, `Go. ${'Mind these words. '.repeat(400)}`);
      await prompt(session, 'And on.');
      await prompt(session, 'And again.');
    },
    shows: failed('overflow'),
    calls: 3,
  },
  'a request that was too long where there is nothing to leave out': {
    answers: [{ fail: tooLong }, READ, DONE],
    act: goTwice,
    shows: failed('overflow'),
    calls: 1,
  },
  'room that was made in time': {
    answers: [{ calls: [bash("printf 'many words of it %.0s' {1..900}")] }, READ, READ, DONE],
    more: { contextTokens: 8_000, compactAt: 2_500 },
    shows: (event) => event.type === 'compaction',
    calls: 3,
  },
  'a call that was only written': {
    answers: [WRITTEN, READ, DONE],
    shows: (event) => event.type === 'note' && event.text === CALL_AS_TEXT_NOTE,
    calls: 1,
  },
  'calls that were only written, twice': {
    answers: [WRITTEN, WRITTEN, READ, DONE],
    act: goTwice,
    shows: noticed(CALLS_AS_TEXT),
    calls: 1,
  },
  'calls that were only written, until the answer was held to the form of one': {
    answers: [{ ...WRITTEN, custom: constrains }, { ...WRITTEN, custom: constrains }, READ, DONE],
    shows: noticed('held to that of a call'),
    calls: 1,
  },
  'what may be a call': {
    answers: [{ text: 'See <call>.', custom: { callsShown: 'perhaps' } }, READ, DONE],
    shows: (event) => event.type === 'note' && event.text === CALL_AS_TEXT_NOTE,
    calls: 1,
  },
  'a sample of a call, which is an answer': {
    answers: [{ ...WRITTEN, custom: { callsShown: 'surely' } }, READ, DONE],
    act: goTwice,
    shows: ended('stop'),
    calls: 1,
  },
  'calls that cannot be run, until they are held to a form': {
    answers: [...times(2, (i) => ({ calls: [['no_tool', { i }]], custom: constrains }) satisfies Answer), READ, DONE],
    shows: noticed('held to that of a call'),
    calls: 3,
  },
  'calls that cannot be run, to the end': {
    answers: [...times(5, (i) => ({ calls: [['no_tool', { i }]] })), READ, DONE],
    act: goTwice,
    shows: noticed('calls that cannot be run'),
    calls: 6,
  },
  'the same call over and over': {
    answers: [...times(5, () => READ), READ, DONE],
    act: goTwice,
    shows: noticed('the same calls 5 times'),
    calls: 6,
  },
  'the same call over and over, with a word of the person between': {
    answers: [...times(6, () => READ), DONE],
    act: (session) => {
      let calls = 0;
      return prompt(session, 'Go.', (event) => {
        if (event.type === 'tool_call' && ++calls === 4) session.send({ type: 'steer', text: 'Once more is well.' });
      });
    },
    shows: (event) => event.type === 'user' && event.steered === true,
    calls: 6,
  },
  'an answer that reached its limit': {
    answers: [{ text: 'So', finish: 'length' }, READ, DONE],
    act: goTwice,
    shows: noticed('output limit'),
    calls: 1,
  },
  'an answer that was filtered': {
    answers: [READ, { text: 'So', finish: 'filter' }, READ, DONE],
    act: goTwice,
    shows: failed('provider'),
    calls: 2,
  },
  'a limit of messages': {
    answers: [READ, READ, READ, DONE],
    act: goTwice,
    more: { limits: { maxTurns: 2 } },
    shows: noticed('--max-turns'),
    calls: 3,
  },
  'a limit of time': {
    answers: [READ, { text: 'I will', hangs: true }],
    more: { limits: { timeoutMs: 150 } },
    shows: noticed('--timeout'),
    calls: 1,
  },
};

const scenes = (table: Record<string, Scene>) => Object.entries(table).map(([name, scene]) => ({ name, scene }));

/** Ended from outside then, ended at the same place now. */
const settledCourse = (events: readonly StoredEvent[]) =>
  courseOf(
    events.map((event, i) =>
      event.type === 'done' && noticedBefore(events, i, 'stopped after') ? { ...event, finish: 'aborted' } : event,
    ),
  );
const noticedBefore = (events: readonly StoredEvent[], i: number, text: string) => {
  const before = events[i - 1];
  return before?.type === 'notice' && before.text.startsWith(text);
};

async function isEqual({ answers, act = go, more, shows, calls }: Scene): Promise<void> {
  const then = await record(answers, act, more);
  expect(then.some(shows)).toBe(true);
  const now = await again(then);
  expect(now.difference).toBeUndefined();
  expect(now.calls).toBe(calls);
  expect(settledCourse(now.events)).toEqual(settledCourse(then));
  // What runs once more can be run once more.
  expect((await again(now.events)).difference).toBeUndefined();
}

describe('run again without a difference', () => {
  it.each(scenes(RECOVERIES))('$name', ({ scene }) => isEqual(scene));
});

describe('played by the recorded model, to which the session is exported', () => {
  it.each(scenes(RECOVERIES))('$name', async ({ scene: { answers, act = go, more } }) => {
    const then = await record(answers, act, more);
    const { events, remaining } = await played(then, act);
    const withoutTries = (course: string[]) =>
      course.filter((line) => line !== 'retry: busy' && line !== 'retry: broken');
    expect(withoutTries(settledCourse(events))).toEqual(withoutTries(settledCourse(then)));
    expect(remaining).toBe(0);
  });
});

describe('a change of the project is the first difference, behind whatever went wrong', () => {
  const change = () => writeFileSync(join(dir, 'a.txt'), 'beta\n');
  const last = scenes(RECOVERIES).filter(({ scene }) => scene.answers.at(-2) === READ && scene.act === goTwice);
  it.each(last)('$name', async ({ scene: { answers, act, more } }) => {
    // What is read first is another thing than what is read last.
    const other: Answer = { calls: [bash('echo one')] };
    const kept = answers.map((answer, i) => (answer === READ && i < answers.length - 2 ? other : answer));
    const { difference } = await again(await record(kept, act!, more), change);
    expect(difference).toMatchObject({ turn: 2, call: 1, what: 'result', name: 'read_file', recorded: '1\talpha' });
  });
});

describe('what the loop would do otherwise', () => {
  it('is told where a guard no longer ends a turn, and where one ends it too early', async () => {
    const then = await record([...times(5, () => READ), READ, DONE], goTwice);
    // As if the guard had waited for a sixth call.
    const sixth = then.find((event) => event.type === 'assistant')!;
    const end = then.findIndex((event) => event.type === 'notice');
    const longer = [...then.slice(0, end), sixth, ...then.slice(end)];
    expect((await again(longer)).difference).toMatchObject({
      turn: 1,
      what: 'end',
      recorded: 'the turn ended (limit) after 6 answers of the model',
      now: expect.stringMatching(/same calls 5 times.*after 5 answers/),
    });
    const fourth = then.filter((_, i) => i < end - 3 || i >= end);
    expect((await again(fourth)).difference).toMatchObject({
      turn: 1,
      now: expect.stringMatching(/went on .*asked for one more/),
    });
  });
});
