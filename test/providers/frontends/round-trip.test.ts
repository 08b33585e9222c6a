/**
 * Every frontend over every backend: what a caller says, read by a frontend, written by a backend, and read again by a
 * frontend of the backend's format, is the same as far as that format can say it. What it cannot say has a warning.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAnthropic } from '../../../providers/backends/anthropic/request.ts';
import { AnthropicBackendAdapter } from '../../../providers/backends/anthropic.ts';
import { toOllama } from '../../../providers/backends/ollama/request.ts';
import { toOpenAIChat } from '../../../providers/backends/openai-chat/request.ts';
import { AnthropicFrontendAdapter } from '../../../providers/frontends/anthropic.ts';
import { OpenAIFrontendAdapter } from '../../../providers/frontends/openai-chat.ts';
import {
  type IRChatRequest,
  type IRMessage,
  type IRParameters,
  type IRWarning,
  partsOf,
  type ToolResultContent,
} from '../../../providers/ir.ts';
import { asAnthropic, asOpenAI, type Conversation, conversation, MODEL, plain, readOllama } from './conversations.ts';

const openai = new OpenAIFrontendAdapter();
const anthropic = new AnthropicFrontendAdapter();
const facts = new AnthropicBackendAdapter().metadata.capabilities;

interface Target {
  write(request: IRChatRequest): { body: Record<string, any>; warnings: readonly IRWarning[] };
  read(body: Record<string, any>): Promise<{ messages: readonly IRMessage[]; parameters?: IRParameters | undefined }>;
  /** What this format makes of a conversation. */
  expected(messages: readonly IRMessage[]): IRMessage[];
  /** Counts what of it cannot be said. */
  unsayable(messages: readonly IRMessage[]): number;
}

const throughFrontend = (frontend: typeof openai | typeof anthropic) => async (body: Record<string, any>) => {
  // Bodies of ours are valid for the frontend of the same format.
  await frontend.validate(body);
  return frontend.toIR(body);
};

/** Results as lines of text, images behind them in a message of their own; failures begin with a word. */
function textResults(messages: readonly IRMessage[]): IRMessage[] {
  const out: IRMessage[] = [];
  let images: ToolResultContent['content'][number][] = [];
  const flush = () => {
    if (images.length)
      out.push({ role: 'user', content: [{ type: 'text', text: 'Images of the tool results above:' }, ...images] });
    images = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') {
      flush();
      out.push(message);
      continue;
    }
    for (const part of partsOf(message.content) as ToolResultContent[]) {
      images.push(...part.content.filter((item) => item.type === 'image'));
      const lines = part.content.map((item) => (item.type === 'text' ? item.text : '[image: shown below]')).join('\n');
      const failed = part.isError && !/^\s*error\b/i.test(lines);
      const text = failed ? `Error: ${lines}` : lines;
      out.push({
        role: 'tool',
        content: [{ type: 'tool_result', toolUseId: part.toolUseId, content: [{ type: 'text', text }] }],
      });
    }
  }
  flush();
  return out;
}

const mapParts = (messages: readonly IRMessage[], map: (parts: readonly any[]) => any[]): IRMessage[] =>
  messages.map((message) => ({ ...message, content: map(partsOf(message.content)) }));
const count = (messages: readonly IRMessage[], is: (part: any) => boolean): number =>
  messages.reduce((sum, { content }) => sum + partsOf(content).filter(is).length, 0);

const targets: Readonly<Record<string, Target>> = {
  'openai-chat': {
    write: (request) => toOpenAIChat(request, MODEL, facts, {}),
    read: throughFrontend(openai),
    expected: (messages) =>
      mapParts(textResults(messages), (parts) => parts.filter((part) => part.type !== 'reasoning')),
    unsayable: (messages) => count(messages, (part) => part.type === 'reasoning'),
  },
  anthropic: {
    write: (request) => toAnthropic(request, { model: MODEL, facts, thinking: 'budget' }),
    read: throughFrontend(anthropic),
    expected: (messages) =>
      mapParts(messages, (parts) => parts.filter((part) => part.type !== 'reasoning' || part.signature)),
    unsayable: (messages) => count(messages, (part) => part.type === 'reasoning' && !part.signature),
  },
  ollama: {
    write: (request) => toOllama(request, { model: MODEL, facts, refusesLongPrompts: false }),
    read: async (body) => ({
      messages: readOllama(body),
      parameters: {
        maxTokens: body.options?.num_predict,
        temperature: body.options?.temperature,
        topP: body.options?.top_p,
        topK: body.options?.top_k,
        seed: body.options?.seed,
        stopSequences: body.options?.stop,
        frequencyPenalty: body.options?.frequency_penalty,
        presencePenalty: body.options?.presence_penalty,
      },
    }),
    // Texts, then images; an image that is only an address cannot be taken along. Thinking is one text.
    expected: (messages) =>
      mapParts(textResults(messages), (parts) => {
        const thought = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('');
        const isUrl = (part: any) => part.type === 'image' && part.source.type === 'url';
        const texts = parts.flatMap((part) =>
          part.type === 'text'
            ? [part]
            : isUrl(part)
              ? [{ type: 'text', text: '[image: this model cannot see it]' }]
              : [],
        );
        return [
          ...(thought === '' ? [] : [{ type: 'reasoning', text: thought }]),
          ...texts,
          ...parts.filter((part) => !['text', 'reasoning'].includes(part.type) && !isUrl(part)),
        ];
      }),
    unsayable: (messages) => count(messages, (part) => part.type === 'image' && part.source.type === 'url'),
  },
};

const sources = {
  openai: { frontend: openai, write: asOpenAI },
  anthropic: { frontend: anthropic, write: asAnthropic },
};

const parameters = fc.record(
  {
    temperature: fc.constantFrom(0, 0.5, 1),
    topP: fc.constantFrom(0.1, 1),
    topK: fc.constantFrom(1, 40),
    seed: fc.integer(),
    stopSequences: fc.array(fc.constantFrom('END', '\n\n'), { minLength: 1, maxLength: 3 }),
    frequencyPenalty: fc.constantFrom(0, 1),
    presencePenalty: fc.constantFrom(-1, 0.5),
    user: fc.constantFrom('u1', 'u2'),
    effort: fc.constantFrom('off' as const, 'low' as const, 'high' as const),
    maxTokens: fc.constantFrom(1, 40_000),
  },
  { requiredKeys: [] },
);

describe.each(Object.entries(sources))('a caller of %s', (_source, { frontend, write }) => {
  describe.each(Object.entries(targets))('over %s', (_target, target) => {
    it('is understood', async () => {
      await fc.assert(
        fc.asyncProperty(conversation, async (said: Conversation) => {
          const request = write(said);
          await frontend.validate(request);
          const ir = await frontend.toIR(request);
          expect(ir.metadata.warnings).toBeUndefined();
          const { body, warnings } = target.write(ir);
          const back = await target.read(JSON.parse(JSON.stringify(body)));
          expect(plain(back.messages)).toEqual(plain(target.expected(ir.messages)));
          expect(warnings.length > 0).toBe(target.unsayable(ir.messages) > 0);
        }),
        { numRuns: 100 },
      );
    });
  });
});

describe.each(Object.entries(targets))('parameters over %s', (name, target) => {
  it('arrive or are warned of', async () => {
    await fc.assert(
      fc.asyncProperty(parameters, async (given) => {
        const request: IRChatRequest = {
          messages: [{ role: 'user', content: 'x' }],
          parameters: { model: MODEL, ...given },
          metadata: { requestId: 'r', timestamp: 0 },
        };
        const { body, warnings } = target.write(request);
        const back = (await target.read(body)).parameters ?? {};
        const told = (field: string) => warnings.some((warning) => warning.field === `parameters.${field}`);
        for (const [field, value] of Object.entries(given)) {
          // Ollama's way of asking for thinking is checked with its backend.
          if (name === 'ollama' && field === 'effort') continue;
          if (told(field)) continue;
          expect([field, back[field as keyof IRParameters]]).toEqual([field, value]);
        }
      }),
      { numRuns: 200 },
    );
  });
});

it('tools, choice, format and single calls mean the same in both formats', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };
  for (const toolChoice of ['required', 'none', { name: 'f' }, undefined] as const) {
    const request: IRChatRequest = {
      messages: [{ role: 'user', content: 'x' }],
      tools: [{ name: 'f', description: 'D', parameters: schema }],
      ...(toolChoice !== undefined && { toolChoice }),
      ...(toolChoice !== 'none' && { parallelToolCalls: false }),
      responseFormat: { type: 'json_schema', name: 'answer', schema },
      parameters: { model: MODEL },
      metadata: { requestId: 'r', timestamp: 0 },
    };
    for (const name of ['openai-chat', 'anthropic']) {
      const { body, warnings } = targets[name]!.write(request);
      expect(warnings).toEqual([]);
      const back = (await targets[name]!.read(body)) as IRChatRequest;
      const { tools, parallelToolCalls, responseFormat } = request;
      expect(back).toMatchObject({ tools, responseFormat });
      expect(back.toolChoice ?? 'auto').toEqual(toolChoice ?? 'auto');
      expect(back.parallelToolCalls).toBe(parallelToolCalls);
    }
    const { body, warnings } = targets.ollama!.write(request);
    expect(body.format).toEqual(schema);
    const dropped =
      toolChoice === 'none'
        ? []
        : toolChoice === undefined
          ? ['parallelToolCalls']
          : ['toolChoice', 'parallelToolCalls'];
    expect(warnings.map(({ field }) => field)).toEqual(dropped);
  }
});
