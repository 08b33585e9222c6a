/** What `ada -p` writes to standard output, in its three formats and over the three wire formats. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import type { Script } from '../fakes/script.ts';
import { ada, makePlace, type Place, parseLines, typesOf, type WireName, wireEnv } from './ada.ts';

let server: ModelServer;
let place: Place;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  place = makePlace({ 'README.md': '# A sample\n', 'b.txt': 'second\n' });
});
afterEach(() => place.dispose());

const looking: Script = {
  turns: [
    {
      text: 'Let me look.',
      calls: [
        { name: 'read_file', input: { path: 'README.md' } },
        { name: 'read_file', input: { path: 'b.txt' } },
      ],
    },
    { text: 'A sample, and a second file.' },
  ],
};
const live = ['text', 'reasoning', 'tool_progress'];

describe.each<WireName>(['ollama', 'openai-chat', 'anthropic'])('%s', (wire) => {
  it('changes a file by a tool and leaves the answer alone on standard output', async () => {
    server.set({
      turns: [
        {
          reasoning: 'A file is wanted.',
          text: 'Writing it.',
          calls: [
            { name: 'write_file', input: { path: 'out/new.txt', content: 'made by ada, “quoted” ✓\n' } },
            { name: 'read_file', input: { path: 'b.txt' } },
          ],
        },
        { text: 'Written: out/new.txt.' },
      ],
    });
    const env = wireEnv(wire, server.url);
    const run = await ada(['-p', '--yolo', 'Write it.'], { place, env });
    expect(run).toMatchObject({ code: 0, stdout: 'Written: out/new.txt.\n' });
    expect(readFileSync(join(place.project, 'out/new.txt'), 'utf8')).toBe('made by ada, “quoted” ✓\n');
    expect(server.chats().map((request) => [request.wire, request.status])).toEqual([
      [wire, 200],
      [wire, 200],
    ]);
    const stored = place.log();
    expect(stored.filter((event) => event.type === 'assistant')).toMatchObject([
      { finish: 'tool_use', served: { model: 'test-model:latest', local: wire === 'ollama', attempts: 1 } },
      { finish: 'stop' },
    ]);
  });

  it('shows every byte to the model in the order in which it was said', async () => {
    server.set(looking);
    await ada(['-p', 'Compare.'], { place, env: wireEnv(wire, server.url) });
    const [first, second] = server.chats();
    expect(first?.text).toContain('Compare.');
    expect(second?.text).toContain('# A sample');
    expect(second!.text.indexOf('# A sample')).toBeLessThan(second!.text.lastIndexOf('second'));
  });
});

it('json: one object with every field of the contract', async () => {
  server.set(looking);
  const run = await ada(['-p', '--output-format', 'json', 'Compare.'], { place, env: wireEnv('ollama', server.url) });
  expect(run.code).toBe(0);
  const result = JSON.parse(run.stdout);
  expect(result).toEqual({
    type: 'result',
    session: expect.any(String),
    text: 'A sample, and a second file.',
    finish: 'stop',
    isError: false,
    error: null,
    usage: {
      input: expect.any(Number),
      output: expect.any(Number),
      cacheRead: null,
      cacheWrite: null,
      reasoning: null,
      // A local model costs nothing, or nobody knows what it costs: never a guess.
      cost: expect.toSatisfy((cost) => cost === null || cost === 0),
    },
    turns: 2,
    denials: [],
    served: expect.objectContaining({ backend: 'ollama', model: 'test-model:latest', local: true }),
    durationMs: expect.any(Number),
  });
  expect(existsSync(join(place.project, '.ada/sessions', `${result.session}.jsonl`))).toBe(true);
});

it('json: the sum of the usage that the server reported', async () => {
  server.set({
    turns: [
      { calls: [{ name: 'ls' }], usage: { input: 100, output: 10, cacheRead: 40 } },
      { text: 'Over.', usage: { input: 200, output: 5, cacheRead: 90, reasoning: 3 } },
    ],
  });
  const run = await ada(['-p', '--json', 'Go.'], { place, env: wireEnv('openai-chat', server.url) });
  expect(JSON.parse(run.stdout).usage).toMatchObject({ input: 300, output: 15, cacheRead: 130, reasoning: 3 });
});

it('stream-json: stored events numbered without gaps, live ones with their offset, one done at the end', async () => {
  server.set({
    turns: [{ reasoning: 'Both of them.', ...(looking.turns as any)[0], pieceSize: 5 }, (looking.turns as any)[1]],
  });
  const run = await ada(['-p', '--output-format', 'stream-json', 'Compare.'], {
    place,
    env: wireEnv('ollama', server.url),
  });
  expect(run.code).toBe(0);
  const events = parseLines(run.stdout);
  const stored = events.filter((event) => !live.includes(event.type));
  expect(stored.map((event) => event.seq)).toEqual(stored.map((_, index) => index + 1));
  for (const event of stored) expect(event.time).toBeTypeOf('number');
  expect(typesOf(stored)).toEqual([
    'session',
    'user',
    'assistant',
    'tool_call',
    'tool_call',
    'tool_result',
    'tool_result',
    'assistant',
    'done',
  ]);
  expect(stored[0]).toMatchObject({
    version: 1,
    project: place.project,
    cwd: place.project,
    model: expect.stringContaining('test-model'),
  });
  expect(stored[0].tools.map((tool: { name: string }) => tool.name)).toContain('use_tool');
  expect(stored.at(-1)).toMatchObject({ text: 'A sample, and a second file.', finish: 'stop', turns: 2, denials: [] });

  // Live pieces join up to the message that ends them, and say where they belong.
  let [text, reasoning] = ['', ''];
  for (const event of events) {
    if (live.includes(event.type)) expect(event).not.toHaveProperty('seq');
    if (event.type === 'text') {
      expect(event.at).toBe(text.length);
      text += event.delta;
    }
    if (event.type === 'reasoning') {
      expect(event.at).toBe(reasoning.length);
      reasoning += event.delta;
    }
    if (event.type !== 'assistant') continue;
    const said = (kind: string) =>
      event.content
        .filter((part: any) => part.type === kind)
        .map((part: any) => part.text)
        .join('');
    expect({ text, reasoning }).toEqual({ text: said('text'), reasoning: said('reasoning') });
    [text, reasoning] = ['', ''];
  }
  // What is printed is what is stored.
  expect(place.log()).toEqual(stored);
});

it('every result follows its call, also of calls that are invalid, unknown or denied', async () => {
  server.set({
    turns: [
      {
        calls: [
          { name: 'bash', raw: '{"command": "touch cut' },
          { name: 'no_such_tool', input: {} },
          { name: 'write_file', input: { path: 'denied.txt', content: '' } },
          { name: 'read_file', input: {} },
        ],
      },
      { text: 'None of them.' },
    ],
  });
  const env = wireEnv('openai-chat', server.url);
  const run = await ada(['-p', '--mode', 'plan', '--output-format', 'stream-json', 'Go.'], { place, env });
  const events = parseLines(run.stdout);
  const calls = events.filter((event) => event.type === 'tool_call');
  expect(calls).toHaveLength(4);
  for (const call of calls) {
    const at = (type: string) => events.findIndex((event) => event.type === type && event.id === call.id);
    expect(at('tool_result')).toBeGreaterThan(at('tool_call'));
  }
  expect(events.filter((event) => event.type === 'tool_result').map((event) => event.isError)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'done', finish: 'stop', denials: [{ name: 'write_file' }] });
  expect(existsSync(join(place.project, 'denied.txt'))).toBe(false);
  expect(run.code).toBe(0);
});

it('headless asks nobody: what would ask is denied, the model is told, and the result lists it', async () => {
  server.set({
    turns: [{ calls: [{ name: 'write_file', input: { path: 'x.txt', content: 'x' } }] }, { text: 'I may not.' }],
  });
  const run = await ada(['-p', '--json', 'Write.'], { place, env: wireEnv('ollama', server.url) });
  expect(run.code).toBe(0);
  const result = JSON.parse(run.stdout);
  expect(result).toMatchObject({
    text: 'I may not.',
    isError: false,
    denials: [{ name: 'write_file', reason: expect.stringMatching(/./) }],
  });
  expect(existsSync(join(place.project, 'x.txt'))).toBe(false);
  const events = place.log();
  const kinds = events.filter((event) => 'id' in event && event.id === result.denials[0].id);
  expect(typesOf(kinds)).toEqual(['tool_call', 'approval_request', 'approval', 'tool_result']);
  expect(kinds[2]).toMatchObject({ decision: 'no', by: 'headless' });
});
