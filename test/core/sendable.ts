/** What every request must keep on every wire: each call is answered exactly once, right behind its message. */
import { expect } from 'vitest';
import { toAnthropic } from '../../providers/backends/anthropic/request.ts';
import { toOllama } from '../../providers/backends/ollama/request.ts';
import { toOpenAIChat } from '../../providers/backends/openai-chat/request.ts';
import { type IRChatRequest, type IRMessage, partsOf } from '../../providers/ir.ts';

const facts = {
  streaming: true,
  multiModal: true,
  tools: true,
  reasoning: true,
  systemMessageStrategy: 'in-messages' as const,
  supportsMultipleSystemMessages: true,
  contextTokens: null,
  outputTokens: null,
};

const requestOf = (messages: readonly IRMessage[]): IRChatRequest => ({
  messages: [...messages],
  tools: [],
  parameters: { model: 'm' },
  cache: ['tools', 'system', 'messages'],
  metadata: { requestId: 'r', timestamp: 0 },
  stream: true,
});

/** Ids of calls and of results, as one wire has them: what stands in each message, in order. */
interface Said {
  calls: readonly string[];
  results: readonly string[];
}

function checkPairs(said: readonly Said[], wire: string): void {
  let open: string[] = [];
  const seen = new Set<string>();
  for (const { calls, results } of said) {
    for (const id of results) {
      expect(open, `${wire}: result ${id} without its call`).toContain(id);
      open.splice(open.indexOf(id), 1);
    }
    if (!results.length) expect(open, `${wire}: calls without results`).toEqual([]);
    if (calls.length) {
      // Damage can double a call; the wires tell the two apart.
      if (wire !== 'history') for (const id of calls) expect(seen.has(id), `${wire}: two calls of one id`).toBe(false);
      for (const id of calls) seen.add(id);
      open = [...calls];
    }
  }
  expect(open, `${wire}: calls without results at the end`).toEqual([]);
}

/** The messages themselves. */
export function pairs(messages: readonly IRMessage[]): void {
  const said = messages.map(({ content }) => ({
    calls: partsOf(content).flatMap((part) => (part.type === 'tool_use' ? [part.id] : [])),
    results: partsOf(content).flatMap((part) => (part.type === 'tool_result' ? [part.toolUseId] : [])),
  }));
  checkPairs(said, 'history');
}

/** Maps to every wire; throws where one is not valid there. */
export function sendable(messages: readonly IRMessage[]): void {
  const request = requestOf(messages);
  const ollama = toOllama(request, { model: 'm', facts, refusesLongPrompts: true }).body.messages as any[];
  // Ollama knows no ids of calls: the results behind a message answer its calls one by one.
  let owed = 0;
  for (const message of ollama) {
    if (message.role === 'tool') {
      owed--;
      expect(typeof message.content, 'ollama: content').toBe('string');
    } else {
      expect(owed, 'ollama: calls without results').toBe(0);
      owed = message.tool_calls?.length ?? 0;
    }
    if (message.role === 'assistant') expect(typeof message.content, 'ollama: content').toBe('string');
    for (const { function: called } of message.tool_calls ?? []) {
      expect(typeof called.name, 'ollama: name').toBe('string');
      expect(typeof called.arguments, 'ollama: arguments').toBe('object');
    }
  }
  expect(owed, 'ollama: calls without results').toBe(0);

  const chat = toOpenAIChat(request, 'm', facts, {}).body.messages as any[];
  checkPairs(
    chat.map((message) => ({
      calls: (message.tool_calls ?? []).map((call: any) => call.id),
      results: message.role === 'tool' ? [message.tool_call_id] : [],
    })),
    'openai-chat',
  );
  for (const message of chat) {
    if (message.role === 'assistant' && !message.tool_calls) expect(message.content, 'openai-chat').toBeTruthy();
    for (const call of message.tool_calls ?? []) JSON.parse(call.function.arguments);
  }

  const { body } = toAnthropic(request, { model: 'm', facts } as Parameters<typeof toAnthropic>[1]);
  checkPairs(
    body.messages.map(({ content }: any) => ({
      calls: content.flatMap((part: any) => (part.type === 'tool_use' ? [part.id] : [])),
      results: content.flatMap((part: any) => (part.type === 'tool_result' ? [part.tool_use_id] : [])),
    })),
    'anthropic',
  );
  expect(body.messages[0].role, 'anthropic begins with the user').toBe('user');
  for (const { content } of body.messages) {
    expect(content.length, 'anthropic: an empty message').toBeGreaterThan(0);
    for (const part of content) if (part.type === 'text') expect(typeof part.text, 'anthropic: text').toBe('string');
  }
  for (const mapped of [ollama, chat, body]) JSON.stringify(mapped);
}
