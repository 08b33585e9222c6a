/** Nothing of a conversation is left out without a warning, on any wire. */
import { describe, expect, it } from 'vitest';
import type { IRMessage, IRRole, IRWarning, MessageContent } from '../../../providers/ir.ts';
import { drain, request, user, wires } from './wires.ts';

const text = { type: 'text', text: 'words' } as const;
const parts: Readonly<Record<string, MessageContent>> = {
  image: { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'TUFSSw==' } },
  pdf: {
    type: 'document',
    name: 'MARK.pdf',
    source: { type: 'base64', mediaType: 'application/pdf', data: 'TUFSSw==' },
  },
  'text document': { type: 'document', source: { type: 'base64', mediaType: 'text/plain', data: 'TUFSSw==' } },
  reasoning: { type: 'reasoning', text: 'MARK', model: 'another' },
  call: { type: 'tool_use', id: 'MARK', name: 'f', input: {} },
  result: { type: 'tool_result', toolUseId: 'c', content: [{ type: 'text', text: 'MARK' }] },
  'something new': { type: 'audio', data: 'MARK' } as unknown as MessageContent,
};

describe.each(wires)('$name', ({ open }) => {
  const backend = open('http://127.0.0.1:9');
  async function send(messages: IRMessage[]) {
    const asked = request(messages);
    const chunks = await drain(backend.executeStream(asked));
    const warnings = chunks.flatMap((chunk): IRWarning[] => (chunk.type === 'warning' ? [chunk.warning] : []));
    return { sent: JSON.stringify(backend.fromIR(asked).messages ?? ''), body: backend.fromIR(asked), warnings };
  }

  for (const role of ['system', 'user', 'assistant', 'tool'] satisfies IRRole[])
    it.each(Object.keys(parts))(`%s in a message of role ${role}`, async (name) => {
      const { body, warnings } = await send([user('hi'), { role, content: [text, parts[name]!] }, user('go on')]);
      const kept = /MARK|TUFSSw==/.test(JSON.stringify(body.messages).replaceAll('MARK.pdf', ''));
      expect(kept || warnings.length > 0).toBe(true);
      expect(JSON.stringify(body.messages)).toContain('words');
    });

  it.each(['assistant', 'system'] as const)('media in a %s message leave a word in their place', async (role) => {
    for (const [name, kind] of [
      ['image', 'image'],
      ['pdf', 'document MARK.pdf'],
    ] as const) {
      const { sent, warnings } = await send([user('hi'), { role, content: [text, parts[name]!] }, user('go on')]);
      expect(sent).toContain(`[${kind} of this ${role} message left out]`);
      expect(sent).not.toContain('TUFSSw==');
      expect(warnings).toContainEqual(expect.objectContaining({ kind: 'dropped', field: 'messages[1]' }));
    }
    const { body, warnings } = await send([{ role, content: [parts['text document']!] }, user('go on')]);
    expect(JSON.stringify(body)).toContain('MARK');
    expect(warnings).toContainEqual(expect.objectContaining({ kind: 'downgraded', field: 'messages[0]' }));
  });

  it('a message of nothing but thinking', async () => {
    const model = 'test-model:latest';
    const thought = { type: 'reasoning', text: 'MARK', signature: 's', model } as const;
    const { sent, warnings } = await send([user('hi'), { role: 'assistant', content: [thought] }, user('go on')]);
    expect(sent).not.toContain('MARK');
    expect(warnings).toContainEqual(expect.objectContaining({ kind: 'dropped', field: 'messages[1]' }));
  });

  it('names that the format has no field for', async () => {
    for (const role of ['system', 'user', 'assistant'] as const) {
      const { sent, warnings } = await send([{ role, content: 'x', name: 'MARK' }, user('go on')]);
      expect(sent.includes('MARK') || warnings.some(({ field }) => field === 'messages[0].name')).toBe(true);
    }
  });
});
