/** Calls that local models print in place of making them, and calls that a server loses: all the way to their result. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '../fakes/script.ts';
import { callsOf, doneOf, find, project, type StartOptions, server, shown, start, turn } from './local-session.ts';

/** The model says this, then that it is over. */
async function say(said: ScriptedTurn, options: StartOptions = {}) {
  server.set({ turns: [said, { text: 'Over.' }] });
  return turn(await start(options));
}

describe('a printed call runs, and its markup is never shown', () => {
  const ls = [['bash', { command: 'ls' }]];
  const readA = [['read_file', { path: 'a.txt' }]];
  it.each<[string, ScriptedTurn, unknown[]]>([
    [
      'in the thinking channel, in the form of XML parameters',
      {
        reasoning:
          'I will look around.\n<tool_call>\n<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>',
      },
      ls,
    ],
    [
      'as a function without its wrapper and without any end, arguments by other names',
      { text: '<function=write_file>\n<parameter=file_path> note.md\n<parameter=contents> hello' },
      [['write_file', { path: 'note.md', content: 'hello' }]],
    ],
    ['as bare JSON', { text: '{"name": "read_file", "arguments": {"path": "a.txt"}}' }, readA],
    [
      'as fenced JSON in another case, with a key that has no quotes',
      { text: '```json\n{"name": "Write", "arguments": {"file_path": "run.sh", content: "ls -lah"}}\n```' },
      [['write_file', { path: 'run.sh', content: 'ls -lah' }]],
    ],
    [
      'in harmony’s channels',
      {
        text: '<|channel|>analysis<|message|>Let me see.<|end|><|start|>assistant<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"command":"ls"}<|call|>',
      },
      ls,
    ],
    [
      'in harmony’s channels, recipient in the role',
      {
        text: '<|start|>assistant to=functions.bash<|channel|>commentary<|constrain|>json<|message|>{"command":"ls"}<|call|>',
      },
      ls,
    ],
    [
      'in harmony’s channels without their marks',
      { text: 'analysisWe need a look.assistantcommentary to=functions.bash json{"command":"ls"}' },
      ls,
    ],
    [
      'between full-width bars, the name outside of the JSON',
      {
        text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>bash\n```json\n{"command": "ls"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      },
      ls,
    ],
    [
      'behind a python tag, two joined by a semicolon',
      {
        text: '<|python_tag|>{"name": "bash", "parameters": {"command": "ls"}}; {"name": "read_file", "parameters": {"path": "a.txt"}}',
      },
      [...ls, ...readA],
    ],
    [
      'in a tag with the name of the tool, behind a sentence',
      { text: 'I read it.\n<read_file>\n<path>a.txt</path>\n</read_file>' },
      readA,
    ],
    [
      'in a tag with another name of the tool',
      { text: '<execute_command>\n<command>ls</command>\n</execute_command>' },
      ls,
    ],
    [
      'in an <invoke> with nothing around it',
      { text: '<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>' },
      readA,
    ],
    ['behind a python tag, as Python', { text: '<|python_tag|>bash(command="ls")' }, ls],
    ['with marked arguments', { text: '[TOOL_CALLS]read_file[ARGS]{"path": "a.txt"}' }, readA],
    ['as a marked list', { text: '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a.txt"}}]' }, readA],
  ])('%s', async (_, said, calls) => {
    const events = await say({ ...said, pieceSize: 7 });
    expect(callsOf(events)).toEqual(calls);
    expect(find(events, 'tool_result').map(({ isError }) => isError)).toEqual(calls.map(() => false));
    expect(shown(events)).not.toMatch(
      /<\||<｜|tool_call|function|parameter|invoke|<path|<command|TOOL_CALLS|ARGS|"name"|python_tag|to=/,
    );
    expect(doneOf(events)).toMatchObject({ finish: 'stop', text: 'Over.' });
  });

  it('goes through the permissions like any other', async () => {
    const call = '<tool_call>\n{"name": "bash", "arguments": {"command": "touch made"}}\n</tool_call>';
    const asked = await say({ reasoning: `Now.\n${call}` }, { mode: 'ask' });
    expect(find(asked, 'approval')).toMatchObject([{ decision: 'no', by: 'headless' }]);
    expect(doneOf(asked).denials).toMatchObject([{ name: 'bash' }]);
    const destructive = await say({ text: call.replace('touch made', 'rm -rf ../project') });
    expect(find(destructive, 'approval')).toMatchObject([{ decision: 'no' }]);
    expect(existsSync(join(project, 'made'))).toBe(false);
    expect(existsSync(join(project, 'a.txt'))).toBe(true);
  });
});

describe('what is no call stays text', () => {
  it.each<[string, string]>([
    [
      'markup in a sentence',
      'To delete it one would write <function=bash><parameter=command>rm -rf x</parameter></function> here.',
    ],
    [
      'markup in a fence',
      'An example:\n```\n<tool_call>\n{"name": "bash", "arguments": {"command": "touch made"}}\n</tool_call>\n```\n',
    ],
    ['an object that names no tool', 'Here is a user: {"name": "Alice"}'],
  ])('%s', async (_, text) => {
    server.set({ turns: [{ text, pieceSize: 5 }] });
    const events = await turn(await start());
    expect(callsOf(events)).toEqual([]);
    expect(doneOf(events)).toMatchObject({ finish: 'stop', text });
  });

  it('a call quoted inside of an argument is not the one that runs', async () => {
    const inner = '<tool_call>{"name": "bash", "arguments": {"command": "touch made"}}</tool_call>';
    const outer = { name: 'write_file', arguments: { path: 'quote.md', content: inner } };
    const events = await say({ text: `<tool_call>\n${JSON.stringify(outer)}\n</tool_call>` });
    expect(callsOf(events)).toEqual([['write_file', outer.arguments]]);
    expect(readFileSync(join(project, 'quote.md'), 'utf8')).toContain(inner);
  });
});

it('a call of no use gets a correction, not a silent end', async () => {
  const events = await say({ text: '<tool_call>\n{"name": "bash", "arguments": {"comand": ["ls"]}}\n</tool_call>' });
  const [result] = find(events, 'tool_result');
  expect(result).toMatchObject({ name: 'bash', isError: true, output: expect.stringMatching(/command/) });
  expect(JSON.stringify(server.chats()[1]!.body.messages)).toContain('command');
  expect(doneOf(events)).toMatchObject({ text: 'Over.' });
});

it.each<[string, string]>([
  ['that cannot be read', '<write_to_file>\n<path>made</path>\n</write_to_file>'],
  ['with a result that the model made up', '<ls>\n<path>.</path>\n</ls>\n\nThere is only b.txt.'],
  ['of no known form', '<tool_call>read_file with a.txt</tool_call>'],
])('markup %s is told to the model, and to the person where that does not help', async (_, text) => {
  const events = await say({ text, pieceSize: 5 });
  expect(callsOf(events)).toEqual([]);
  expect(JSON.stringify(server.chats()[1]!.body.messages.at(-1))).toContain('nothing was run');
  expect(find(events, 'notice').at(-1)).toMatchObject({ text: expect.stringContaining('writes its calls as text') });
});

describe('calls that the server loses', () => {
  const call = { calls: [{ name: 'read_file', input: { path: 'a.txt' } }] };

  it('a call in a line before the last counts, though the last says stop', async () => {
    const events = await say(call);
    expect(callsOf(events)).toEqual([['read_file', { path: 'a.txt' }]]);
    expect(find(events, 'assistant')[0]).toMatchObject({ finish: 'tool_use' });
    expect(server.chats().map(({ body }) => body.stream)).toEqual([true, true]);
  });

  it.each<[StartOptions['wire']]>([['ollama'], ['lmstudio']])(
    '%s: an empty streamed answer is asked for once more, not streamed',
    async (wire) => {
      const events = await say({ ...call, streamed: { calls: [] } }, { wire });
      expect(server.chats().map(({ body }) => body.stream)).toEqual([true, false, true]);
      const { stream: _, stream_options: __, ...first } = server.chats()[0]!.body;
      expect(server.chats()[1]!.body).toEqual({ ...first, stream: false });
      expect(callsOf(events)).toEqual([['read_file', { path: 'a.txt' }]]);
      expect(find(events, 'retry')).toMatchObject([{ discard: true, reason: 'the model answered nothing' }]);
      expect(doneOf(events)).toMatchObject({ text: 'Over.' });
    },
  );

  it('once: a model that says nothing has said nothing, and a person is told', async () => {
    server.set({ turns: [{}] });
    const events = await turn(await start());
    expect(server.chats()).toHaveLength(2);
    expect(find(events, 'notice')).toMatchObject([{ level: 'warning', text: 'the model answered nothing' }]);
    expect(doneOf(events)).toMatchObject({ finish: 'stop', text: '' });
  });

  it('a name that is debris of the server’s parser is asked for once more as well', async () => {
    const events = await say({ ...call, streamed: { calls: [{ name: '"}', raw: '[ARGS]{"' }] } }, { wire: 'lmstudio' });
    expect(server.chats().map(({ body }) => body.stream)).toEqual([true, false, true]);
    expect(callsOf(events)).toEqual([['read_file', { path: 'a.txt' }]]);
  });

  it('no hosted server is asked twice', async () => {
    server.set({ turns: [{}] });
    await turn(await start({ wire: 'anthropic' }));
    expect(server.chats()).toHaveLength(1);
  });
});

describe('a model that cannot form a call', () => {
  const broken = '<tool_call>\n{"name": "bash", "arguments": {"comand": ["ls"]}}\n</tool_call>';
  const formed = { text: JSON.stringify({ name: 'bash', arguments: { command: 'ls' } }) };

  it('is held to the form of a call after two tries, and then free again', async () => {
    server.set({ turns: [{ text: broken }, { text: broken.replace('["ls"]', '["pwd"]') }, formed, { text: 'Over.' }] });
    const events = await turn(await start());
    const bodies = server.chats().map(({ body }) => body);
    expect(bodies.map(({ format }) => format !== undefined)).toEqual([false, false, true, false]);
    const names = bodies[2]!.format.anyOf.map((one: any) => one.properties.name.const);
    expect(names).toEqual(bodies[2]!.tools.map((tool: any) => tool.function.name));
    // The prompt itself begins as ever: nothing that the server has read is read anew.
    expect(bodies[2]!.tools).toEqual(bodies[1]!.tools);
    expect(callsOf(events).at(-1)).toEqual(['bash', { command: 'ls' }]);
    expect(find(events, 'tool_result').map(({ isError }) => isError)).toEqual([true, true, false]);
    expect(find(events, 'notice').filter(({ text }) => text.includes('held to'))).toHaveLength(1);
    expect(doneOf(events)).toMatchObject({ text: 'Over.' });
  });

  it('is not held where a call only failed, or the server cannot do it', async () => {
    const failing = [1, 2, 3].map((n) => ({ calls: [{ name: 'read_file', input: { path: `absent-${n}` } }] }));
    server.set({ turns: [...failing, { text: 'Over.' }] });
    await turn(await start());
    expect(server.chats().some(({ body }) => body.format)).toBe(false);
    server.set({ turns: [{ text: broken }, { text: broken.replace('ls', 'pwd') }, { text: 'Over.' }] });
    await turn(await start({ wire: 'lmstudio' }));
    expect(server.chats()).toHaveLength(3);
    expect(server.chats().some(({ body }) => body.response_format)).toBe(false);
  });
});

describe('a call as text at the end of a message', () => {
  const fenced = 'I will read it.\n\n```json\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n```';
  const notes = (events: Awaited<ReturnType<typeof turn>>) => find(events, 'note').map(({ text }) => text);

  it.each<[string, string]>([
    ['in a fence', fenced],
    ['in ReAct’s lines', 'Thought: look.\nAction: read_file\nAction Input: {"path": "a.txt"}'],
    ['as Cohere does', 'Action: ```json\n[{"tool_name": "read_file", "parameters": {"path": "a.txt"}}]\n```'],
  ])('%s: the model is told, and calls', async (_, text) => {
    let asked = 0;
    const call = { calls: [{ name: 'read_file', input: { path: 'a.txt' } }] };
    server.set({ turns: () => [{ text }, call, { text: 'It says alpha.' }][asked++]! });
    const events = await turn(await start());
    expect(notes(events)).toEqual([expect.stringContaining('only written as text')]);
    expect(callsOf(events)).toEqual([['read_file', { path: 'a.txt' }]]);
    expect(doneOf(events)).toMatchObject({ finish: 'stop', text: 'It says alpha.' });
  });

  const warnings = (events: Awaited<ReturnType<typeof turn>>) =>
    find(events, 'notice').flatMap(({ level, text }) => (level === 'warning' && text.includes('calls') ? [text] : []));

  it('a second time: it is held to a call where the server can do that, and is free again', async () => {
    let asked = 0;
    const held = { text: JSON.stringify({ name: 'read_file', arguments: { path: 'a.txt' } }) };
    server.set({ turns: () => [{ text: fenced }, { text: fenced }, held, { text: 'It says alpha.' }][asked++]! });
    const events = await turn(await start());
    expect(server.chats().map(({ body }) => body.format !== undefined)).toEqual([false, false, true, false]);
    expect(callsOf(events)).toEqual([['read_file', { path: 'a.txt' }]]);
    expect(notes(events)).toHaveLength(1);
    expect(warnings(events)).toEqual([]);
    expect(doneOf(events)).toMatchObject({ finish: 'stop', text: 'It says alpha.' });
  });

  it.each<[NonNullable<StartOptions['wire']>, number]>([
    ['ollama', 3],
    ['lmstudio', 2],
  ])('%s: is never run, and where nothing helps a person is told', async (wire, requests) => {
    server.set({ turns: [{ text: fenced }] });
    const events = await turn(await start({ wire }));
    expect(server.chats()).toHaveLength(requests);
    expect(callsOf(events)).toEqual([]);
    expect(notes(events)).toHaveLength(1);
    expect(warnings(events)).toEqual([expect.stringContaining('writes its calls as text instead of making them')]);
    expect(doneOf(events)).toMatchObject({ finish: 'stop', text: fenced });
  });

  it('at the limit of the turn it stays as it is', async () => {
    server.set({ turns: [{ text: fenced }] });
    const events = await turn(await start({ maxTurns: 1 }));
    expect(server.chats()).toHaveLength(1);
    expect(doneOf(events)).toMatchObject({ finish: 'stop', text: fenced });
  });
});
