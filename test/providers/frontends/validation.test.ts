/** What each format refuses, and by which path it names the field. */
import { describe, expect, it } from 'vitest';
import { ValidationError } from '../../../providers/errors.ts';
import { AnthropicFrontendAdapter } from '../../../providers/frontends/anthropic.ts';
import { OpenAIFrontendAdapter } from '../../../providers/frontends/openai-chat.ts';

async function fieldsOf(frontend: { validate(request: any): Promise<void> }, request: unknown): Promise<string[]> {
  try {
    await frontend.validate(request);
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
    const { validationDetails, message } = error as ValidationError;
    for (const { field } of validationDetails) expect(message).toContain(field);
    return validationDetails.map(({ field }) => field);
  }
  return [];
}

const user = { role: 'user', content: 'x' };
const call = (more: object) => ({ id: 'c', type: 'function', function: { name: 'f', arguments: '{}', ...more } });

describe('openai', () => {
  const check = (body: unknown) => fieldsOf(new OpenAIFrontendAdapter(), body);
  const with_ = (more: object) => ({ model: 'm', messages: [user], ...more });

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['model', 'messages']],
    ['no messages', { model: 'm', messages: [] }, ['messages']],
    ['a message that is no object', with_({ messages: ['hi'] }), ['messages[0]']],
    ['an unknown role', with_({ messages: [{ role: 'robot', content: 'x' }] }), ['messages[0].role']],
    ['a user without content', with_({ messages: [{ role: 'user', content: null }] }), ['messages[0].content']],
    [
      'an unknown part',
      with_({ messages: [{ role: 'user', content: [{ type: 'smell' }] }] }),
      ['messages[0].content[0].type'],
    ],
    [
      'an image without URL',
      with_({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] }),
      ['messages[0].content[0].image_url.url'],
    ],
    [
      'arguments that are no text',
      with_({ messages: [user, user, { role: 'assistant', tool_calls: [call({ arguments: {} })] }] }),
      ['messages[2].tool_calls[0].function.arguments'],
    ],
    [
      'a call without a name',
      with_({ messages: [{ role: 'assistant', content: '', tool_calls: [call({ name: undefined })] }] }),
      ['messages[0].tool_calls[0].function.name'],
    ],
    ['a result without a call', with_({ messages: [{ role: 'tool', content: 'x' }] }), ['messages[0].tool_call_id']],
    ['too warm', with_({ temperature: 3 }), ['temperature']],
    ['no room', with_({ max_tokens: 0, max_completion_tokens: 1.5 }), ['max_tokens', 'max_completion_tokens']],
    ['two answers', with_({ n: 2 }), ['n']],
    ['a stop that is a number', with_({ stop: ['a', 1] }), ['stop[1]']],
    ['a tool without a name', with_({ tools: [{ type: 'function', function: {} }] }), ['tools[0].function.name']],
    ['an unknown choice', with_({ tool_choice: 'some' }), ['tool_choice']],
    ['a choice without a name', with_({ tool_choice: { type: 'function' } }), ['tool_choice.function.name']],
    [
      'a schema without a name',
      with_({ response_format: { type: 'json_schema', json_schema: {} } }),
      ['response_format.json_schema.name'],
    ],
  ])('refuses %s', async (_name, body, fields) => {
    expect(await check(body)).toEqual(fields);
  });

  it.each([[null], ['text'], [[user]]])('refuses the body %j', async (body) => {
    expect(await check(body)).toEqual(['body']);
  });

  it('accepts nulls where the format has them, and calls without content', async () => {
    const body = with_({
      messages: [
        { role: 'developer', content: [{ type: 'text', text: 'x' }] },
        user,
        { role: 'assistant', content: null, refusal: null, tool_calls: [call({ arguments: '{"cut' })] },
        { role: 'tool', tool_call_id: 'c', content: '' },
        { role: 'assistant', content: null, tool_calls: null },
      ],
      temperature: null,
      stop: null,
      tools: null,
      tool_choice: null,
      response_format: null,
      unheard_of: { x: 1 },
    });
    expect(await check(body)).toEqual([]);
  });
});

describe('anthropic', () => {
  const check = (body: unknown) => fieldsOf(new AnthropicFrontendAdapter(), body);
  const with_ = (more: object) => ({ model: 'm', max_tokens: 10, messages: [user], ...more });
  const says = (role: string, ...content: object[]) => with_({ messages: [{ role, content }] });

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['model', 'max_tokens', 'messages']],
    ['no messages', with_({ messages: [] }), ['messages']],
    ['an unknown role', with_({ messages: [{ role: 'tool', content: 'x' }] }), ['messages[0].role']],
    ['no content', with_({ messages: [{ role: 'user' }] }), ['messages[0].content']],
    ['an unknown block', says('user', { type: 'smell' }), ['messages[0].content[0].type']],
    [
      'a call of the user',
      says('user', { type: 'tool_use', id: 'a', name: 'f', input: {} }),
      ['messages[0].content[0].type'],
    ],
    [
      'input that is text',
      says('assistant', { type: 'tool_use', id: 'a', name: 'f', input: '{}' }),
      ['messages[0].content[0].input'],
    ],
    [
      'a result without a call',
      says('user', { type: 'tool_result', content: 'x' }),
      ['messages[0].content[0].tool_use_id'],
    ],
    [
      'a strange block in a result',
      says('user', { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'thinking' }] }),
      ['messages[0].content[0].content[0].type'],
    ],
    [
      'an image without bytes',
      says('user', { type: 'image', source: { type: 'base64', media_type: 'image/png' } }),
      ['messages[0].content[0].source.data'],
    ],
    [
      'an image from nowhere',
      says('user', { type: 'image', source: { type: 'moon' } }),
      ['messages[0].content[0].source.type'],
    ],
    ['too warm', with_({ temperature: 1.5 }), ['temperature']],
    ['a tool without a schema', with_({ tools: [{ name: 'f' }] }), ['tools[0].input_schema']],
    ['a choice without a name', with_({ tool_choice: { type: 'tool' } }), ['tool_choice.name']],
    [
      'a budget that is too small',
      with_({ thinking: { type: 'enabled', budget_tokens: 10 } }),
      ['thinking.budget_tokens'],
    ],
    ['a system prompt that is a number', with_({ system: 3 }), ['system']],
  ])('refuses %s', async (_name, body, fields) => {
    expect(await check(body)).toEqual(fields);
  });

  it('accepts what only the provider knows: its tools, their blocks, new fields', async () => {
    const ran = { type: 'constructor', name: 'x' };
    expect(await check(says('assistant', ran, { type: 'server_tool_use', id: 'a', name: 'b', input: {} }))).toEqual([]);
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    expect(await check(with_({ tools, unheard_of: 1 }))).toEqual([]);
  });
});
