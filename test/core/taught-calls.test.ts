import { describe, expect, it } from 'vitest';
import { systemPrompt } from '../../core/prompt.ts';
import { callsAsText, teachCalls } from '../../core/taught-calls.ts';
import { coreTools, lateTools } from '../../core/tools/index.ts';
import { compactSchemas, fullSchemas } from '../../core/tools/tool-schemas.ts';
import type { IRChatRequest, IRMessage } from '../../providers/ir.ts';

const core = coreTools();

describe('what is taught', () => {
  it('is every tool with its arguments, and one example', () => {
    const text = teachCalls(fullSchemas(core));
    expect(text).toContain('<tool_call>{"name": "read_file", "arguments": {"path":"README.md"}}</tool_call>');
    expect(text.match(/<tool_call>/g)).toHaveLength(1);
    for (const { name } of core) expect(text).toContain(`- ${name}(`);
    expect(text).toMatch(/read_file\(path, offset\?: integer, limit\?: integer\)/);
    expect(text).toMatch(/use_tool\(name, input\?: object\)/);
    expect(text).toMatch(/update_todos\(items: \[\{text, status: pending\|active\|done\}\]\)/);
  });

  it.each([
    [false, 4_500],
    [true, 2_500],
  ])('with the rest of the prompt (compact: %s) it takes at most %i bytes', (compact, most) => {
    const system = systemPrompt({
      cwd: '/home/somebody/projects/example',
      platform: 'linux',
      mode: 'ask',
      lateTools: [
        ...lateTools({}),
        ...['list_skills', 'find_skill', 'use_skill'].map((name) => ({ name, description: 'What it is for.' })),
      ],
      instructions: [],
      compact,
      calls: teachCalls(compact ? compactSchemas(core) : fullSchemas(core)),
    });
    expect(Buffer.byteLength(JSON.stringify({ messages: [{ role: 'system', content: system }] }))).toBeLessThanOrEqual(
      most,
    );
  });
});

describe('a conversation in words', () => {
  const messages: IRMessage[] = [
    { role: 'system', content: 'Be.' },
    { role: 'user', content: 'Read.' },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'I read.' },
        { type: 'tool_use', id: '1', name: 'read_file', input: { path: 'a' } },
        { type: 'tool_use', id: '2', name: 'bash', input: {}, raw: '{"command": ', invalid: 'it broke off' },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool_result', toolUseId: '1', name: 'read_file', content: [{ type: 'text', text: 'alpha' }] }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool_result', toolUseId: '2', name: 'bash', isError: true, content: [{ type: 'text', text: 'no' }] },
      ],
    },
  ];
  const request: IRChatRequest = { messages, metadata: { requestId: 'r', timestamp: 0 } };

  it('has calls as they were taught, and results as words of the user', () => {
    const [system, user, assistant, first, second] = callsAsText(request).messages;
    expect([system, user]).toEqual(messages.slice(0, 2));
    expect(assistant).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'I read.' },
        { type: 'text', text: '\n<tool_call>{"name": "read_file", "arguments": {"path":"a"}}</tool_call>' },
        { type: 'text', text: '\n<tool_call>{"name": "bash", "arguments": {"command": }</tool_call>' },
      ],
    });
    expect(first).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'Result of read_file:' },
        { type: 'text', text: 'alpha' },
      ],
    });
    expect(second).toMatchObject({ role: 'user', content: [{ text: 'Error of bash:' }, { text: 'no' }] });
  });

  it('is the same each time, so that what was sent is known again', () => {
    const again = callsAsText({ ...request, messages: [...messages, { role: 'user', content: 'More.' }] }).messages;
    for (const [i, message] of callsAsText(request).messages.entries()) expect(again[i]).toBe(message);
  });
});
