import { describe, expect, it } from 'vitest';
import { coreTools, lateTools, resolveCall } from '../../../core/tools/index.ts';
import { testContext } from './tool-context.ts';

const skill = {
  name: 'review',
  category: 'code',
  description: 'Reviews code.',
  body: 'Look closely.',
  folder: '/skills/review',
};
const skills = {
  list: (category?: string) => (category && category !== 'code' ? [] : [skill]),
  find: (query: string) => (query.includes('review') ? [skill] : []),
  load: (name: string) => (name === 'review' ? skill : undefined),
};
const tools = [...coreTools(), ...lateTools({ skills })];

function check(name: string, input: unknown, tool: string, expected: Record<string, unknown>) {
  const resolved = resolveCall(name, input, tools);
  if ('error' in resolved) throw new Error(resolved.error);
  expect([resolved.tool.name, resolved.input]).toEqual([tool, expected]);
}
function wrong(name: string, input: unknown, error: string) {
  expect(resolveCall(name, input, tools)).toEqual({ error });
}

it('fits into the first request', () => {
  const wrapped = coreTools().map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
  expect(wrapped.map((tool) => tool.function.name)).toEqual([
    'read_file',
    'write_file',
    'edit_file',
    'bash',
    'ls',
    'glob',
    'grep',
    'update_todos',
    'use_tool',
  ]);
  expect(Buffer.byteLength(JSON.stringify(wrapped))).toBeLessThanOrEqual(2900);
  expect(wrapped[0]!.function.parameters).toEqual({
    type: 'object',
    properties: {
      path: { type: 'string' },
      offset: { type: 'integer', description: 'first line' },
      limit: { type: 'integer' },
    },
    required: ['path'],
  });
});

describe('names that other agents taught models', () => {
  it('of tools', () => {
    for (const name of ['read', 'cat', 'view', 'ReadFile', 'functions.read_file', 'open_file'])
      check(name, { path: 'a' }, 'read_file', { path: 'a' });
    for (const name of ['shell', 'run', 'run_command', 'Bash', 'execute_command', 'run_in_terminal'])
      check(name, { command: 'ls' }, 'bash', { command: 'ls' });
    for (const name of ['write', 'create_file', 'write_to_file'])
      check(name, { path: 'a', content: 'b' }, 'write_file', { path: 'a', content: 'b' });
    for (const name of ['edit', 'str_replace', 'replace'])
      check(name, { path: 'a', old: 'b', new: 'c' }, 'edit_file', { path: 'a', old: 'b', new: 'c' });
    check('list_dir', { relative_workspace_path: 'src' }, 'ls', { path: 'src' });
    check('search_file_content', { pattern: 'x', include: '*.ts' }, 'grep', { pattern: 'x', glob: '*.ts' });
    check('file_search', { query: '*.ts' }, 'glob', { pattern: '*.ts' });
  });

  it('of arguments', () => {
    for (const key of ['file_path', 'filepath', 'filePath', 'filename', 'file', 'target_file'])
      check('read_file', { [key]: 'a' }, 'read_file', { path: 'a' });
    check('Edit', { file_path: 'a', old_string: 'b', new_string: 'c', replace_all: true }, 'edit_file', {
      path: 'a',
      old: 'b',
      new: 'c',
      all: true,
    });
    check('edit', { path: 'a', oldText: 'b', newText: 'c' }, 'edit_file', { path: 'a', old: 'b', new: 'c' });
    check('multi_edit', { file_path: 'a', edits: [{ old_string: 'b', new_string: 'c' }] }, 'edit_file', {
      path: 'a',
      edits: [{ old: 'b', new: 'c' }],
    });
    check('write', { filename: 'a', contents: 'b' }, 'write_file', { path: 'a', content: 'b' });
    check('run', { cmd: 'ls', workdir: 'src', timeout_ms: 5000 }, 'bash', { command: 'ls', cwd: 'src', timeout: 5 });
    check('shell', { command: ['bash', '-lc', 'ls | wc'] }, 'bash', { command: 'ls | wc' });
    check('shell', { command: ['git', 'commit', '-m', "it's"] }, 'bash', { command: "git commit -m 'it'\\''s'" });
    check('view', { path: 'a', view_range: [5, 9] }, 'read_file', { path: 'a', offset: 5, limit: 5 });
    check('read', { path: 'a', start_line: 3, end_line: 4 }, 'read_file', { path: 'a', offset: 3, limit: 2 });
    check(
      'str_replace_based_edit_tool',
      { command: 'str_replace', path: 'a', old_str: 'b', new_str: '' },
      'edit_file',
      { path: 'a', old: 'b', new: '' },
    );
    check('TodoWrite', { todos: [{ content: 'x', status: 'in_progress', id: '1' }, 'y'] }, 'update_todos', {
      items: [
        { text: 'x', status: 'active' },
        { text: 'y', status: 'pending' },
      ],
    });
    check('edit_file', { path: 'a', old: 'b', new: 'c', old_string: 'other' }, 'edit_file', {
      path: 'a',
      old: 'b',
      new: 'c',
    });
  });
});

describe('arguments that are wrong but certain', () => {
  it('are repaired', () => {
    check('read_file', { path: 'a', offset: '10', limit: 5.0 }, 'read_file', { path: 'a', offset: 10, limit: 5 });
    check('read_file', { path: 'a', offset: null }, 'read_file', { path: 'a' });
    check('read_file', '{"path":"a"}', 'read_file', { path: 'a' });
    check('bash', 'ls -l', 'bash', { command: 'ls -l' });
    check('edit_file', { path: 'a', edits: '[{"old":"b","new":"c","all":"true"}]' }, 'edit_file', {
      path: 'a',
      edits: [{ old: 'b', new: 'c', all: true }],
    });
    check('edit_file', { path: 'a', edits: { old: 'b', new: 'c' } }, 'edit_file', {
      path: 'a',
      edits: [{ old: 'b', new: 'c' }],
    });
    check('write_file', { path: 'a', content: 5 }, 'write_file', { path: 'a', content: '5' });
  });

  it('or named in one sentence', () => {
    wrong('read_file', {}, 'read_file: `path` is missing: a string is wanted.');
    wrong('read_file', { path: 'a', offset: 'x' }, 'read_file: `offset` must be an integer, not "x".');
    wrong(
      'edit_file',
      { path: 'a', edits: [{ old: 'b' }] },
      'edit_file: `edits[0].new` is missing: a string is wanted.',
    );
    wrong(
      'update_todos',
      { items: [{ text: 'a', status: 'odd' }] },
      'update_todos: `items[0].status` must be one of pending, active, done, not "odd".',
    );
    wrong('read_file', [1], 'read_file: the arguments must be an object.');
  });

  it('an unknown tool names the nearest and all', () => {
    const { error } = resolveCall('reed_file', {}, tools) as { error: string };
    expect(error).toMatch(/^There is no tool "reed_file". Did you mean read_file\? The tools are: read_file, /);
  });
});

describe('late tools', () => {
  it('are reached through use_tool or by name, as themselves', () => {
    check('use_tool', { name: 'find_skill', input: { query: 'review' } }, 'find_skill', { query: 'review' });
    check('use_tool', { name: 'find_skill', input: '{"query":"review"}' }, 'find_skill', { query: 'review' });
    check('use_tool', { name: 'find_skill', arguments: { query: 'review' } }, 'find_skill', { query: 'review' });
    check('use_tool', { name: 'find_skill', query: 'review' }, 'find_skill', { query: 'review' });
    check('use_skill', { skill_name: 'review' }, 'use_skill', { name: 'review' });
    check('use_tool', { name: 'bash', input: { cmd: 'ls' } }, 'bash', { command: 'ls' });
    expect(resolveCall('use_tool', { name: 'nope' }, tools)).toHaveProperty('error');
    expect(resolveCall('use_tool', { name: 'use_tool', input: { name: 'bash' } }, tools)).toHaveProperty('error');
  });

  it('show their schema when the input is missing or wrong', async () => {
    const context = testContext(tools);
    const asked = await context.call('use_tool', { name: 'use_skill' });
    expect(asked.isError).toBeUndefined();
    expect(asked.output).toBe(
      'use_skill: Load the instructions of a skill.\nInput: {"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}',
    );
    expect((await context.call('use_tool', { name: 'use_skill', input: { x: 1 } })).output).toMatch(
      /^use_skill: `name` is missing.*\nuse_skill: Load/,
    );
  });

  it('work', async () => {
    const context = testContext(tools);
    expect((await context.call('list_skills', {})).output).toBe('review: Reviews code.');
    expect((await context.call('list_skills', { category: 'none' })).output).toBe('There is no skill in none.');
    expect((await context.call('find_skill', { query: 'review it' })).output).toContain('review: Reviews code.');
    expect(await context.call('use_skill', { name: 'review' })).toEqual({
      output: 'Skill review. Relative paths in it start at /skills/review.\n\nLook closely.',
      events: [{ type: 'skill', name: 'review', reason: 'model' }],
    });
    expect(await context.call('use_skill', { name: 'reviewer' })).toMatchObject({
      isError: true,
      output: expect.stringContaining('Did you mean review'),
    });
  });
});

it('update_todos stores the list', async () => {
  const items = [
    { text: 'a', status: 'done' },
    { text: 'b', status: 'active' },
  ];
  expect(await testContext().call('update_todos', { items })).toEqual({
    output: '2 items: 1 done, 1 active, 0 pending.',
    display: { kind: 'todos', items },
    events: [{ type: 'todos', items }],
  });
});

it('gates name absolute paths, the same that the tool uses', () => {
  const gate = (name: string, input: unknown) => tools.find((tool) => tool.name === name)!.gate(input, { cwd: '/w' });
  expect(gate('read_file', { path: '../x' })).toEqual({ kind: 'read', paths: ['/x'] });
  expect(gate('edit_file', { path: 'x' })).toEqual({ kind: 'write', paths: ['/w/x'] });
  expect(gate('glob', { pattern: '/etc/*.conf' })).toEqual({ kind: 'read', paths: ['/etc'] });
  expect(gate('glob', { pattern: '../../*.c', path: 'a/b/c' })).toEqual({ kind: 'read', paths: ['/w/a'] });
  expect(gate('grep', { pattern: 'x' })).toEqual({ kind: 'read', paths: ['/w'] });
  expect(gate('bash', { command: 'ls', cwd: 'sub' })).toEqual({ kind: 'command', command: 'ls', cwd: '/w/sub' });
  expect(gate('update_todos', { items: [] })).toEqual({ kind: 'none' });
});
