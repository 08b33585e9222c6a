import { describe, expect, test } from 'vitest';
import { table } from '../../app/commands/models.ts';
import { COMMANDS, type CommandName, FLAGS, knows } from '../../app/flag-table.ts';
import { helpText } from '../../app/help.ts';
import { transcript } from '../../app/transcript.ts';
import { noUsage } from '../../core/state.ts';
import type { StoredBody, StoredEvent } from '../../core/types.ts';
import type { ModelInfo } from '../../providers/adapter.ts';

const stored = (bodies: readonly StoredBody[]) =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, time: 0 }) as StoredEvent);

test('a transcript has prompts, answers and a line for each call', () => {
  const served = { backend: 'b', model: 'm', local: true, latencyMs: 1, attempts: 1 };
  const written = (bodies: readonly StoredBody[]) => [...transcript(stored(bodies))].join('');
  expect(
    written([
      { type: 'user', text: 'fix\nit' },
      { type: 'assistant', content: [{ type: 'text', text: '\x1b[31mLooking.' }], finish: 'tool_use', served },
      { type: 'tool_call', id: 'a', name: 'read_file', detail: 'a.js', input: {} },
      { type: 'tool_result', id: 'a', name: 'read_file', output: 'no such\nfile', isError: true },
      { type: 'done', text: '', finish: 'limit', usage: noUsage(), turns: 1, denials: [], durationMs: 1 },
    ]),
  ).toBe(`> fix
> it

Looking.

[read_file a.js]

[read_file failed: no such file]

[ended: limit]
`);
  expect(written([])).toBe('nothing was said\n');
  expect(
    written([
      {
        type: 'done',
        text: '',
        finish: 'stop',
        usage: { ...noUsage(), cost: 0.5 },
        turns: 1,
        denials: [],
        durationMs: 1,
      },
    ]),
  ).toBe('nothing was said\n\n[cost: $0.5]\n');
});

test('models are a table in which what is unknown is a dash', () => {
  const model: ModelInfo = {
    id: 'qwen3:8b',
    provider: 'ollama',
    local: true,
    contextTokens: 40_960,
    outputTokens: null,
    tools: true,
    vision: false,
    reasoning: true,
    size: null,
    price: null,
  };
  const hosted: ModelInfo = {
    ...model,
    id: 'x',
    provider: 'v',
    local: false,
    contextTokens: null,
    tools: null,
    reasoning: null,
  };
  expect(table([model, hosted, { ...hosted, price: { input: 3, output: 15 } }]).split('\n')).toEqual([
    'MODEL     WHERE         WINDOW  ABILITIES         PRICE PER MILLION (IN / OUT)',
    'qwen3:8b  local ollama  40k     tools, reasoning  free',
    'x         hosted v      -       -                 -',
    'x         hosted v      -       -                 $3 / $15',
    '',
  ]);
});

describe('help', () => {
  test('the overview names every command and every flag of ada', () => {
    const text = helpText('chat');
    for (const name of Object.keys(COMMANDS)) expect(text).toContain(`ada ${name}`);
    for (const flag of FLAGS.filter((row) => knows(row, 'chat'))) expect(text).toContain(`--${flag.long}`);
    expect(text).not.toContain('ada lab');
  });
  test.each([...Object.keys(COMMANDS), 'lab'])('ada %s has its own', (name) => {
    const text = helpText(name as CommandName);
    expect(text).toContain(`ada ${name}`);
    expect(text).not.toContain('--max-turns');
  });
  test('no line is wider than 104 columns', () => {
    for (const line of helpText('chat').split('\n')) expect(line.length).toBeLessThanOrEqual(104);
  });
});
