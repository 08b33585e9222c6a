/** What models and wires are known to refuse is not sent, and the warnings say so. */
import { describe, expect, it } from 'vitest';
import { thinkingStyle, toAnthropic } from '../../../providers/backends/anthropic/request.ts';
import { toOpenAIChat } from '../../../providers/backends/openai-chat/request.ts';
import type { IRChatRequest, IRMessage, IRParameters, IRWarning } from '../../../providers/ir.ts';
import { request, user, wires } from './wires.ts';

const facts = wires[1]!.open('http://127.0.0.1:9').metadata.capabilities;
const told = (warnings: readonly IRWarning[]) => warnings.map(({ kind, field }) => `${kind} ${field}`);
const openai = (model: string, parameters: IRParameters, more: Partial<IRChatRequest> = {}, own = facts) =>
  toOpenAIChat(request('hi', { ...more, parameters: { model, ...parameters } }), model, own, {});
const anthropic = (asked: IRChatRequest) =>
  toAnthropic(asked, { model: 'claude-sonnet-4-5', facts, thinking: thinkingStyle('claude-sonnet-4-5') });

describe('openai-chat', () => {
  const sampling: IRParameters = { temperature: 0.2, topP: 0.9, stopSequences: ['X'], presencePenalty: 1 };

  it.each(['gpt-5', 'gpt-5-mini', 'gpt-5.2', 'gpt-5.2-codex', 'o1', 'o3-mini', 'o4-mini', 'openai/gpt-5'])(
    '%s takes no sampling',
    (model) => {
      const { body, warnings } = openai(model, { ...sampling, maxTokens: 9 });
      for (const name of ['temperature', 'top_p', 'stop', 'presence_penalty', 'max_tokens'])
        expect(body).not.toHaveProperty(name);
      expect(body.max_completion_tokens).toBe(9);
      expect(told(warnings)).toEqual([
        'dropped parameters.temperature',
        'dropped parameters.topP',
        'dropped parameters.stopSequences',
        'dropped parameters.presencePenalty',
      ]);
    },
  );

  it.each(['gpt-4.1', 'gpt-5-chat-latest', 'gpt-oss:20b', 'other', 'o-one', 'olmo-2'])('%s does', (model) => {
    const { body, warnings } = openai(model, sampling);
    expect(body).toMatchObject({ temperature: 0.2, top_p: 0.9, stop: ['X'], presence_penalty: 1 });
    expect(warnings).toEqual([]);
  });

  it('a model that may rest takes it while it rests', () => {
    expect(openai('gpt-5.2', { ...sampling, effort: 'off' }).body).toMatchObject({
      temperature: 0.2,
      reasoning_effort: 'none',
    });
  });

  it.each([
    ['gpt-5', 'minimal'],
    ['o3', 'low'],
    ['gpt-5-codex', 'low'],
  ])('%s cannot stop reasoning and is asked for %s', (model, effort) => {
    const { body, warnings } = openai(model, { effort: 'off' });
    expect(body.reasoning_effort).toBe(effort);
    expect(told(warnings)).toEqual(['clamped parameters.effort']);
  });

  it('asks nobody to reason who does not', () => {
    for (const { body, warnings } of [
      openai('gpt-4o', { effort: 'high' }),
      openai('some-model', { effort: 'high' }, {}, { ...facts, reasoning: false }),
    ]) {
      expect(body).not.toHaveProperty('reasoning_effort');
      expect(told(warnings)).toEqual(['dropped parameters.effort']);
    }
    expect(openai('gpt-4o', { effort: 'off' })).toMatchObject({ warnings: [] });
  });

  it('clamps the temperature', () => {
    const { body, warnings } = openai('m', { temperature: 3 });
    expect(body.temperature).toBe(2);
    expect(told(warnings)).toEqual(['clamped parameters.temperature']);
    expect(openai('m', { temperature: -1 }).body.temperature).toBe(0);
  });

  it('sends a schema strict only where it can be, and its name as it is accepted', () => {
    const format = (schema: object, strict?: boolean) => ({
      responseFormat: {
        type: 'json_schema' as const,
        name: 'my answer',
        schema: { ...schema },
        ...(strict !== undefined && { strict }),
      },
    });
    const list = { type: 'array', items: {} };
    const loose = openai('m', {}, format(list, true));
    expect(loose.body.response_format.json_schema).toEqual({ name: 'my_answer', schema: list, strict: false });
    expect(told(loose.warnings)).toEqual(['downgraded responseFormat.schema', 'renamed responseFormat.name']);
    const strict = openai('m', {}, format({ type: 'object', properties: { a: { type: 'string' } } }, true));
    expect(strict.body.response_format.json_schema).toMatchObject({ strict: true, schema: { required: ['a'] } });
    expect(told(strict.warnings)).toContain('approximated responseFormat.schema');
    expect(openai('m', {}, format(list)).body.response_format.json_schema).toEqual({ name: 'my_answer', schema: list });
  });
});

describe('anthropic', () => {
  it('stop sequences of blanks', () => {
    const { body, warnings } = anthropic(request('hi', { parameters: { stopSequences: ['\n\n', 'END', ' '] } }));
    expect(body.stop_sequences).toEqual(['END']);
    expect(told(warnings)).toEqual(['dropped parameters.stopSequences']);
    expect(anthropic(request('hi', { parameters: { stopSequences: ['\n'] } })).body).not.toHaveProperty(
      'stop_sequences',
    );
  });

  it('media of types that it does not know', () => {
    const media = (type: 'image' | 'document', mediaType: string) =>
      ({ type, source: { type: 'base64', mediaType, data: 'QQ==' } }) as const;
    const { body, warnings } = anthropic(
      request([
        user([media('image', 'image/svg+xml'), media('image', 'image/jpg'), media('document', 'application/zip')]),
        { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'f', input: {} }] },
        { role: 'tool', content: [{ type: 'tool_result', toolUseId: '1', content: [media('image', 'image/bmp')] }] },
      ]),
    );
    const types = body.messages[0].content.map((part: any) => part.source?.media_type ?? part.type);
    expect(types).toEqual(['text', 'image/jpeg', 'text']);
    expect(body.messages[2].content[0].content).toMatchObject([{ type: 'text' }]);
    expect(told(warnings)).toEqual(['dropped messages[0]', 'dropped messages[0]', 'dropped messages[2]']);
  });

  it('a schema is adapted', () => {
    const { body, warnings } = anthropic(
      request('hi', {
        responseFormat: {
          type: 'json_schema',
          name: 'x',
          schema: { type: 'object', properties: { a: { type: 'string', minLength: 1 } } },
        },
      }),
    );
    expect(body.output_config.format.schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: false,
    });
    expect(told(warnings)).toEqual(['dropped responseFormat.schema.a', 'approximated responseFormat.schema']);
  });

  it('blanks at the end of the last assistant message', () => {
    const { body, warnings } = anthropic(request([user('hi'), { role: 'assistant', content: 'So: \n' }]));
    expect(body.messages[1].content[0].text).toBe('So:');
    expect(told(warnings)).toEqual(['repaired messages[1]']);
    expect(anthropic(request([user('hi'), { role: 'assistant', content: 'So:' }])).warnings).toEqual([]);
  });
});

describe.each(wires.slice(1))('names of tools: $name', ({ open }) => {
  const odd = [
    'mcp.server/read',
    'mcp_server_read',
    'mcp server read',
    'x'.repeat(70),
    `${'x'.repeat(70)}y`,
    'lesen_ä',
  ];
  const calls = odd.map((name, i) => ({ type: 'tool_use', id: `c${i}`, name, input: {} }) as const);
  const history: IRMessage[] = [user('hi'), { role: 'assistant', content: calls }];
  const tools = odd.map((name) => ({ name, parameters: { type: 'object', properties: {} } }));
  const backend = open('http://127.0.0.1:9');
  const namesIn = (value: unknown): string[] =>
    [...JSON.stringify(value).matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name!);

  it('are mapped to accepted ones, one to one, and back', () => {
    const asked = request(history, { tools, toolChoice: { name: odd[0]! } });
    const body = backend.fromIR(asked);
    const sent = namesIn(body.tools);
    for (const name of sent) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(sent).size).toBe(odd.length);
    expect(sent[1]).toBe('mcp_server_read');
    expect(namesIn(body.messages)).toEqual(sent);
    expect(namesIn(body.tool_choice)).toEqual([sent[0]]);
    const answer = {
      type: 'message',
      content: sent.map((name, i) => ({ type: 'tool_use', id: `n${i}`, name, input: { i } })),
      choices: [
        {
          message: {
            tool_calls: sent.map((name, i) => ({ id: `n${i}`, function: { name, arguments: `{"i":${i}}` } })),
          },
          finish_reason: 'tool_calls',
        },
      ],
    };
    expect(backend.toIR(answer, asked, 1).message.content).toMatchObject(
      odd.map((name) => ({ type: 'tool_use', name })),
    );
  });

  it('become the same in every request of a conversation', () => {
    const first = backend.fromIR(request(history, { tools: tools.slice(0, 1) }));
    const second = backend.fromIR(request([...history, user('more')], { tools }));
    expect(namesIn(second.messages).slice(0, odd.length)).toEqual(namesIn(first.messages));
  });
});
