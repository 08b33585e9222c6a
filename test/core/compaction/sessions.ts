/** Sessions of many messages, and one whose model gives these answers when it is asked for a summary. */
import type { CompactionPort } from '../../../core/compaction/compact.ts';
import { type Budget, charactersOf } from '../../../core/compaction/size.ts';
import { SummaryFacts } from '../../../core/compaction/summary-facts.ts';
import { type Entry, History, history } from '../../../core/history.ts';
import { emptyState, reduce } from '../../../core/state.ts';
import type { StoredBody, StoredEvent } from '../../../core/types.ts';
import { type IRChatRequest, type IRStreamChunk, unknownUsage } from '../../../providers/ir.ts';

export const served = { backend: 'b', model: 'm', local: true, latencyMs: 1, attempts: 1 };
export const session = {
  type: 'session',
  id: 's',
  version: 1,
  cwd: '/p',
  project: '/p',
  model: 'm',
  mode: 'ask',
  contextTokens: 8192,
  system: 'You are ada. Instructions: never push.',
  tools: [],
} satisfies StoredBody;

/** A turn that reads files: each read is a message with one call and its result. */
export function reads(count: number, size: number, from = 0): StoredBody[] {
  return Array.from({ length: count }, (_, i): StoredBody[] => {
    const id = `c${from + i}`;
    const path = `src/${from + i}.ts`;
    return [
      {
        type: 'assistant',
        content: [{ type: 'tool_use', id, name: 'read_file', input: { path } }],
        finish: 'tool_use',
        served,
      },
      { type: 'tool_call', id, name: 'read_file', detail: path, input: { path } },
      { type: 'tool_result', id, name: 'read_file', output: 'x'.repeat(size), isError: false },
    ];
  }).flat();
}

export const numbered = (bodies: readonly StoredBody[]): StoredEvent[] =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, time: 0 }));

export function fold(events: readonly StoredEvent[]): History {
  const result = new History(() => events);
  for (const event of events) result.add(event);
  return result;
}

/** What the planner takes a request with these messages for. */
export const tokensOf = (entries: readonly Entry[], { tokensPerCharacter, tools }: Budget): number =>
  Math.ceil((tools + entries.reduce((sum, { message }) => sum + charactersOf(message), 0)) * tokensPerCharacter);

export const budget: Budget = { window: 8192, limit: 6144, tokensPerCharacter: 0.25, tools: 3_000 };
export const user = (text: string): StoredBody => ({ type: 'user', text });
export const said = (text: string): StoredBody => ({
  type: 'assistant',
  content: [{ type: 'text', text }],
  finish: 'stop',
  served,
});

/** Of each answer. */
const usage = { ...unknownUsage(), promptTokens: 1_000, completionTokens: 50 };

export const GOOD =
  '## Goal\nFix the parser, never push.\n## Decisions\nUse a table.\n## Done\nRead ten files.\n## Next step\nEdit.';

/** Holds a request for a summary too. */
export const roomy: Budget = { ...budget, window: 11_500 };

/** A session whose model gives these answers to requests for a summary, or fails with an error. */
export function sessionWith(
  bodies: readonly StoredBody[],
  answers: readonly (string | Error)[],
  onAsk?: (request: IRChatRequest) => void,
) {
  const events = numbered(bodies);
  const controller = new AbortController();
  const asked: IRChatRequest[] = [];
  async function* answer(request: IRChatRequest): AsyncGenerator<IRStreamChunk, void, undefined> {
    asked.push(request);
    onAsk?.(request);
    const metadata = { requestId: 'r', timestamp: 0 };
    const said = answers[asked.length - 1] ?? '';
    yield { type: 'start', sequence: 0, metadata };
    if (typeof said !== 'string') {
      yield { type: 'error', sequence: 1, error: said };
      return;
    }
    yield { type: 'content', sequence: 1, delta: said };
    yield { type: 'done', sequence: 2, finishReason: 'stop', metadata, usage };
  }
  const port: CompactionPort = {
    get facts() {
      const facts = new SummaryFacts(() => events);
      for (const event of events) facts.add(event);
      return facts;
    },
    get state() {
      return events.reduce(reduce, emptyState());
    },
    entries: (): readonly Entry[] => fold(events).entries(),
    characters: () => fold(events).characters,
    request: () => ({ messages: history(events), metadata: { requestId: 'r', timestamp: 0 } }),
    ask: answer,
    append(body) {
      events.push({ ...body, seq: events.length + 1, time: 0 });
    },
    cost: ({ completionTokens }) => completionTokens! / 100,
    doing() {},
  };
  const options = { budget: roomy, signal: controller.signal };
  return { port, events, asked, controller, options };
}
