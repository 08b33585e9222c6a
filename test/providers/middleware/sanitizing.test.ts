import { expect, test } from 'vitest';
import { MockBackendAdapter } from '../../../providers/backends/mock.ts';
import type { IRMessage } from '../../../providers/ir.ts';
import { createSanitizingMiddleware, type SanitizingOptions } from '../../../providers/middleware/sanitizing.ts';
import { request } from '../router/scripted-backend.ts';
import { both } from './both-ways.ts';

async function sent(message: IRMessage, options?: SanitizingOptions) {
  const backend = new MockBackendAdapter();
  const { chat, stream } = both(backend, createSanitizingMiddleware(options));
  const whole = await chat(request('', { messages: [message] }));
  const chunks = await stream(request('', { messages: [message] }));
  const [first, second] = backend.requests.map((one) => one.messages[0]!);
  // The same message becomes the same object: what it is on the wire is not made again.
  expect(second).toBe(first);
  const warned = chunks.flatMap((chunk) => (chunk.type === 'warning' ? [chunk.warning.field] : []));
  expect(whole.metadata.warnings?.map((warning) => warning.field) ?? []).toEqual(warned);
  return { message: first!, warned };
}

test.each<[string, string, string]>([
  ['control characters', 'a\u0000b\u0007\u001b[31mc\u0085\u007f', 'ab[31mc'],
  ['half a surrogate pair', 'a\ud83dz \ude00', 'a\ufffdz \ufffd'],
  ['text in tag characters', 'hi\u{e0069}\u{e0067}\u{e006e}', 'hi'],
  ['marks of direction', 'a\u202eb\u2066c', 'abc'],
  ['zero-width spaces', 'pass\u200bword\ufeff', 'password'],
])('removed or replaced: %s', async (_, text, clean) => {
  expect(await sent({ role: 'user', content: text })).toEqual({
    message: { role: 'user', content: clean },
    warned: ['messages[0]'],
  });
});

test.each([
  ['tabs and line ends', 'a\tb\r\nc'],
  ['emoji that are joined', '👩‍👩‍👧 ❤️'],
  ['a flag of a region', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['joiners of scripts', 'می‌خواهم'],
])('kept: %s', async (_, text) => {
  const message: IRMessage = { role: 'user', content: text };
  const after = await sent(message);
  expect(after.message).toBe(message);
  expect(after.warned).toEqual([]);
});

test('texts in parts and results, and nothing else', async () => {
  const call = { type: 'tool_use', id: '1', name: 't', input: { a: '\u0000' }, raw: '{"a":"\\u0000"}' } as const;
  const thought = { type: 'reasoning', text: '\u0007', signature: 's' } as const;
  const { message } = await sent({ role: 'assistant', content: [thought, { type: 'text', text: 'a\u0007' }, call] });
  expect(message.content).toEqual([thought, { type: 'text', text: 'a' }, call]);
  const result = { type: 'tool_result', toolUseId: '1', content: [{ type: 'text', text: 'a\u0007' }] } as const;
  expect((await sent({ role: 'tool', content: [result] })).message.content).toEqual([
    { ...result, content: [{ type: 'text', text: 'a' }] },
  ]);
});

test('patterns of one’s own, and invisible text on request', async () => {
  const replace = [{ pattern: /key-\w+/g, with: '[key]' }];
  expect((await sent({ role: 'user', content: 'key-a and key-b' }, { replace })).message.content).toBe(
    '[key] and [key]',
  );
  const hidden: IRMessage = { role: 'user', content: 'a\u202eb' };
  expect((await sent(hidden, { invisible: false })).message).toBe(hidden);
});

test('of a conversation that grows only the new messages are looked at, and all are warned of', async () => {
  const backend = new MockBackendAdapter();
  const { chat } = both(backend, createSanitizingMiddleware());
  const messages: IRMessage[] = [{ role: 'user', content: 'a\u0000' }];
  await chat(request('', { messages: [...messages] }));
  messages.push({ role: 'assistant', content: 'x' }, { role: 'user', content: 'b\u0000' });
  const { metadata } = await chat(request('', { messages: [...messages] }));
  expect(metadata.warnings?.map((warning) => warning.field)).toEqual(['messages[0]', 'messages[2]']);
  expect(backend.requests[1]!.messages[0]).toBe(backend.requests[0]!.messages[0]);
});
