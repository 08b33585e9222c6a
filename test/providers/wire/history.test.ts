import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type IRMessage, type MessageContent, partsOf } from '../../../providers/ir.ts';
import { repairHistory } from '../../../providers/wire/history.ts';

const call = (id: string): MessageContent => ({ type: 'tool_use', id, name: 'run', input: {} });
const result = (id: string, text = id): MessageContent => ({
  type: 'tool_result',
  toolUseId: id,
  content: [{ type: 'text', text }],
});
const text = (value: string): MessageContent => ({ type: 'text', text: value });
const assistant = (...content: MessageContent[]): IRMessage => ({ role: 'assistant', content });
const tool = (...content: MessageContent[]): IRMessage => ({ role: 'tool', content });
const user = (...content: MessageContent[]): IRMessage => ({ role: 'user', content });

/** One line a message: role, then ids of calls and results, and texts. */
function shape(messages: readonly IRMessage[]): string[] {
  return repairHistory(messages).messages.map((message) => {
    const parts = message.content.map((part) => {
      if (part.type === 'tool_use') return `+${part.id}`;
      if (part.type === 'tool_result')
        return `=${part.toolUseId}${part.isError ? '!' : ''}(${(part.content[0] as { text: string }).text.slice(0, 9)})`;
      return part.type === 'text' ? `'${part.text}'` : part.type;
    });
    return `${message.role} ${parts.join(' ')}`;
  });
}

describe('repairHistory', () => {
  it('leaves a whole conversation alone', () => {
    const messages = [
      { role: 'system', content: 'S' } as const,
      user(text('U')),
      assistant(text('A'), call('1'), call('2')),
      tool(result('1'), result('2')),
      assistant(text('B')),
    ];
    expect(shape(messages)).toEqual([
      "system 'S'",
      "user 'U'",
      "assistant 'A' +1 +2",
      'tool =1(1) =2(2)',
      "assistant 'B'",
    ]);
    expect(repairHistory(messages).warnings).toEqual([]);
  });

  it('gives an orphan an error result', () => {
    expect(shape([assistant(call('1'), call('2')), tool(result('2')), user(text('U'))])).toEqual([
      'assistant +1 +2',
      'tool =1!(No result) =2(2)',
      "user 'U'",
    ]);
  });

  it('brings results in the order of the calls, right behind them', () => {
    expect(shape([assistant(call('1'), call('2')), user(text('U'), result('2')), tool(result('1'))])).toEqual([
      'assistant +1 +2',
      'tool =1(1) =2(2)',
      "user 'U'",
    ]);
  });

  it('tells duplicate ids apart, with the right results', () => {
    const messages = [
      assistant(call('x'), call('x')),
      tool(result('x', 'first'), result('x', 'second')),
      assistant(call('x')),
      tool(result('x', 'third')),
    ];
    expect(shape(messages)).toEqual([
      'assistant +x +x_2',
      'tool =x(first) =x_2(second)',
      'assistant +x_3',
      'tool =x_3(third)',
    ]);
  });

  it('keeps a result without a call as text', () => {
    expect(shape([tool(result('gone', 'words'))])).toEqual(["user 'Result of an earlier call:' 'words'"]);
  });

  it('leaves blank texts out and never loses the place of a user message', () => {
    expect(shape([user(text(' \n')), assistant(text('')), assistant(text(' '), call('1')), tool(result('1'))])).toEqual(
      ["user '(no text)'", 'assistant +1', 'tool =1(1)'],
    );
  });

  const anyId = fc.constantFrom('a', 'b', 'c', '');
  const anyPart = fc.oneof(
    anyId.map(call),
    anyId.map((id) => result(id)),
    fc.constantFrom('', ' ', 'words').map(text),
  );
  const anyMessage = fc.record({
    role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
    content: fc.array(anyPart, { maxLength: 4 }),
  }) as fc.Arbitrary<IRMessage>;

  it('always pairs calls and results, whatever the conversation', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 8 }), (messages) => {
        const repaired = repairHistory(messages).messages;
        const seen = new Set<string>();
        repaired.forEach((message, index) => {
          expect(message.content.length).toBeGreaterThan(0);
          const calls = message.content.flatMap((part) => (part.type === 'tool_use' ? [part.id] : []));
          const results = partsOf(message.content).flatMap((part) =>
            part.type === 'tool_result' ? [part.toolUseId] : [],
          );
          if (message.role === 'assistant' && calls.length) {
            expect(repaired[index + 1]?.content.map((part) => (part as { toolUseId?: string }).toolUseId)).toEqual(
              calls,
            );
          }
          if (message.role !== 'tool' && message.role !== 'assistant') expect(results).toEqual([]);
          for (const id of calls) {
            expect(seen.has(id)).toBe(false);
            seen.add(id);
          }
        });
      }),
      { numRuns: 300 },
    );
  });

  it('gives a conversation that grows what it would give the whole at once, and the same objects again', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 8 }), (messages) => {
        for (let length = 1; length <= messages.length; length++) {
          const grown = repairHistory(messages.slice(0, length));
          expect(grown).toEqual(repairHistory(structuredClone(messages.slice(0, length))));
        }
        const [once, again] = [repairHistory(messages), repairHistory([...messages])];
        expect(again).toEqual(once);
        if (!once.warnings.length) once.messages.forEach((message, i) => void expect(again.messages[i]).toBe(message));
      }),
      { numRuns: 300 },
    );
  });

  it('forgets what it kept when the conversation takes another way', () => {
    const [first, second, third] = [user(text('a')), assistant(text('b')), user(text('c'))];
    repairHistory([first, second, third]);
    const other = assistant(text('d'));
    expect(shape([first, other])).toEqual(["user 'a'", "assistant 'd'"]);
    expect(shape([first, second])).toEqual(["user 'a'", "assistant 'b'"]);
  });

  it('keeps the beginning as it is when a turn is added', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 6 }), fc.array(anyMessage, { maxLength: 3 }), (before, after) => {
        // A turn begins with a user's words and brings no results of earlier calls.
        const next: IRMessage[] = [user(text('next')), assistant(text('ok')), ...after];
        const short = repairHistory(before).messages;
        const long = repairHistory([...before, ...next]).messages;
        expect(JSON.stringify(long.slice(0, short.length))).toBe(JSON.stringify(short));
      }),
      { numRuns: 200 },
    );
  });
});
