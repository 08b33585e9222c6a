/** The commands of long work: what they ask of the session, and what they show. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localMinute } from '../../../app/local-minute.ts';
import type { SlashContext } from '../../../app/slash/command.ts';
import { findSlashCommand, slashCommands } from '../../../app/slash/index.ts';
import type { Overlay } from '../../../app/tui/types.ts';
import { openCheckpoints } from '../../../core/checkpoint/checkpoints.ts';
import { CATEGORIES } from '../../../core/compaction/context-use.ts';
import { createPermissions } from '../../../core/permission/permission.ts';
import type { Session } from '../../../core/session.ts';
import type { SessionSummary } from '../../../core/session-list.ts';
import { emptyState, reduce } from '../../../core/state.ts';
import type { StoredBody, StoredEvent } from '../../../core/types.ts';

let dir: string;
let elsewhere: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ada-slash-'));
  elsewhere = mkdtempSync(join(tmpdir(), 'ada-slash-'));
});
afterEach(() => {
  for (const folder of [dir, elsewhere]) rmSync(folder, { recursive: true, force: true });
});

const prompt = (text: string): StoredBody => ({ type: 'user', text });

async function run(
  line: string,
  bodies: readonly StoredBody[] = [prompt('first'), prompt('second')],
  more: Partial<SlashContext> = {},
) {
  const asked: unknown[] = [];
  const events = bodies.map((body, i) => ({ ...body, seq: i + 1, time: 1 }) as StoredEvent);
  const file = join(dir, 'here.jsonl');
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const used = Object.fromEntries(CATEGORIES.map((name, i) => [name, i * 100]));
  const session = {
    id: 'here',
    file,
    state: { ...events.reduce(reduce, emptyState()), cwd: dir, project: dir, running: false },
    stored: () => events,
    window: () => ({ window: 8000, limit: 6000, used, total: 2800 }),
  } as unknown as Session;
  const context: SlashContext = {
    session,
    todos: [],
    changes: [],
    workingMode: 'ask',
    commands: slashCommands,
    stateDir: join(dir, 'state'),
    rules: null,
    hint: '',
    send: (command) => asked.push(command) > 0,
    say: (level, text) => asked.push(`${level}: ${text}`),
    show: (overlay) => asked.push(overlay),
    listModels: async () => [],
    listSessions: () => [],
    open: async (which) => void asked.push({ open: which }),
    draft: (text, images) => asked.push({ draft: text, ...(images && { images }) }),
    exit: () => {},
    ...more,
  };
  const [, name, argument = ''] = /^\/(\S+)\s*(.*)$/.exec(line)!;
  await findSlashCommand(name!)!.run(context, argument);
  return asked;
}

it('/compact sends what is to be kept', async () => {
  expect(await run('/compact')).toEqual([{ type: 'compact' }]);
  expect(await run('/compact the port number')).toEqual([{ type: 'compact', keep: 'the port number' }]);
  expect(await run('/compact', [])).toEqual(['info: nothing was said yet']);
});

it('/context shows a bar for each category, what is free, and when room is made', async () => {
  const [shown] = (await run('/context')) as [{ text: string }];
  const rows = shown.text.split('\n');
  expect(rows.find((row) => row.startsWith('answers'))).toMatch(/^answers +█+░+ +500 {2}6 %$/);
  expect(rows.find((row) => row.startsWith('free'))).toMatch(/5200 {2}65 %$/);
  expect(shown.text).toMatch(/about 2800 tokens of 8000 are used\nroom is made at 6000/);
});

it('/fork goes on in a copy and names the original', async () => {
  expect(await run('/fork')).toEqual([
    { open: { resume: 'here', fork: true } },
    expect.stringMatching(/^info: .*original is here/),
  ]);
});

it('/rename sends the name', async () => {
  expect((await run('/rename  The parser '))[0]).toEqual({ type: 'rename', title: 'The parser' });
  expect(await run('/rename')).toEqual([expect.stringMatching(/^error/)]);
});

it('/tree shows copies below what they were made of', async () => {
  const session = (id: string, parent?: string): SessionSummary => ({
    id,
    file: '',
    title: `t-${id}`,
    mtime: 0,
    parent,
  });
  const all = [session('d', 'b'), session('c', 'a'), session('b', 'a'), session('here', 'gone'), session('a')];
  const loop = [session('x', 'y'), session('y', 'x')];
  const [shown] = (await run('/tree', [], { listSessions: () => [...all, ...loop] })) as [{ text: string }];
  expect(shown.text.split('\n')).toEqual([
    '* t-here  here',
    't-a  a',
    '├─ t-b  b',
    '│  └─ t-d  d',
    '└─ t-c  c',
    't-x  x',
    '└─ t-y  y',
  ]);
});

it('/sessions TEXT lists the conversations that hold it', async () => {
  const all = [{ id: 'here', file: join(dir, 'here.jsonl'), title: 'first', mtime: 0 }];
  const listSessions = () => all;
  const [shown] = (await run('/sessions SECOND', undefined, { listSessions })) as [Extract<Overlay, { kind: 'pick' }>];
  expect(shown).toMatchObject({ kind: 'pick', command: 'resume', items: [{ value: 'here' }] });
  expect(shown.items[0]!.detail).toBe(`this one  ${localMinute(0)}  you: second  here`);
  expect(await run('/sessions third', undefined, { listSessions })).toEqual([expect.stringContaining('third')]);
});

it('/sessions TEXT tells copies apart', async () => {
  const at = (id: string, mtime: number, parent?: string) => {
    writeFileSync(join(dir, `${id}.jsonl`), `${JSON.stringify({ ...prompt('second'), seq: 1, time: 1 })}\n`);
    return { id, file: join(dir, `${id}.jsonl`), title: 'first', mtime, ...(parent && { parent }) };
  };
  const all = [at('c', 90_000_000, 'b'), at('b', 5, 'a'), at('a', 0)];
  const [shown] = (await run('/sessions second', undefined, { listSessions: () => all })) as [
    Extract<Overlay, { kind: 'pick' }>,
  ];
  expect(shown.items.map(({ detail }) => detail)).toEqual([
    `${localMinute(90_000_000)}  copy  you: second  copy of “first” b  c`,
    // At one minute, and of one name: the id comes first.
    `${localMinute(0)}  b  copy  you: second  copy of “first” a`,
    `${localMinute(0)}  a  you: second`,
  ]);
});

it('/export writes a file and never over one', async () => {
  expect(await run('/export out.html')).toEqual([`info: wrote ${join(dir, 'out.html')}`]);
  expect(readFileSync(join(dir, 'out.html'), 'utf8')).toContain('second');
  expect(await run('/export out.html')).toEqual([expect.stringContaining('exists')]);
});

describe('/rewind', () => {
  it('lists the prompts, newest first, without those that were gone back over', async () => {
    const bodies = [prompt('first'), prompt('wrong'), { type: 'rewind', to: 2 } as const, prompt('second')];
    expect(await run('/rewind', bodies)).toMatchObject([
      {
        kind: 'pick',
        command: 'rewind',
        items: [
          { label: 'second', value: '4' },
          { label: 'first', value: '1' },
        ],
      },
    ]);
    expect(await run('/rewind 2', bodies)).toEqual([expect.stringContaining('no prompt 2')]);
  });

  it('says before what would go, and that commands are not covered', async () => {
    const [a, b] = [join(dir, 'a.txt'), join(dir, 'b.txt')];
    const checkpoints = openCheckpoints(join(dir, 'state'), { project: dir, formerly: [] });
    for (const file of [a, b]) {
      const made = await checkpoints.before(2, file);
      writeFileSync(file, 'made\n');
      await made();
    }
    writeFileSync(b, 'by hand\n');
    const [ours, theirs] = ['ours.txt', 'theirs.txt'].map((name) => join(realpathSync(elsewhere), name)) as [
      string,
      string,
    ];
    for (const file of [ours, theirs]) {
      const made = await checkpoints.before(2, file);
      writeFileSync(file, 'made\n');
      await made();
    }
    const rules = createPermissions({
      project: dir,
      directories: [],
      allow: [],
      ask: [],
      deny: [],
      home: '/nonexistent',
      adaHome: dir,
    });
    const ran = (id: string, command: string): StoredBody => ({
      type: 'tool_call',
      id,
      name: 'bash',
      detail: '',
      input: { command },
    });
    const bodies = [
      prompt('first'),
      prompt('second'),
      ran('1', 'ls -l'),
      ran('2', 'touch made.txt'),
      ran('3', 'rm -rf build'),
    ];
    bodies.push({ type: 'approval', id: '3', decision: 'no', by: 'user' });
    // What lies outside of the project goes back where the log says that it was allowed.
    const input = { path: ours, content: 'made\n' };
    bodies.push({ type: 'tool_call', id: '4', name: 'write_file', detail: '', input });
    bodies.push({ type: 'approval', id: '4', decision: 'yes', by: 'user' });
    const [shown] = (await run('/rewind 2', bodies, { rules })) as [{ text: string; items: { value: string }[] }];
    expect(shown.text.split('\n')).toEqual([
      `goes away: ${ours} (was created)`,
      expect.stringContaining(`stays as it is: ${theirs} (it lies outside of the project`),
      'goes away: a.txt (was created)',
      'stays as it is: b.txt (something else changed it since)',
      'stays as it is: what commands changed since (touch made.txt)',
    ]);
    expect(shown.items.map(({ value }) => value)).toEqual(['2 both', '2 conversation', '2 files']);
  });

  it('offers no files where none would go back', async () => {
    const [shown] = (await run('/rewind 1')) as [{ text: string; items: { value: string; detail: string }[] }];
    expect(shown.text).toBe('No file was changed by ada since.');
    expect(shown.items).toMatchObject([
      { value: '1 conversation', detail: 'leaves out 2 prompts, 0 answers, 0 calls' },
    ]);
  });

  it('does it, and the prompt comes back to be changed', async () => {
    expect(await run('/rewind 2 both')).toEqual([{ type: 'rewind', to: 2, what: 'both' }, { draft: 'second' }]);
    const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'aGk=' } } as const;
    expect(await run('/rewind 1 both', [{ type: 'user', text: 'look', images: [image] }])).toEqual([
      { type: 'rewind', to: 1, what: 'both' },
      { draft: 'look', images: [image] },
    ]);
    expect(await run('/rewind 2 files')).toEqual([{ type: 'rewind', to: 2, what: 'files' }]);
    expect(await run('/rewind 2 all')).toEqual([expect.stringMatching(/^error/)]);
  });
});
