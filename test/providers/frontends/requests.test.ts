/** What requests mean in the IR. */
import { describe, expect, it } from 'vitest';
import { AnthropicFrontendAdapter } from '../../../providers/frontends/anthropic.ts';
import { OpenAIFrontendAdapter } from '../../../providers/frontends/openai-chat.ts';

const PNG = 'iVBORw0KGgo=';
const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: PNG } };
const schema = { type: 'object', properties: { path: { type: 'string' } } };

async function read(frontend: OpenAIFrontendAdapter | AnthropicFrontendAdapter, body: Record<string, any>) {
  await frontend.validate(body);
  const ir = await frontend.toIR(body);
  return { ...ir, fields: (ir.metadata.warnings ?? []).map(({ kind, field }) => `${kind} ${field}`) };
}

describe('openai', () => {
  const openai = (more: object) =>
    read(new OpenAIFrontendAdapter(), { model: 'm', messages: [{ role: 'user', content: 'x' }], ...more });
  const messagesOf = async (...messages: object[]) => openai({ messages });

  it('reads messages of every role', async () => {
    const { messages, fields } = await messagesOf(
      { role: 'system', content: 'S' },
      { role: 'developer', content: [{ type: 'text', text: 'D' }] },
      { role: 'user', content: 'U', name: 'ada' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } },
          { id: 'c2', type: 'function', function: { name: 'f', arguments: '{"a": ' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'R1' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'R2' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'A' }], refusal: 'No.' },
    );
    expect(fields).toEqual([]);
    expect(messages).toEqual([
      { role: 'system', content: 'S' },
      { role: 'system', content: [{ type: 'text', text: 'D' }] },
      { role: 'user', content: 'U', name: 'ada' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 }, raw: '{"a": 1}' },
          { type: 'tool_use', id: 'c2', name: 'f', input: {}, raw: '{"a": ', invalid: expect.stringMatching(/JSON/) },
        ],
      },
      { role: 'tool', content: [{ type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: 'R1' }] }] },
      { role: 'tool', content: [{ type: 'tool_result', toolUseId: 'c2', content: [{ type: 'text', text: 'R2' }] }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'No.' },
        ],
      },
    ]);
  });

  it('reads images and files, and says what it cannot pass on', async () => {
    const { messages, fields } = await messagesOf({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'high' } },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
        { type: 'file', file: { file_id: 'file-1' } },
        { type: 'input_audio', input_audio: { data: '', format: 'wav' } },
      ],
    });
    expect(messages[0]!.content).toEqual([
      image,
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      {
        type: 'document',
        source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERg==' },
        name: 'a.pdf',
      },
      { type: 'text', text: '[a file that is known only by its id left out]' },
      { type: 'text', text: '[audio left out]' },
    ]);
    expect(fields).toEqual([
      'dropped messages[0].content[0].image_url.detail',
      'dropped messages[0].content[3]',
      'dropped messages[0].content[4]',
    ]);
  });

  it('reads thinking that comes back', async () => {
    const { messages } = await messagesOf(
      { role: 'assistant', content: 'A', reasoning_content: 'hm' },
      {
        role: 'assistant',
        content: 'B',
        reasoning_details: [
          { type: 'reasoning.text', text: 'signed', signature: 'sig' },
          { type: 'reasoning.encrypted', data: 'dark' },
        ],
      },
    );
    expect(messages.map(({ content }) => content)).toEqual([
      [
        { type: 'reasoning', text: 'hm', model: 'm' },
        { type: 'text', text: 'A' },
      ],
      [
        { type: 'reasoning', text: 'signed', signature: 'sig', model: 'm' },
        { type: 'reasoning', text: '', signature: 'dark', redacted: true, model: 'm' },
        { type: 'text', text: 'B' },
      ],
    ]);
  });

  it('reads the functions of old', async () => {
    const ir = await openai({
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'R' },
      ],
      functions: [{ name: 'f', parameters: schema }],
      function_call: { name: 'f' },
    });
    expect(ir.tools).toEqual([{ name: 'f', parameters: schema }]);
    expect(ir.toolChoice).toEqual({ name: 'f' });
    expect(ir.messages[1]!.content).toMatchObject([{ type: 'tool_use', id: 'function_1', name: 'f' }]);
    expect(ir.messages[2]!.content).toMatchObject([{ type: 'tool_result', toolUseId: 'function_1', name: 'f' }]);
  });

  it('reads every parameter', async () => {
    const ir = await openai({
      temperature: 0,
      top_p: 0.5,
      top_k: 4,
      max_tokens: 10,
      max_completion_tokens: 20,
      stop: 'END',
      seed: 7,
      frequency_penalty: 0.1,
      presence_penalty: -0.1,
      user: 'u',
      reasoning_effort: 'high',
      parallel_tool_calls: false,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(ir.fields).toEqual([]);
    expect(ir.parameters).toEqual({
      model: 'm',
      temperature: 0,
      topP: 0.5,
      topK: 4,
      maxTokens: 20,
      stopSequences: ['END'],
      seed: 7,
      frequencyPenalty: 0.1,
      presencePenalty: -0.1,
      user: 'u',
      effort: 'high',
    });
    expect(ir).toMatchObject({ parallelToolCalls: false, stream: true, metadata: { custom: { includeUsage: true } } });
    expect(ir.metadata.provenance).toEqual({ frontend: 'openai', requestedModel: 'm' });
  });

  it.each([
    [{ reasoning_effort: 'none' }, 'off', 0],
    [{ reasoning_effort: 'minimal' }, 'low', 1],
    [{ reasoning_effort: 'xhigh' }, 'high', 1],
    [{ reasoning_effort: 'constructor' }, undefined, 1],
    [{ reasoning: { effort: 'low' } }, 'low', 0],
    [{ reasoning: { enabled: false } }, 'off', 0],
    [{ reasoning: { max_tokens: 500 } }, 'medium', 1],
    [{ enable_thinking: false }, 'off', 0],
  ])('reads the effort of %j', async (body, effort, warnings) => {
    const ir = await openai(body);
    expect(ir.parameters?.effort).toBe(effort);
    expect(ir.fields).toHaveLength(warnings);
  });

  it.each([
    [{ type: 'text' }, { type: 'text' }],
    [{ type: 'json_object' }, { type: 'json' }],
    [
      { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } },
      { type: 'json_schema', name: 'n', schema, strict: true },
    ],
  ])('reads the format %j', async (format, expected) => {
    expect((await openai({ response_format: format })).responseFormat).toEqual(expected);
  });

  const tools = ['f', 'g'].map((name) => ({
    type: 'function',
    function: { name, description: 'D', parameters: schema },
  }));
  it.each([
    ['auto', 'auto', ['f', 'g']],
    ['none', 'none', ['f', 'g']],
    [{ type: 'function', function: { name: 'g' } }, { name: 'g' }, ['f', 'g']],
    [
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'g' } }] },
      },
      'required',
      ['g'],
    ],
  ])('reads the choice %j', async (choice, expected, names) => {
    const ir = await openai({ tools, tool_choice: choice });
    expect(ir.toolChoice).toEqual(expected);
    expect(ir.tools!.map(({ name }) => name)).toEqual(names);
    expect(ir.tools![0]).toMatchObject({ description: 'D', parameters: schema });
  });

  it('warns of what nobody reads', async () => {
    const { fields } = await openai({ logit_bias: {}, store: true, service_tier: null, metadata: { a: 'b' } });
    expect(fields).toEqual(['dropped logit_bias', 'dropped store', 'dropped metadata']);
  });

  it('takes marks for caching as hints', async () => {
    const cache_control = { type: 'ephemeral' };
    const { cache } = await openai({
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'S', cache_control }] },
        { role: 'user', content: [{ type: 'text', text: 'U', cache_control }] },
      ],
    });
    expect(cache).toEqual(['system', 'messages']);
  });
});

describe('anthropic', () => {
  const anthropic = (more: object) =>
    read(new AnthropicFrontendAdapter(), {
      model: 'm',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'x' }],
      ...more,
    });

  it('reads every kind of block', async () => {
    const { messages, fields } = await anthropic({
      system: [
        { type: 'text', text: 'S1' },
        { type: 'text', text: 'S2' },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'U' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
            { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
            { type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'ä' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'sig' },
            { type: 'thinking', thinking: 'unsigned', signature: '' },
            { type: 'redacted_thinking', data: 'dark' },
            { type: 'text', text: 'A' },
            { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c1',
              is_error: true,
              content: [
                { type: 'text', text: 'R' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
              ],
            },
            { type: 'text', text: 'go on' },
          ],
        },
      ],
    });
    expect(fields).toEqual([]);
    expect(messages).toEqual([
      {
        role: 'system',
        content: [
          { type: 'text', text: 'S1' },
          { type: 'text', text: 'S2' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'U' },
          image,
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'document', source: { type: 'base64', mediaType: 'text/plain', data: 'w6Q=' }, name: 'T' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', signature: 'sig', model: 'm' },
          { type: 'reasoning', text: 'unsigned', model: 'm' },
          { type: 'reasoning', text: '', signature: 'dark', redacted: true, model: 'm' },
          { type: 'text', text: 'A' },
          { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text: 'R' }, image], isError: true },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'go on' }] },
    ]);
  });

  it('puts results in front, and says so', async () => {
    const { messages, fields } = await anthropic({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'first' },
            { type: 'tool_result', tool_use_id: 'c', content: 'R' },
          ],
        },
      ],
    });
    expect(messages.map(({ role }) => role)).toEqual(['tool', 'user']);
    expect(fields).toEqual(['moved messages[0].content[1]']);
  });

  it('reads every parameter', async () => {
    const ir = await anthropic({
      temperature: 0.3,
      top_p: 0.5,
      top_k: 4,
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
      thinking: { type: 'enabled', budget_tokens: 8192 },
      tools: [{ name: 'f', description: 'D', input_schema: schema, cache_control: { type: 'ephemeral' } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      output_config: { format: { type: 'json_schema', schema } },
      stream: true,
    });
    expect(ir.fields).toEqual([]);
    expect(ir).toMatchObject({
      parameters: {
        model: 'm',
        maxTokens: 100,
        temperature: 0.3,
        topP: 0.5,
        topK: 4,
        stopSequences: ['END'],
        user: 'u',
        effort: 'medium',
      },
      tools: [{ name: 'f', description: 'D', parameters: schema }],
      toolChoice: 'required',
      parallelToolCalls: false,
      responseFormat: { type: 'json_schema', schema },
      cache: ['tools'],
      stream: true,
    });
  });

  it.each([
    [{ thinking: { type: 'disabled' } }, 'off', 0],
    [{ thinking: { type: 'enabled', budget_tokens: 2048 } }, 'low', 0],
    [{ thinking: { type: 'enabled', budget_tokens: 10_000 } }, 'medium', 1],
    [{ thinking: { type: 'enabled', budget_tokens: 24_576 } }, 'high', 0],
    [{ thinking: { type: 'adaptive' } }, 'high', 0],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }, 'low', 0],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, 'high', 1],
  ])('reads the effort of %j', async (body, effort, warnings) => {
    const ir = await anthropic(body);
    expect(ir.parameters?.effort).toBe(effort);
    expect(ir.fields).toHaveLength(warnings);
  });

  it('names tools and fields of the provider that it cannot pass on', async () => {
    const ir = await anthropic({
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      service_tier: 'auto',
      system: [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    });
    expect(ir.tools).toBeUndefined();
    expect(ir.cache).toEqual(['system']);
    expect(ir.fields).toEqual(['dropped service_tier', 'dropped tools[0]', 'approximated cache_control.ttl']);
  });
});
