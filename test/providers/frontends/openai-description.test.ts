/** OpenAI's own description of its API, where it is at hand, against what is sent to servers and to callers. */
import { existsSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { MockBackendAdapter } from '../../../providers/backends/mock.ts';
import { toOpenAIChat } from '../../../providers/backends/openai-chat/request.ts';
import { Bridge } from '../../../providers/bridge.ts';
import { AnthropicFrontendAdapter } from '../../../providers/frontends/anthropic.ts';
import { OpenAIFrontendAdapter } from '../../../providers/frontends/openai-chat.ts';
import { unknownUsage } from '../../../providers/ir.ts';
import { vendors } from '../../../providers/vendors.ts';
import { asAnthropic, asOpenAI, conversation, MODEL } from './conversations.ts';

const file = new URL('../../../../shared/cases/openai-openapi.json', import.meta.url);
const mock = new MockBackendAdapter();
const facts = mock.metadata.capabilities;
const quirks = vendors.find((row) => row.id === 'openai')!.quirks ?? {};

/** JSON Schema has lost `nullable`, the description has not. */
function withoutNullable(value: any): any {
  if (Array.isArray(value)) return value.map(withoutNullable);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutNullable(inner)]),
  );
  if (typeof nullable !== 'boolean') return nullable === undefined ? rest : { nullable, ...rest };
  return nullable ? { anyOf: [rest, { type: 'null' }] } : rest;
}

describe.skipIf(!existsSync(file))('OpenAI’s description of its API', () => {
  let faultsOf: (schema: string, value: unknown) => string[];
  beforeAll(() => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
    ajv.addSchema(withoutNullable(JSON.parse(readFileSync(file, 'utf8'))), 'openai');
    faultsOf = (schema, value) => {
      const validate = ajv.getSchema(`openai#/components/schemas/${schema}`)!;
      return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
    };
  });

  it('refuses what is wrong', () => {
    expect(faultsOf('CreateChatCompletionRequest', { model: 'm', messages: [{ role: 'robot' }] })).not.toEqual([]);
  });

  it('accepts the bodies of every conversation', async () => {
    const openai = new OpenAIFrontendAdapter();
    const anthropic = new AnthropicFrontendAdapter();
    await fc.assert(
      fc.asyncProperty(conversation, fc.boolean(), async (said, fromOpenAI) => {
        const ir = await (fromOpenAI ? openai.toIR(asOpenAI(said)) : anthropic.toIR(asAnthropic(said)));
        expect(faultsOf('CreateChatCompletionRequest', toOpenAIChat(ir, MODEL, facts, quirks).body)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('accepts a body with everything in it', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const { body } = toOpenAIChat(
      {
        messages: [
          { role: 'system', content: 'S' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'x' },
              {
                type: 'document',
                source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERg==' },
                name: 'a.pdf',
              },
            ],
          },
        ],
        tools: [{ name: 'f', description: 'D', parameters: schema }],
        toolChoice: { name: 'f' },
        parallelToolCalls: false,
        responseFormat: { type: 'json_schema', name: 'n', schema, strict: true },
        parameters: {
          maxTokens: 10,
          temperature: 1,
          topP: 0.5,
          seed: 1,
          stopSequences: ['a'],
          effort: 'high',
          user: 'u',
          frequencyPenalty: 1,
          presencePenalty: 1,
        },
        metadata: { requestId: 'r', timestamp: 0 },
      },
      MODEL,
      facts,
      quirks,
    );
    expect(faultsOf('CreateChatCompletionRequest', body)).toEqual([]);
  });

  it('accepts completions and chunks', async () => {
    const usage = { ...unknownUsage(), promptTokens: 3, completionTokens: 2, totalTokens: 5, cacheReadTokens: 1 };
    const toolCalls = [{ name: 'f', input: { a: 1 } }, { name: 'g' }];
    const answers = [
      { text: 'x', usage },
      { text: 'x', toolCalls, usage },
      { toolCalls },
      { reasoning: 'hm', text: '' },
    ];
    for (const defaultResponse of answers) {
      const bridge = new Bridge(new OpenAIFrontendAdapter(), new MockBackendAdapter({ defaultResponse, chunk: 2 }));
      const body = { model: 'm', messages: [{ role: 'user', content: 'x' }] };
      expect(faultsOf('CreateChatCompletionResponse', await bridge.chat(body))).toEqual([]);
      const streamed = { ...body, stream: true, stream_options: { include_usage: true } };
      // The description forgets that counts are null before the last chunk, though its text says so.
      for await (const chunk of bridge.chatStream(streamed))
        expect(faultsOf('CreateChatCompletionStreamResponse', { ...chunk, usage: chunk.usage ?? undefined })).toEqual(
          [],
        );
    }
  });
});
