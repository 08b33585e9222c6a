import { describe, expect, test } from 'vitest';
import { foldRecovery } from '../../../providers/recovery/fold.ts';
import { LONGEST_REMARK, mayFollow, talkBefore } from '../../../providers/recovery/talk.ts';
import { MEANT, SHOWN } from './talk-samples.ts';

const tools = [{ name: 'bash' }, { name: 'ls' }];
const CALL = '{"name": "bash", "arguments": {"command": "rm -rf build"}}';
const FORMS = [
  `<tool_call>\n${CALL}\n</tool_call>`,
  `[TOOL_CALLS][${CALL}]`,
  '<function=bash>{"command": "rm"}</function>',
];

test.each(SHOWN)('only spoken of: %j', (frame) => {
  for (const form of FORMS) {
    const text = frame.replace('@', () => form);
    expect(foldRecovery({ content: [text] }, { tools })).toEqual({
      calls: [],
      invalid: [],
      content: text,
      thinking: '',
    });
  }
});

test.each(MEANT)('meant: %j', (frame) => {
  for (const form of FORMS) {
    const text = frame.replace('@', () => form);
    expect(foldRecovery({ content: [text] }, { tools }).calls).toMatchObject([{ name: 'bash' }]);
  }
});

describe('of long texts', () => {
  test.each<[string, string]>([
    ['words', 'call the model '],
    ['lines', 'a form\n'],
    ['ticks', '`a <'],
    ['marks', ':::'],
    ['no spaces', 'callsformat'],
  ])('%s, only the end is looked at, in no time', (_, piece) => {
    const long = piece.repeat(20_000);
    const text = `${long}\n\nI look.\n<tool_call>${CALL}</tool_call>`;
    expect(foldRecovery({ content: [text] }, { tools }).calls.length).toBeLessThanOrEqual(1);
    expect(talkBefore(long.slice(-2_000))).toBeTypeOf('string');
  });

  test('no long text is a remark', () => {
    expect(mayFollow('Fine. '.repeat(LONGEST_REMARK), true)).toBe(false);
    expect(mayFollow('Fine.', false)).toBe(true);
  });
});
