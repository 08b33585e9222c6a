import { describe, expect, test } from 'vitest';
import { recover } from '../../app/lab/recover.ts';
import { answerLine } from '../../app/lab.ts';

const call = (name: string) => `<tool_call>{"name": "${name}", "arguments": {"command": "ls"}}</tool_call>`;
const ls = (name: string) => ({ name, arguments: { command: 'ls' } });

describe('a line that is not understood gives an error', () => {
  test.each<[string, string]>([
    ['no text', '{}'],
    ['a text that is none', '{"text": 3}'],
    ['chunks that are no list', '{"chunks": "a"}'],
    ['tools that are no list', '{"text": "a", "tools": "bash"}'],
    ['a tool without a name', '{"text": "a", "tools": [{}]}'],
    ['parameters that are no schema', '{"text": "a", "tools": [{"name": "a", "parameters": 3}]}'],
  ])('%s', async (_, line) => {
    expect(await answerLine(recover, line)).toEqual({ error: expect.stringMatching(/./) });
  });
});

test('text and chunks give the same', () => {
  const expected = { calls: [ls('bash')], content: 'So.\n', thinking: '', invalid: [] };
  const text = `So.\n${call('bash')}`;
  expect(recover({ text, tools: ['bash'] })).toEqual(expected);
  expect(recover({ chunks: [...text], tools: ['bash'] })).toEqual(expected);
});

test('thinking comes before the text', () => {
  expect(recover({ text: 'b', thinking: 'a' })).toEqual({ calls: [], content: 'b', thinking: 'a', invalid: [] });
});

test('a schema decides about types, and about what is of use', () => {
  const tools = [
    { name: 'n', parameters: { type: 'object', properties: { id: { type: 'string' }, k: { type: 'integer' } } } },
  ];
  const text = '<function=n><parameter=id>5</parameter><parameter=k>5</parameter></function>';
  expect(recover({ text, tools })).toMatchObject({ calls: [{ name: 'n', arguments: { id: '5', k: 5 } }] });
  expect(recover({ text: text.replace('k>5', 'k>x'), tools })).toMatchObject({
    calls: [],
    invalid: [{ name: 'n', reason: expect.stringMatching(/k must be integer/) }],
  });
});

test('names are names, unless they are labels of definitions', () => {
  expect(recover({ text: call('launch'), tools: ['bash'] })).toMatchObject({
    calls: [],
    invalid: [{ name: 'launch' }],
  });
  expect(recover({ text: call('launch'), tools: ['bash_tool'] })).toMatchObject({ calls: [ls('launch')] });
});

test('where the tools are not known, markup is taken at its word and a lone object is not', () => {
  expect(recover({ text: call('any') })).toMatchObject({ calls: [ls('any')] });
  const text = '{"name": "any", "arguments": {}}';
  expect(recover({ text })).toMatchObject({ calls: [], content: text });
});
