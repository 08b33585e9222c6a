/** What a conversation still holds when room was made in it, and that nothing happens while it is made. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shortened } from '../../../core/compaction/shortened.ts';
import { readInstructions } from '../../../core/instructions.ts';
import { readLog } from '../../../core/parse-log.ts';
import { systemPrompt } from '../../../core/prompt.ts';
import type { Session } from '../../../core/session.ts';
import { logFile } from '../../../core/store.ts';
import type { Event, StoredBody } from '../../../core/types.ts';
import type { IRChatRequest } from '../../../providers/ir.ts';
import { dir, find, type Said, start, turn } from '../scripted-session.ts';

const RULES = 'Never run git push.\n\nTests run with make check.';
const SUMMARY = '## Goal\nShip the parser.\n## Decisions\nA table.\n## Done\nRead on.\n## Next step\nWrite the test.';
const LONG = Array.from({ length: 300 }, (_, i) => `This is sentence ${i} of an answer.`).join(' ');
const WINDOW = { contextTokens: 32_768 };

const rules = (text: string, folder = dir) => writeFileSync(join(folder, 'AGENTS.md'), text);

/** A session that was told the instructions which are there now. */
function told(script: readonly Said[], options: { append?: string; more?: readonly StoredBody[] } = {}) {
  const system = systemPrompt({
    cwd: dir,
    platform: 'linux',
    mode: 'auto',
    lateTools: [],
    instructions: readInstructions({ project: dir, cwd: dir, adaHome: join(dir, 'home') }).files,
    append: options.append,
  });
  const opening: StoredBody = {
    type: 'session',
    id: 's',
    version: 1,
    cwd: dir,
    project: dir,
    model: 'm',
    mode: 'auto',
    contextTokens: WINDOW.contextTokens,
    system,
    tools: [],
  };
  const events = [opening, ...(options.more ?? [])].map((body, i) => ({ ...body, seq: i + 1, time: 0 }));
  writeFileSync(logFile(dir, 's'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return start(script, WINDOW);
}

/** Makes room by a person's word, up to the end of the turn that `queued` begins. */
async function compacted(session: Session, queued = 'ship it'): Promise<Event[]> {
  const events: Event[] = [];
  const stream = session.events();
  session.send({ type: 'compact' });
  session.send({ type: 'prompt', text: queued });
  for await (const event of stream) {
    events.push(event);
    if (event.type === 'done') break;
  }
  return events;
}

const textOf = (request: IRChatRequest | undefined): string => JSON.stringify(request?.messages);
const occurrences = (text: string, part: string): number => text.split(part).length - 1;
const CHANGED = 'new or changed on disk';
const talk: Said[] = [{ text: LONG }, { text: LONG }];
const rest: Said[] = [{ text: SUMMARY }, { text: 'shipped' }];

async function twoTurns(session: Session): Promise<void> {
  await turn(session, 'build the parser, never touch the lexer');
  await turn(session, 'go on');
}

describe('instructions when room is made', () => {
  it('stay word for word, and are not told twice', async () => {
    rules(RULES);
    const { session, requests } = told([...talk, ...rest]);
    await twoTurns(session);
    const events = await compacted(session);
    expect(find(events, 'compaction')).toHaveLength(1);
    expect(find(events, 'note')).toEqual([]);
    const last = textOf(requests.at(-1));
    expect(occurrences(last, 'Never run git push.')).toBe(1);
    expect(last).toContain('ship it');
  });

  it('are told as they are now where a person changed them, once', async () => {
    rules(RULES);
    const { session, requests } = told([...talk, ...rest, ...talk, ...rest]);
    await twoTurns(session);
    rules(`${RULES}\nNever delete a migration.`);
    expect(find(await compacted(session), 'note')).toMatchObject([{ about: 'instructions' }]);
    const last = textOf(requests.at(-1));
    expect(last).toContain('Never delete a migration.');
    expect(last.startsWith(textOf(requests[0]).slice(0, 200))).toBe(true);
    await twoTurns(session);
    const again = await compacted(session);
    expect(find(again, 'compaction')).toHaveLength(1);
    expect(find(again, 'note')).toEqual([]);
    expect(occurrences(textOf(requests.at(-1)), 'Never delete a migration.')).toBe(1);
  });

  it('are told where there were none before', async () => {
    const { session, requests } = told([...talk, ...rest]);
    await twoTurns(session);
    rules(RULES);
    await compacted(session);
    expect(textOf(requests.at(-1))).toContain('Never run git push.');
  });

  it('notice a line taken out of the middle, and leave what a flag appended alone', async () => {
    rules('one\n\ntwo\n\nthree');
    const { session } = told([...talk, ...rest, ...talk, ...rest], { append: 'Answer in French.' });
    await twoTurns(session);
    expect(find(await compacted(session), 'note')).toEqual([]);
    rules('one\n\nthree');
    await twoTurns(session);
    expect(find(await compacted(session), 'note')).toMatchObject([{ text: expect.stringContaining('one\n\nthree') }]);
  });

  it('hold on where the file is gone', async () => {
    rules(RULES);
    const { session, requests } = told([...talk, ...rest]);
    await twoTurns(session);
    rmSync(join(dir, 'AGENTS.md'));
    expect(find(await compacted(session), 'note')).toEqual([]);
    expect(textOf(requests.at(-1))).toContain('Never run git push.');
  });

  it('of a deeper folder count where the session works there, and a heading inside a file is only text', async () => {
    const deep = join(dir, 'packages');
    mkdirSync(deep);
    rules('Mind this.\n\nInstructions from the team:\nbe kind');
    const { session } = told([{ calls: [['bash', { command: 'cd packages' }]] }, ...talk, ...rest]);
    await turn(session, 'go there');
    rules('Only here: use tabs.', deep);
    await turn(session, 'go on');
    const notes = find(await compacted(session), 'note').filter(({ about }) => about === 'instructions');
    expect(notes).toHaveLength(1);
    expect(notes[0]!.text).toContain('Only here: use tabs.');
  });

  it('that take too much of the window are named instead', async () => {
    rules(RULES);
    const { session } = told([...talk, ...rest]);
    await twoTurns(session);
    rules('A rule that is long. '.repeat(1_400));
    const notes = find(await compacted(session), 'note');
    expect(notes).toHaveLength(1);
    expect(notes[0]!.text).toContain(CHANGED);
    expect(notes[0]!.text).toContain(join(dir, 'AGENTS.md'));
    expect(notes[0]!.text.length).toBeLessThan(1_000);
  });
});

describe('the work when room is made', () => {
  it('keeps skills, the list of changed files, todos and the goal, also the second time', async () => {
    const skill: StoredBody = { type: 'note', about: 'skill', text: 'Skill release: bump the version first.' };
    const todos: StoredBody = { type: 'todos', items: [{ text: 'tag it', status: 'pending' }] };
    const write: Said = { calls: [['write_file', { path: 'made.ts', content: 'export {};\n' }]] };
    const { session, requests } = told([write, ...talk, ...rest, ...talk, ...rest], { more: [skill, todos] });
    await twoTurns(session);
    for (let time = 0; time < 2; time++) {
      await compacted(session);
      const last = textOf(requests.at(-1));
      for (const part of [
        'bump the version first',
        '- made.ts (one change)',
        'tag it',
        'never touch the lexer',
        'ship it',
      ])
        expect(last.includes(part), `${part}, time ${time + 1}`).toBe(true);
      await turn(session, 'go on');
      await turn(session, 'and on');
    }
  });

  it('says how many changed files it does not name', async () => {
    const calls = Array.from({ length: 45 }, (_, i): [string, Record<string, unknown>] => [
      'write_file',
      { path: `f${i}.ts`, content: 'x\n' },
    ]);
    const { session, requests } = told([{ calls }, ...talk, ...rest]);
    await twoTurns(session);
    await compacted(session);
    const last = textOf(requests.at(-1));
    expect(last).toContain('5 others before these');
    expect(last).toContain('- f44.ts');
  });

  it('leaves out what the person went back over', async () => {
    const { session, requests } = told([{ text: 'a wrong way' }, ...talk, ...rest]);
    await turn(session, 'rewrite it all in Perl');
    const to = session.state.prompts[0]!.seq;
    const stream = session.events();
    session.send({ type: 'rewind', to, what: 'conversation' });
    for await (const event of stream) if (event.type === 'rewind') break;
    await new Promise((resolve) => setImmediate(resolve));
    await twoTurns(session);
    await compacted(session);
    expect(textOf(requests.at(-1))).toContain('build the parser');
    expect(textOf(requests.at(-1))).not.toContain('Perl');
  });
});

describe('a turn in which room is made', () => {
  const filling = (): Said[] => Array.from({ length: 14 }, (_, i) => ({ text: `answer ${i} ${'a'.repeat(1_000)}` }));

  /** Prompts until the model is asked for a summary; then acts, and gives the events of that turn. */
  async function untilSummary(session: Session, requests: readonly IRChatRequest[], act: () => void) {
    for (let i = 0; i < 40; i++) {
      const events = await turn(session, `prompt ${i} ${'p'.repeat(900)}`, (event) => {
        if (event.type === 'activity' && event.doing === 'making room') act();
      });
      if (textOf(requests.at(-1)).includes('gets too long for the window') || find(events, 'compaction').length)
        return events;
    }
    throw new Error('no room was made');
  }

  it('takes what was typed meanwhile behind it, and nothing runs before it is done', async () => {
    const script = [...filling(), { text: SUMMARY }, { text: 'first' }, { text: 'second' }];
    const { session, requests } = start(script, { contextTokens: 8_192 });
    const events = await untilSummary(session, requests, () =>
      session.send({ type: 'prompt', text: 'typed meanwhile' }),
    );
    const order = events.flatMap((event) =>
      event.type === 'compaction' || event.type === 'assistant' || (event.type === 'user' && event.steered)
        ? [event.type]
        : [],
    );
    expect(order.slice(0, 3)).toEqual(['compaction', 'assistant', 'user']);
    expect(textOf(requests.at(-1))).toContain('typed meanwhile');
  });

  it('is as it was before when it is interrupted, and gives back what was typed', async () => {
    const script = [...filling(), { text: '## Goal', hang: true } as Said];
    const { session, requests } = start(script, { contextTokens: 8_192 });
    const events = await untilSummary(session, requests, () => {
      session.send({ type: 'prompt', text: 'typed meanwhile' });
      session.send({ type: 'abort' });
    });
    expect(find(events, 'compaction')).toEqual([]);
    expect(find(events, 'done')).toMatchObject([{ finish: 'aborted', unsent: ['typed meanwhile'] }]);
    expect(readLog(session.file).events.some(({ type }) => type === 'compaction')).toBe(false);
  });

  it('says so where a person asked for it and interrupted it', async () => {
    const { session, requests } = start([...filling().slice(0, -1), { hang: true }], { contextTokens: 100_000 });
    for (let i = 0; requests.length < filling().length - 1; i++) await turn(session, `prompt ${i}`);
    const events: Event[] = [];
    const stream = session.events();
    session.send({ type: 'compact' });
    for await (const event of stream) {
      events.push(event);
      // Once the model is being asked.
      if (event.type === 'activity' && event.doing !== null) setImmediate(() => session.send({ type: 'abort' }));
      if (event.type === 'notice') break;
    }
    expect(events.at(-1)).toMatchObject({ level: 'info', text: 'interrupted: nothing was left out' });
    expect(find(events, 'compaction')).toEqual([]);
  });
});

it('a long result is never cut inside a character', () => {
  for (const lead of ['', 'x']) {
    const text = lead + '😀'.repeat(5_000);
    const content = [
      { type: 'tool_result' as const, toolUseId: 'c', name: 'bash', content: [{ type: 'text' as const, text }] },
    ];
    const entry = { message: { role: 'tool' as const, content }, seq: 1, from: 'result' as const };
    const { message } = shortened(entry, new Map(), 1_001);
    expect(JSON.stringify(message)).not.toMatch(/\\ud/);
    expect(JSON.stringify(message).length).toBeLessThan(2_000);
  }
});
