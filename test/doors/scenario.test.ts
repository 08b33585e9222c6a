/**
 * One scenario through every door: whoever lets the person in, the same stored events come out. A new door is a row:
 * how it is entered, and where its stored events are seen.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ada, makePlace, type Place, parseLines, wireEnv } from '../e2e/ada.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import type { Script } from '../fakes/script.ts';

const prompt = 'Add the second line.';
const usage = { input: 100, output: 10 };
const script: Script = {
  turns: [
    {
      reasoning: 'Read it first.',
      text: 'Reading.',
      calls: [{ name: 'read_file', input: { path: 'list.txt' } }],
      usage,
    },
    { calls: [{ name: 'write_file', input: { path: 'list.txt', content: 'first\nsecond\n' } }], usage },
    { text: 'The list has two lines now.', usage },
  ],
};

interface Door {
  name: string;
  /** Plays the scenario in auto mode and gives the stored events that come out of this door. */
  play(place: Place, env: Record<string, string>): Promise<any[]>;
}

const live = ['text', 'reasoning', 'tool_progress'];
const print = (format: string, events: (place: Place, stdout: string) => any[]): Door => ({
  name: `ada --print, ${format}`,
  async play(place, env) {
    const run = await ada(['-p', '--mode', 'auto', '--output-format', format, prompt], { place, env });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    return events(place, run.stdout);
  },
});

const doors: readonly Door[] = [
  print('text', (place, stdout) => {
    expect(stdout).toBe('The list has two lines now.\n');
    return place.log();
  }),
  print('json', (place, stdout) => {
    const result = JSON.parse(stdout);
    const stored = place.log();
    expect(stored[0]).toMatchObject({ id: result.session });
    expect(stored.at(-1)).toMatchObject({ text: result.text, usage: result.usage, turns: result.turns });
    return stored;
  }),
  print('stream-json', (_, stdout) => parseLines(stdout).filter((event) => !live.includes(event.type))),
];

/** Takes out what differs between two runs by right: times, and names made up for the run. */
function normalise(events: readonly any[], place: Place): unknown[] {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => {
    if (!names.has(id)) names.set(id, `#${names.size}`);
    return names.get(id)!;
  };
  const text = JSON.stringify(events).replaceAll(JSON.stringify(place.project).slice(1, -1), '<project>');
  return JSON.parse(text, (key, value) => {
    if (key === 'time' || key === 'durationMs' || key === 'latencyMs') return typeof value;
    return (key === 'id' || key === 'toolUseId') && typeof value === 'string' ? nameOf(value) : value;
  });
}

let server: ModelServer;
const places: Place[] = [];
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
afterEach(() => {
  for (const place of places.splice(0)) place.dispose();
});

async function through(door: Door): Promise<unknown[]> {
  const place = makePlace({ 'list.txt': 'first\n' });
  places.push(place);
  server.set(script);
  const events = await door.play(place, wireEnv('ollama', server.url));
  expect(readFileSync(join(place.project, 'list.txt'), 'utf8')).toBe('first\nsecond\n');
  expect(server.chats()).toHaveLength(3);
  return normalise(events, place);
}

describe('one scenario', () => {
  let first: unknown[] | undefined;
  it.each(doors)('$name gives the same stored events as the others', async (door) => {
    const events = await through(door);
    first ??= events;
    expect(events).toEqual(first);
    expect(events.map((event: any) => event.type)).toEqual([
      'session',
      'user',
      'assistant',
      'tool_call',
      'tool_result',
      'assistant',
      'tool_call',
      'tool_result',
      'assistant',
      'done',
    ]);
  });
});
