/** What each slash command asks of the session and of the screen. */
import { describe, expect, it } from 'vitest';
import type { SlashContext } from '../../../app/slash/command.ts';
import { findSlashCommand, slashCommands } from '../../../app/slash/index.ts';
import type { Session } from '../../../core/session.ts';
import { emptyState, type SessionState } from '../../../core/state.ts';

/** Runs a line and tells what it asked for, in order. */
async function run(
  line: string,
  state: Partial<SessionState> = {},
  more: Partial<SlashContext> = {},
): Promise<unknown[]> {
  const asked: unknown[] = [];
  const session = { id: 'here', state: { ...emptyState(), ...state } } as Session;
  const context: SlashContext = {
    session,
    todos: [],
    changes: [],
    workingMode: 'ask',
    commands: slashCommands,
    stateDir: null,
    rules: null,
    hint: 'HINT',
    send: (command) => asked.push(command) > 0,
    say: (level, text) => asked.push(`${level}: ${text}`),
    show: (overlay) => asked.push(overlay),
    listModels: async () => [],
    listSessions: () => [],
    open: async (which) => void asked.push({ open: which }),
    draft: (text) => asked.push({ draft: text }),
    exit: () => asked.push('exit'),
    ...more,
  };
  const [, name, argument = ''] = /^\/(\S+)\s*(.*)$/.exec(line)!;
  await findSlashCommand(name!)!.run(context, argument);
  return asked;
}

describe('modes', () => {
  it.each(['ask', 'plan', 'auto'])('/%s sets it', async (mode) => {
    expect(await run(`/${mode}`)).toEqual([{ type: 'set', mode }]);
    expect(await run(`/mode ${mode}`)).toEqual([{ type: 'set', mode }]);
  });
  it.each(['ask', 'plan', 'auto'])('/%s with a text also sends it', async (mode) => {
    expect(await run(`/${mode} fix it`)).toEqual([
      { type: 'set', mode },
      { type: 'prompt', text: 'fix it' },
    ]);
  });
  it('/mode alone lets choose, with the present one chosen', async () => {
    expect(await run('/mode', { mode: 'plan' })).toMatchObject([{ kind: 'pick', command: 'mode', selected: 1 }]);
  });
  it('/mode with another word says so', async () => {
    expect(await run('/mode turbo')).toEqual([expect.stringContaining('no mode turbo')]);
  });
});

describe('/run', () => {
  const carry = { type: 'prompt', text: 'Carry out the plan.' };
  it('leaves plan mode for the mode before it', async () => {
    expect(await run('/run', { mode: 'plan' })).toEqual([{ type: 'set', mode: 'ask' }, carry]);
    expect(await run('/run', { mode: 'plan' }, { workingMode: 'auto' })).toEqual([
      { type: 'set', mode: 'auto' },
      carry,
    ]);
  });
  it('keeps another mode, and waits for no running turn', async () => {
    expect(await run('/run', { mode: 'auto' })).toEqual([carry]);
    expect(await run('/run', { mode: 'plan', running: true })).toEqual([expect.stringContaining('error')]);
  });
});

describe('models', () => {
  const model = (id: string, more = {}) => ({
    id,
    provider: 'ollama',
    local: true,
    contextTokens: 32768,
    outputTokens: null,
    tools: true,
    vision: null,
    reasoning: null,
    size: null,
    price: null,
    ...more,
  });
  const listModels = async () => [model('ollama/a'), model('ollama/b'), model('ollama/embed', { embedding: true })];
  it('/model ID switches', async () => {
    expect(await run('/model ollama/b')).toEqual([{ type: 'set', model: 'ollama/b' }]);
  });
  it('/model lets choose among those that can be an agent', async () => {
    const [shown] = await run('/model', { model: 'ollama/b' }, { listModels });
    expect(shown).toMatchObject({
      kind: 'pick',
      command: 'model',
      selected: 1,
      items: [{ value: 'ollama/a' }, { value: 'ollama/b' }],
    });
  });
  it('/models shows all', async () => {
    const [shown] = await run('/models', {}, { listModels });
    expect(shown).toMatchObject({ kind: 'text', text: expect.stringMatching(/ollama\/a[\s\S]*ollama\/embed/) });
  });
  it.each(['/model', '/models'])('%s without any says so', async (line) => {
    expect(await run(line)).toEqual(['error: no model can be reached']);
  });
});

describe('what there is', () => {
  it('/todos', async () => {
    expect(await run('/todos')).toEqual(['info: no todos yet']);
    const [shown] = await run(
      '/todos',
      {},
      {
        todos: [
          { text: 'one', status: 'done' },
          { text: 'two', status: 'active' },
        ],
      },
    );
    expect(shown).toMatchObject({ kind: 'text', text: '[x] one\n[>] two' });
  });
  it('/diff', async () => {
    expect(await run('/diff')).toEqual([expect.stringContaining('nothing was changed')]);
    const change = {
      kind: 'diff' as const,
      path: 'a',
      patch: '--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n',
      added: 1,
      removed: 1,
    };
    const [shown] = await run('/diff', {}, { changes: [change, change] });
    expect(shown).toMatchObject({ kind: 'text', format: 'diff', title: '2 changes, +2 −2' });
  });
  it('/help names every command', async () => {
    const [shown] = (await run('/help')) as { text: string }[];
    for (const { name } of slashCommands) expect(shown!.text).toContain(`/${name}`);
    expect(shown!.text).toContain('/quit');
  });
});

describe('conversations', () => {
  const stored = ['here', 'other'].map((id) => ({ id, file: `${id}.jsonl`, title: `about ${id}`, mtime: 0 }));
  const listSessions = () => stored;
  it('/resume lets choose among the others, and goes to the one that is named', async () => {
    expect(await run('/resume')).toEqual([expect.stringContaining('no other conversation')]);
    expect(await run('/resume', {}, { listSessions })).toMatchObject([
      { kind: 'pick', command: 'resume', items: [{ value: 'other' }] },
    ]);
    expect(await run('/resume other')).toEqual([{ open: { resume: 'other' } }]);
  });
  it('/sessions lists all and marks this one', async () => {
    expect(await run('/sessions', {}, { listSessions })).toMatchObject([
      {
        kind: 'pick',
        command: 'resume',
        items: [
          { label: 'about other', value: 'other' },
          { label: 'about here', value: 'here', detail: expect.stringMatching(/^this one/) },
        ].reverse(),
      },
    ]);
  });
  it.each(['/clear', '/new'])('%s begins a new one', async (line) => {
    expect(await run(line)).toEqual([{ open: 'new' }]);
  });
  it.each(['/exit', '/quit', '/q'])('%s leaves', async (line) => {
    expect(await run(line)).toEqual(['exit']);
  });
});

it('no two commands share a name', () => {
  const names = slashCommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
});
