/** What is asked besides the messages of a turn is paid for too: it counts to the turn and binds its limits. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headOf } from '../../core/export/head.ts';
import { readLogFacts } from '../../core/log-facts.ts';
import { parseLog, readLog } from '../../core/parse-log.ts';
import { emptyState, reduce } from '../../core/state.ts';
import { logFile } from '../../core/store.ts';
import type { StoredBody, StoredEvent } from '../../core/types.ts';
import type { IRStreamChunk } from '../../providers/ir.ts';
import { dir, find, model, type Said, start, turn } from './scripted-session.ts';

const SUMMARY: Said = {
  text: '## Goal\nShip it, never touch the lexer.\n## Decisions\nA table.\n## Done\nRead it all.\n## Next step\nTag it.',
};
const LINES = Array.from({ length: 400 }, (_, i) => `line ${i * 7919} splits into words`).join('\n');
/** Fills most of a small window. */
const talk: Said[] = [LINES, LINES].map((text) => ({ text, counted: 0 }));
const price = { cost: ({ completionTokens }: { completionTokens: number | null }) => completionTokens! / 100 };

describe('the answer that a summary is', () => {
  const small = { ...price, contextTokens: 16_384, compactAt: 0.3 };

  it('counts to the turn in which room was made, once, and again when the log is read', async () => {
    const { session } = start([...talk, SUMMARY, { text: 'done' }], small);
    for (const text of ['one', 'two']) await turn(session, text);
    const events = await turn(session, 'three');
    expect(find(events, 'compaction')).toMatchObject([{ usage: { output: 2, cost: 0.02 } }]);
    expect(find(events, 'done')).toMatchObject([{ finish: 'stop', turns: 1, usage: { output: 4, cost: 0.04 } }]);
    await session.close();
    const { events: stored } = readLog(logFile(dir, 's'));
    const before = stored.slice(
      0,
      stored.findLastIndex(({ type }) => type === 'done'),
    );
    expect(before.reduce(reduce, emptyState()).usage).toMatchObject({ output: 4, cost: 0.04 });
  });

  it('binds the limit of the turn before anything else is asked', async () => {
    const { session, requests } = start([...talk, SUMMARY, { text: 'done' }], {
      ...small,
      limits: { maxCost: 0.02 },
    });
    for (const text of ['one', 'two']) await turn(session, text);
    const asked = requests.length;
    const events = await turn(session, 'three');
    expect(find(events, 'done')).toMatchObject([{ finish: 'limit', turns: 0, usage: { cost: 0.02 } }]);
    expect(requests).toHaveLength(asked + 1);
    expect(find(events, 'notice').at(-1)!.text).toContain('--max-cost');
  });
});

it('an answer that is void and asked for again counts too', async () => {
  const { ask } = model([{ text: '' }, { text: 'there it is' }]);
  async function* streamed(...request: Parameters<typeof ask>): AsyncGenerator<IRStreamChunk> {
    for await (const chunk of ask(...request))
      yield 'metadata' in chunk ? { ...chunk, metadata: { ...chunk.metadata, custom: { streamed: true } } } : chunk;
  }
  const { session } = start([], { ...price, ask: streamed });
  const events = await turn(session, 'go');
  expect(find(events, 'retry')).toMatchObject([{ discard: true, usage: { output: 2, cost: 0.02 } }]);
  expect(find(events, 'done')).toMatchObject([{ text: 'there it is', usage: { output: 4, cost: 0.04 } }]);
});

it('logs of before have none of it, and one that is nonsense is no event', () => {
  const numbered = (bodies: readonly object[]) =>
    bodies.map((body, i) => JSON.stringify({ ...body, seq: i + 1, time: 1 })).join('\n');
  const compaction = { type: 'compaction', before: 9, after: 3, summary: 'It was long.' } satisfies StoredBody;
  const bodies = [compaction, { ...compaction, usage: null }, { ...compaction, usage: { output: 'much' } }];
  const { events } = parseLog(Buffer.from(numbered(bodies)));
  expect(events.map(({ seq }: StoredEvent) => seq)).toEqual([1, 2]);
  expect(events.reduce(reduce, emptyState()).usage.output).toBe(null);
});

it('an interrupted summary between turns counts to the session, and one within a turn to that turn', () => {
  const usage = { input: 9, output: 3, cacheRead: null, cacheWrite: null, reasoning: null, cost: 0.25 };
  const bodies: StoredBody[] = [
    { type: 'user', text: 'go' },
    { type: 'notice', level: 'info', text: 'interrupted', usage },
    { type: 'done', text: '', finish: 'aborted', usage, turns: 0, denials: [], durationMs: 1 },
    { type: 'notice', level: 'info', text: 'interrupted', usage, asked: true },
  ];
  const events = bodies.map((body, i): StoredEvent => ({ ...body, seq: i + 1, time: 0 }));
  expect(events.reduce(reduce, emptyState()).usage).toMatchObject({ output: 3, cost: 0.25 });
  expect(headOf(events).cost).toBe(0.5);
  const file = join(dir, 'facts.jsonl');
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const { mtimeMs: mtime, size } = statSync(file);
  expect(readLogFacts(file, { mtime, size }, undefined).costs).toEqual({ '1970-01-01': 0.5 });
});
