import { expect, it } from 'vitest';
import { costText, sessionCost } from '../../core/session-cost.ts';
import { noUsage } from '../../core/state.ts';
import type { StoredBody, StoredEvent } from '../../core/types.ts';

const OWN = { backend: 'vllm', local: true };
const PRICED = { backend: 'openai', local: false };
const UNPRICED = { backend: 'nowhere', local: false };

/** Turns of one answer each. */
const turns = (...answers: [served: { backend: string; local: boolean }, cost: number | null][]): StoredEvent[] =>
  answers
    .flatMap(([who, cost]): StoredBody[] => {
      const usage = { ...noUsage(), input: 10, output: 2, cost };
      const served = { ...who, model: 'm', latencyMs: 1, attempts: 1 };
      return [
        { type: 'assistant', content: [{ type: 'text', text: 'Yes.' }], finish: 'stop', usage, served },
        { type: 'done', text: 'Yes.', finish: 'stop', usage, turns: 1, denials: [], durationMs: 1 },
      ];
    })
    .map((body, i) => ({ ...body, seq: i + 1, time: 0 }));

it.each<[string, StoredEvent[], string]>([
  ['nothing was answered', [], ''],
  ['own servers answered', turns([OWN, null]), 'this conversation has cost nothing: your own servers answered'],
  ['a vendor with a price', turns([PRICED, 0.1], [PRICED, 0.2], [OWN, null]), 'this conversation has cost $0.3'],
  ['a free one', turns([PRICED, 0]), 'this conversation has cost $0'],
  [
    'one without a price',
    turns([UNPRICED, null], [OWN, null]),
    'what this conversation has cost is unknown: there is no price for nowhere/m',
  ],
  [
    'one with and one without',
    turns([UNPRICED, null], [PRICED, 0.5], [UNPRICED, null]),
    'this conversation has cost $0.5, without the answers of nowhere/m, whose price is unknown',
  ],
])('tells what is known where there was %s', (_, events, text) => {
  expect(costText(sessionCost(events))).toBe(text);
});

it('leaves out answers that broke off, and takes logs without figures', () => {
  const [answer, done] = turns([UNPRICED, null]) as [StoredEvent & { type: 'assistant' }, StoredEvent];
  expect(sessionCost([{ ...answer, finish: 'aborted' }, done]).unpriced).toEqual([]);
  const { usage: _, ...bare } = answer;
  expect(sessionCost([bare, done]).unpriced).toEqual(['nowhere/m']);
});
