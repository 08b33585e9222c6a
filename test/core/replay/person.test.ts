/** What the person does in a session is done once more when it is run again. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copied } from '../../../core/copy-log.ts';
import { parseLog } from '../../../core/parse-log.ts';
import type { Session } from '../../../core/session.ts';
import type { SessionOptions } from '../../../core/session-options.ts';
import type { Event, Mode, StoredEvent } from '../../../core/types.ts';
import { dir } from '../scripted-session.ts';
import { type Answer, again, aside, prompt, record } from './recorded-again.ts';

type Calls = NonNullable<Answer['calls']>;
const bash = (command: string): Calls[number] => ['bash', { command }];
const write = (path: string, content: string): Calls[number] => ['write_file', { path, content }];
const READ: Answer = { calls: [['read_file', { path: 'a.txt' }]] };
const DONE: Answer = { text: 'Done.' };
const approve =
  (session: Session, ...decisions: ('yes' | 'no' | 'all')[]) =>
  (event: Event) => {
    if (event.type === 'approval_request')
      session.send({ type: 'approve', id: event.id, decision: decisions.shift() ?? 'no', reason: 'so I say' });
  };
const at = (type: Event['type'], act: () => unknown, times = 1) => {
  let seen = 0;
  return (event: Event) => {
    if (event.type === type && ++seen === times) act();
  };
};
const promptOf = (session: Session, n: number) => session.state.prompts[n]!.seq;

interface Scene {
  answers: readonly Answer[];
  act(session: Session): Promise<unknown>;
  more?: Partial<SessionOptions> & { mode?: Mode };
  calls: number;
}

const SCENES: Record<string, Scene> = {
  'a yes, a no, and a yes to all': {
    answers: [{ calls: [write('b.txt', 'b'), write('c.txt', 'c'), write('d.txt', 'd'), write('e.txt', 'e')] }, DONE],
    act: (session) => prompt(session, 'Go.', approve(session, 'yes', 'no', 'all')),
    more: { mode: 'ask' },
    calls: 4,
  },
  'a rule that denies': {
    answers: [{ calls: [['read_file', { path: 'secret.txt' }]] }, READ, DONE],
    act: (session) => prompt(session, 'Go.'),
    calls: 2,
  },
  'questions, and their answers': {
    answers: [
      { calls: [['ask_user', { question: 'Which?' }]] },
      { calls: [['ask_user', { question: 'And which?', options: ['a', 'b'] }]] },
      DONE,
    ],
    act: (session) => {
      const texts = ['the first', 'b'];
      return prompt(session, 'Go.', (event) => {
        if (event.type === 'question') session.send({ type: 'answer', id: event.id, text: texts.shift()! });
      });
    },
    calls: 2,
  },
  'modes between turns and within one': {
    answers: [
      { calls: [write('b.txt', 'b')] },
      DONE,
      { calls: [write('b.txt', 'b')] },
      { calls: [bash('cat b.txt')] },
      DONE,
    ],
    act: async (session) => {
      session.send({ type: 'set', mode: 'plan' });
      await prompt(session, 'Plan.');
      session.send({ type: 'set', mode: 'ask' });
      await prompt(session, 'Go.', (event) => {
        approve(session, 'yes')(event);
        if (event.type === 'tool_result') session.send({ type: 'set', mode: 'auto' });
      });
    },
    calls: 3,
  },
  'an answer that was interrupted, and a turn behind it': {
    answers: [READ, { text: 'I will now', hangs: true }, READ, DONE],
    act: async (session) => {
      await prompt(
        session,
        'Go.',
        at('text', () => session.send({ type: 'abort' })),
      );
      await prompt(session, 'And on.');
    },
    calls: 2,
  },
  'a turn that was interrupted before it was answered': {
    answers: [{ hangs: true }, READ, DONE],
    act: async (session) => {
      await prompt(
        session,
        'Go.',
        at('user', () => setTimeout(() => session.send({ type: 'abort' }), 20)),
      );
      await prompt(session, 'And on.');
    },
    calls: 1,
  },
  'a call that was interrupted, with another one before it': {
    answers: [
      { calls: [bash('echo one > b.txt'), bash('echo begun; sleep 20')] },
      { calls: [bash('cat b.txt')] },
      DONE,
    ],
    act: async (session) => {
      await prompt(
        session,
        'Go.',
        at('tool_call', () => setTimeout(() => session.send({ type: 'abort' }), 50), 2),
      );
      await prompt(session, 'And on.');
    },
    calls: 2,
  },
  'an approval that nobody gave': {
    answers: [{ text: 'I write.', calls: [write('b.txt', 'b')] }, READ, DONE],
    act: async (session) => {
      await prompt(
        session,
        'Go.',
        at('approval_request', () => session.send({ type: 'abort' })),
      );
      await prompt(session, 'And on.');
    },
    more: { mode: 'ask' },
    calls: 1,
  },
  'words to a turn that goes on, and to one that had stopped': {
    answers: [READ, { text: 'Well.' }, READ, DONE],
    act: (session) =>
      prompt(session, 'Go.', (event) => {
        if (event.type === 'tool_call' && event.id) session.send({ type: 'steer', text: 'Mind the time.' });
        if (event.type === 'text' && event.at === 0 && event.delta.startsWith('Well'))
          session.send({ type: 'steer', text: 'More.' });
      }),
    calls: 2,
  },
  'commands of the person': {
    answers: [READ, DONE, { calls: [bash('cat a.txt; pwd')] }, DONE],
    act: async (session) => {
      await aside(session, { type: 'shell', command: 'echo more >> a.txt' });
      await prompt(session, 'Go.');
      await aside(session, { type: 'shell', command: 'mkdir -p sub && echo most >> a.txt', apart: true });
      await prompt(session, 'And on.');
    },
    calls: 4,
  },
  'going back with the files': {
    answers: [READ, { calls: [write('a.txt', 'changed\n')] }, DONE, READ, DONE],
    act: async (session) => {
      await prompt(session, 'Go.');
      await aside(session, { type: 'rewind', to: promptOf(session, 0), what: 'both' });
      await prompt(session, 'Other.');
    },
    calls: 3,
  },
  'going back without them': {
    answers: [{ calls: [write('a.txt', 'changed\n')] }, DONE, READ, DONE],
    act: async (session) => {
      await prompt(session, 'Go.');
      await aside(session, { type: 'rewind', to: promptOf(session, 0), what: 'conversation' });
      await prompt(session, 'Other.');
    },
    calls: 2,
  },
  'the files going back alone': {
    answers: [DONE, READ, { calls: [write('a.txt', 'changed\n')] }, DONE, READ, DONE],
    act: async (session) => {
      await prompt(session, 'First.');
      await prompt(session, 'Go.');
      await aside(session, { type: 'rewind', to: promptOf(session, 1), what: 'files' });
      await prompt(session, 'Other.');
    },
    calls: 3,
  },
  'room that the person asked for': {
    answers: [
      READ,
      DONE,
      DONE,
      { text: '## Goal\nRead it well.\n## Decisions\nNone.\n## Done\nIt was read.\n## Next step\nOn.' },
      READ,
      DONE,
    ],
    act: async (session) => {
      await prompt(session, `Go. ${'Mind these words. '.repeat(400)}`);
      await prompt(session, 'More.');
      const events = session.events();
      while (!session.send({ type: 'compact' }).ok) await new Promise((resolve) => setImmediate(resolve));
      for await (const event of events) if (event.type === 'compaction') break;
      await prompt(session, 'And on.');
    },
    calls: 2,
  },
  'todos, and what thinks in between': {
    answers: [
      { reasoning: 'Hm.', calls: [['update_todos', { items: [{ text: 'one', status: 'active' }] }]] },
      { reasoning: 'So.', text: 'Now.', calls: [['update_todos', { items: [{ text: 'one', status: 'done' }] }]] },
      DONE,
    ],
    act: (session) => prompt(session, 'Go.'),
    calls: 2,
  },
  'an image': {
    answers: [READ, DONE],
    act: async (session) => {
      const events = session.events();
      const source = { type: 'base64' as const, mediaType: 'image/png', data: 'iVBORw0KGgo=' };
      session.send({ type: 'prompt', text: 'Look.', images: [{ type: 'image', source }] });
      for await (const event of events) if (event.type === 'done') break;
    },
    calls: 1,
  },
  'a folder that was gone into': {
    answers: [
      { calls: [bash('mkdir sub && cd sub')] },
      { calls: [bash('pwd; echo x > in-sub.txt')] },
      { calls: [['ls', {}]] },
      DONE,
    ],
    act: (session) => prompt(session, 'Go.'),
    calls: 3,
  },
};
const scenes = Object.entries(SCENES).map(([name, scene]) => ({ name, scene }));

describe('run again without a difference', () => {
  it.each(scenes)('$name', async ({ scene: { answers, act, more, calls } }) => {
    const then = await record(answers, act, more);
    const now = await again(then);
    expect(now.difference).toBeUndefined();
    expect(now).toMatchObject({ calls, heldBack: 0 });
    expect((await again(now.events)).difference).toBeUndefined();
  });

  it('a session that goes on in a copy', async () => {
    const then = await record(SCENES['commands of the person']!.answers, SCENES['commands of the person']!.act);
    expect((await again(then.map((event) => copied(event, 'fork')))).difference).toBeUndefined();
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])('a log that ends after %i events of its turn', async (kept) => {
    const answers = [{ text: 'One.', ...READ }, { calls: [bash('echo a'), bash('echo b')] }, DONE];
    const then = await record(answers, (session) => prompt(session, 'Go.'));
    const log = then.slice(0, 1 + kept).map((event) => `${JSON.stringify(event)}\n`);
    const now = await again(parseLog(Buffer.from(log.join(''))).events);
    expect(now.difference).toBeUndefined();
    expect(now.events.at(-1)).toMatchObject({ type: 'done', finish: kept < 10 ? 'aborted' : 'stop' });
  });
});

describe('what is not done a second time', () => {
  it('a command of the person that would destroy something', async () => {
    const then = await record([READ, DONE], async (session) => {
      await prompt(session, 'Go.');
      await aside(session, { type: 'shell', command: 'rm -rf a.txt' });
    });
    expect(existsSync(join(dir, 'a.txt'))).toBe(false);
    expect(await again(then)).toEqual({ calls: 2, heldBack: 1, events: expect.anything() });
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('alpha\n');
  });

  it('calls that were allowed and reach out: other results of theirs are no circle', async () => {
    const look: Answer = { calls: [bash('cat /proc/uptime')] };
    const then = await record([look, look, look, look, look, look, DONE], (session) =>
      prompt(session, 'Go.', approve(session, 'yes', 'yes', 'yes', 'yes', 'yes', 'yes')),
    );
    const outside = then.map(
      (event, i): StoredEvent => (event.type === 'tool_result' ? { ...event, output: `${i}.5 20` } : event),
    );
    expect(await again(outside)).toEqual({ calls: 6, heldBack: 6, events: expect.anything() });
  });
});

describe('a change of the project is the first difference', () => {
  it('in a command of the person', async () => {
    const then = await record([READ, DONE], async (session) => {
      await prompt(session, 'Go.');
      await aside(session, { type: 'shell', command: 'cat b.txt' });
    });
    const { difference } = await again(then, () => writeFileSync(join(dir, 'b.txt'), 'new\n'));
    expect(difference).toMatchObject({ turn: 1, call: 1, what: 'result', prompt: '!cat b.txt', now: 'new' });
  });

  it('in the last turn, behind one that was interrupted', async () => {
    const { answers, act } = SCENES['a call that was interrupted, with another one before it']!;
    const later = [...answers.slice(0, -1), READ, DONE];
    const then = await record(later, act);
    const { difference } = await again(then, () => writeFileSync(join(dir, 'a.txt'), 'beta\n'));
    expect(difference).toMatchObject({ turn: 2, call: 2, recorded: '1\talpha', now: '1\tbeta' });
  });
});
