/** What each row of the table says of its vendor shows in the requests that are sent there. */
import { describe, expect, test } from 'vitest';
import {
  OpenAIChatBackendAdapter,
  type OpenAIChatBody,
  type OpenAIChatQuirks,
} from '../../providers/backends/openai-chat.ts';
import type { IRChatRequest } from '../../providers/ir.ts';
import { type VendorRow, vendors } from '../../providers/vendors.ts';

const call = (id: string) => ({ type: 'tool_use', id, name: 'ls', input: {} }) as const;
const result = (toolUseId: string) =>
  ({ type: 'tool_result', toolUseId, name: 'ls', content: [{ type: 'text', text: 'a.txt' }], isError: false }) as const;

/** Holds something for every quirk to change. */
const request: IRChatRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is here?' },
    {
      role: 'assistant',
      content: [{ type: 'reasoning', text: 'I look.', model: 'm' }, call('call_one'), call('call_two')],
      metadata: { model: 'm' },
    },
    { role: 'tool', content: [result('call_one')] },
    { role: 'tool', content: [result('call_two')] },
    { role: 'user', content: 'And now?' },
  ],
  tools: [{ name: 'ls', description: 'Lists.', parameters: { type: 'object', properties: {} } }],
  parameters: { model: 'm', maxTokens: 100, effort: 'high', temperature: 0.5 },
  responseFormat: { type: 'json_schema', name: 'out', schema: { type: 'object' } },
  cache: ['tools', 'system', 'messages'],
  metadata: { requestId: 'r', timestamp: 0 },
};

const body = (quirks: OpenAIChatQuirks | undefined): OpenAIChatBody =>
  new OpenAIChatBackendAdapter({ baseUrl: 'http://127.0.0.1:9/v1', quirks }).fromIR(request);

const rolesOf = ({ messages }: OpenAIChatBody): string => messages.map(({ role }: { role: string }) => role).join(' ');
const callsOf = ({ messages }: OpenAIChatBody) =>
  messages.flatMap((message: any) => (message.tool_calls ?? []).map(({ id }: { id: string }) => id));

/** How the body shows that the quirk is as given; undefined: as it is without a row. */
const SHOWS: { [Q in keyof Required<OpenAIChatQuirks>]: (sent: OpenAIChatBody, value: OpenAIChatQuirks[Q]) => void } = {
  maxTokensField(sent, value = 'max_tokens') {
    expect(sent[value]).toBe(100);
    expect(Object.keys(sent).filter((key) => /^max_/.test(key))).toEqual([value]);
  },
  effort(sent, value = 'reasoning_effort') {
    const { reasoning_effort, reasoning, enable_thinking } = sent;
    const all = {
      reasoning_effort: { reasoning_effort: 'high' },
      reasoning: { reasoning: { effort: 'high' } },
      enable_thinking: { enable_thinking: true },
      none: {},
    };
    expect(JSON.parse(JSON.stringify({ reasoning_effort, reasoning, enable_thinking }))).toEqual(all[value]);
  },
  streamUsage(sent, value = true) {
    expect(sent.stream_options).toEqual(value ? { include_usage: true } : undefined);
  },
  callIds(sent, value = 'short') {
    const ids = callsOf(sent);
    expect(new Set(ids).size).toBe(2);
    const form = { any: /./, short: /^.{1,40}$/, word: /^[\w-]{1,64}$/, nine: /^[a-zA-Z0-9]{9}$/ }[value];
    for (const id of ids) expect(id).toMatch(form);
    const results = sent.messages.filter(({ role }: { role: string }) => role === 'tool');
    expect(results.map((message: any) => message.tool_call_id)).toEqual(ids);
  },
  reasoningBack(sent, value) {
    const { content: _, role: __, tool_calls: ___, ...rest } = sent.messages.find((one: any) => one.tool_calls);
    expect(rest).toEqual(value ? { [value]: 'I look.' } : {});
  },
  systemRole(sent, value = 'system') {
    expect(sent.messages[0]).toMatchObject({ role: value });
  },
  parallelToolCalls(sent, value) {
    expect(sent.parallel_tool_calls).toBe(value || undefined);
  },
  noJsonSchema(sent, value) {
    expect(sent.response_format.type).toBe(value ? 'json_object' : 'json_schema');
  },
  cacheControl(sent, value) {
    expect(sent.cache_control).toEqual(value ? { type: 'ephemeral' } : undefined);
    expect(JSON.stringify(sent.messages).includes('cache_control')).toBe(value ?? false);
  },
  noSampling(sent, value) {
    expect(sent.temperature).toBe(value ? undefined : 0.5);
  },
  assistantAfterResults(sent, value) {
    const between = value ? 'assistant ' : '';
    const system = sent.messages[0].role;
    expect(rolesOf(sent)).toBe(`${system} user assistant tool tool ${between}user`);
  },
  extraBody(sent, value) {
    expect(sent).toMatchObject(value ?? {});
  },
};

const check = (quirks: OpenAIChatQuirks): void => {
  const sent = body(quirks);
  for (const [name, shows] of Object.entries(SHOWS) as [
    keyof OpenAIChatQuirks,
    (sent: OpenAIChatBody, value: any) => void,
  ][])
    shows(sent, quirks[name]);
};

const spoken = vendors.filter(({ wire }) => wire === 'openai-chat');
test.each(spoken.map((row): [string, VendorRow] => [row.id, row]))('%s gets what its row says', (_, row) => {
  check(row.quirks ?? {});
});

describe('each quirk alone', () => {
  test.each<OpenAIChatQuirks>([
    { maxTokensField: 'max_completion_tokens' },
    { effort: 'reasoning' },
    { effort: 'enable_thinking' },
    { effort: 'none' },
    { streamUsage: false },
    { callIds: 'any' },
    { callIds: 'word' },
    { callIds: 'nine' },
    { reasoningBack: 'reasoning_content' },
    { reasoningBack: 'reasoning' },
    { systemRole: 'developer' },
    { parallelToolCalls: true },
    { noJsonSchema: true },
    { cacheControl: true },
    { noSampling: true },
    { assistantAfterResults: true },
    { extraBody: { safe_prompt: true } },
  ])('%j', check);
});
