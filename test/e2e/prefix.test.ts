/** What a session sends: small at first, and every request begins with the one before it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, type RecordedRequest, startModelServer } from '../fakes/model-server.ts';
import type { Script } from '../fakes/script.ts';
import { ada, makePlace, type Place, type WireName, wireEnv } from './ada.ts';

let server: ModelServer;
let place: Place;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  place = makePlace({ 'a.txt': 'one\n', 'sub/AGENTS.md': 'Here, speak softly.\n', 'sub/b.txt': 'two\n' });
});
afterEach(() => place.dispose());

/** Everything of a request but its messages. Where a cache mark stands is no part of what the model reads. */
function parts({ body }: RecordedRequest): { fixed: string; messages: string } {
  const { messages, ...fixed } = body;
  const unmarked = (_: string, value: any) => {
    if (!value || typeof value !== 'object' || Array.isArray(value)) return value;
    const { cache_control: _mark, ...rest } = value;
    return rest;
  };
  return { fixed: JSON.stringify(fixed, unmarked), messages: JSON.stringify(messages, unmarked) };
}

function expectPrefixes(requests: readonly RecordedRequest[]): void {
  for (let at = 1; at < requests.length; at++) {
    const [before, after] = [parts(requests[at - 1]!), parts(requests[at]!)];
    expect(after.fixed).toBe(before.fixed);
    // Without the closing bracket of the list.
    expect(after.messages.slice(0, before.messages.length - 1)).toBe(before.messages.slice(0, -1));
  }
}

/** Uses everything that adds to a conversation: parallel and failing calls, todos, a late tool, deeper instructions. */
const long: Script = {
  turns: [
    {
      reasoning: 'Look first.',
      text: 'First.',
      calls: [
        { name: 'read_file', input: { path: 'a.txt' } },
        { name: 'read_file', input: { path: 'absent.txt' } },
      ],
    },
    {
      calls: [
        {
          name: 'update_todos',
          input: {
            items: [
              { text: 'Look', status: 'done' },
              { text: 'Write', status: 'active' },
            ],
          },
        },
      ],
    },
    { text: 'Deeper.', calls: [{ name: 'read_file', input: { path: 'sub/b.txt' } }] },
    {
      calls: [
        { name: 'use_tool', input: { name: 'list_skills' } },
        { name: 'bash', input: { command: 'true' } },
      ],
    },
    {
      reasoning: 'Write now.',
      calls: [
        { name: 'write_file', input: { path: 'sub/c.txt', content: 'three\n' } },
        { name: 'bash', raw: '{"command": ' },
      ],
    },
    { text: 'All written.' },
  ],
};

describe.each<WireName>(['ollama', 'openai-chat', 'anthropic'])('%s', (wire) => {
  it('begins each request with the bytes of the one before, also in the next process', async () => {
    // Ollama parses arguments itself and never passes broken ones on.
    const turns = (long.turns as any[]).map((turn) => ({
      ...turn,
      calls: wire === 'openai-chat' ? turn.calls : turn.calls?.filter((call: any) => !call.raw),
    }));
    server.set({ turns });
    const env = wireEnv(wire, server.url);
    expect(await ada(['-p', '--yolo', 'Work.'], { place, env })).toMatchObject({ code: 0, stdout: 'All written.\n' });
    mkdirSync(join(place.project, 'later'));
    writeFileSync(join(place.project, 'later/new.txt'), 'new\n');
    expect(await ada(['-p', '--yolo', '-c', 'More.'], { place, env })).toMatchObject({ code: 0 });
    const requests = server.chats();
    expect(requests).toHaveLength(7);
    expect(requests.map((request) => request.status)).toEqual(requests.map(() => 200));
    expectPrefixes(requests);
  });

  it('sends at most 4,500 bytes of system prompt and tools at first', async () => {
    server.set({ turns: [{ text: 'Hello.' }] });
    await ada(['-p', 'Say hello.'], { place, env: wireEnv(wire, server.url) });
    expect(server.requests.filter((request) => request.wire)).toHaveLength(1);
    const { body } = server.chats()[0]!;
    const { messages, ...rest } = body;
    const system = messages.filter((message: any) => message.role === 'system' || message.role === 'developer');
    const fixed = Buffer.byteLength(JSON.stringify({ ...rest, messages: system }));
    expect(fixed).toBeGreaterThan(1000);
    expect(fixed).toBeLessThanOrEqual(4500);
  });
});

it('a change of mode is said at the end of the conversation, not at its start', async () => {
  server.set({ turns: [{ text: 'Noted.' }] });
  const env = wireEnv('ollama', server.url);
  await ada(['-p', '--mode', 'plan', 'Plan it.'], { place, env });
  await ada(['-p', '-c', '--mode', 'auto', 'Do it.'], { place, env });
  await ada(['-p', '-c', '--mode', 'ask', 'Go on.'], { place, env });
  expectPrefixes(server.chats());
  expect(
    place
      .log()
      .filter((event) => event.type === 'mode')
      .map((event) => event.value),
  ).toEqual(['auto', 'ask']);
});
