import { describe, expect, test } from 'vitest';
import { foldRecovery } from '../../../providers/recovery/fold.ts';
import { LateRecovery } from '../../../providers/recovery/late-recovery.ts';
import type { RecoveryOptions, RecoveryPiece } from '../../../providers/recovery/recovery.ts';

const tools = [{ name: 'bash', parameters: { type: 'object', properties: { command: { type: 'string' } } } }];
const CALL = '<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>';
const RUN = { name: 'bash', arguments: { command: 'ls' } };

/** Whole, and character by character. */
function both(text: string) {
  const whole = foldRecovery({ content: [text] }, { tools });
  expect(foldRecovery({ content: [...text] }, { tools })).toEqual(whole);
  return whole;
}

describe('calls in thinking that has closed', () => {
  test.each([
    `<think>I look.\n${CALL}</think>`,
    `<think>I look.\n${CALL}\n</think>\n\n`,
    `<think>I look.\n${CALL}</think><|im_end|>`,
    `I look.\n${CALL}</think>`,
  ])('the message ends with them: %j', (text) => {
    expect(both(text)).toMatchObject({ calls: [RUN] });
  });

  test.each([
    [`<think>I look.\n${CALL}</think>There are two files.`, 'There are two files.'],
    [`<think>I look.\n${CALL}</think>\n\nDone.`, 'Done.'],
    [`<think>I could ${CALL} or not.</think>`, ''],
    [`<think>${CALL}</think><think>No, better not.</think>`, ''],
    [`I look.\n${CALL}</think>Done.`, 'Done.'],
  ])('something follows: %j', (text, content) => {
    const found = both(text);
    expect(found.calls).toEqual([]);
    expect(found.content.endsWith(content)).toBe(true);
  });

  test('a call behind the thinking is the one that counts', () => {
    const other = CALL.replace('ls', 'pwd');
    const { calls } = both(`<think>${CALL}</think>${other}`);
    expect(calls).toMatchObject([{ arguments: { command: 'pwd' } }]);
    expect(calls).toHaveLength(1);
  });
});

describe('indented code', () => {
  test.each([
    `This is how a call looks:\n\n    ${CALL}\n\nYou may use it.`,
    `This is how a call looks:\n\n\t${CALL}\n\nYou may use it.`,
    `Like this:\n\n    # first\n    ${CALL}\n    # last\n\nThat is all.`,
  ])('with text around it is a sample: %j', (text) => {
    expect(both(text)).toMatchObject({ calls: [], content: text });
  });

  test.each([`    ${CALL}`, `\n\n    ${CALL}\n`, `I look.\n    ${CALL}`, `I look.\n\n  ${CALL}`])(
    'none without a blank line and text before it: %j',
    (text) => {
      expect(both(text).calls).toMatchObject([RUN]);
    },
  );

  test('two fenced calls and nothing else are calls', () => {
    const fenced = '```json\n{"name": "bash", "arguments": {"command": "ls"}}\n```';
    expect(both(`${fenced}\n\n${fenced.replace('ls', 'pwd')}`).calls).toHaveLength(2);
  });
});

describe('how long first words wait', () => {
  async function given(deltas: string[], options: RecoveryOptions): Promise<string[]> {
    const recovery = new LateRecovery(options);
    const seen: string[] = [];
    for (const delta of deltas) {
      const out: RecoveryPiece[] = [];
      await recovery.content(delta, out);
      seen.push(out.map((piece) => ('delta' in piece ? piece.delta : piece.type)).join(''));
    }
    return seen;
  }

  test.each<[string, string[], RecoveryOptions, string[]]>([
    ['no tools', ['ba', 'sh'], { tools: [], calls: false }, ['ba', 'sh']],
    ['no tools, spaces', ['\n', 'Yes'], { tools: [], calls: false }, ['', '\nYes']],
    ['no name begins so', ['Hel', 'lo'], { tools }, ['Hel', 'lo']],
    ['a name begins so', ['b', 'ut', ' why'], { tools }, ['', 'but', ' why']],
    ['the name itself', ['bash', ' is a shell'], { tools }, ['', 'bash is a shell']],
    ['a word of a family', ['comm', 'on ground'], { tools }, ['', 'common ground']],
    ['a word of a family, no more', ['call', 'ing'], { tools }, ['', 'calling']],
    ['a mark', ['#', ' Title'], { tools }, ['#', ' Title']],
    ['another script', ['你', '好'], { tools }, ['你', '好']],
    ['names that only the caller knows', ['Done', '!'], { tools, accepts: () => false }, ['', 'Done!']],
  ])('%s', async (_, deltas, options, seen) => expect(await given(deltas, options)).toEqual(seen));
});
