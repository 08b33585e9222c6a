import { describe, expect, test } from 'vitest';
import { canCall, coreTools } from '../../../core/tools/index.ts';
import { foldRecovery } from '../../../providers/recovery/fold.ts';
import { LateRecovery } from '../../../providers/recovery/late-recovery.ts';
import type { RecoveryOptions, RecoveryPiece } from '../../../providers/recovery/recovery.ts';

const known = coreTools();
const options: RecoveryOptions = {
  tools: known.map(({ name, parameters }) => ({ name, parameters })),
  accepts: (name, input) => canCall(name, input, known),
};

/** Whole, character by character, and in sevens; the same each time. */
function found(text: string, end: 'whole' | 'cut' = 'whole') {
  const whole = foldRecovery({ content: [text], end }, options);
  for (const size of [1, 7]) {
    const chunks = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g'))!;
    expect(foldRecovery({ content: chunks, end }, options)).toEqual(whole);
  }
  return { ...whole, calls: whole.calls.map(({ name, arguments: input }) => [name, input]) };
}

const READ = '<read_file>\n<path>a.txt</path>\n</read_file>';
const INVOKE = '<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>';
const read = ['read_file', { path: 'a.txt' }];

describe('tags with the name of a tool', () => {
  test.each<[string, string, unknown[], string?]>([
    ['a call', READ, [read]],
    ['on one line', '<read_file><path>a.txt</path></read_file>', [read]],
    ['behind a sentence', `I read it.\n\n${READ}\n`, [read], 'I read it.\n\n'],
    ['behind thinking', `<think>Hm.</think>\n${READ}`, [read]],
    ['two of them', `${READ}\n\n${READ.replace('a.txt', 'b.txt')}`, [read, ['read_file', { path: 'b.txt' }]]],
    [
      'numbers',
      '<read_file><path>a.txt</path><limit>5</limit></read_file>',
      [['read_file', { path: 'a.txt', limit: 5 }]],
    ],
    ['without its end', '<read_file>\n<path>a.txt</path>\n', [read]],
    ['half of its end', '<read_file>\n<path>a.txt</path>\n</read_f', [read]],
    ['a token behind', `${READ}<|im_end|>`, [read]],
    [
      'another name',
      '<write_to_file>\n<path>a</path>\n<content>\nx\n</content>\n<line_count>1</line_count>\n</write_to_file>',
      [['write_to_file', { path: 'a', content: 'x', line_count: 1 }]],
    ],
    [
      'a command',
      '<execute_command>\n<command>ls -la && echo "<b>"</command>\n<requires_approval>false</requires_approval>\n</execute_command>',
      [['execute_command', { command: 'ls -la && echo "<b>"', requires_approval: false }]],
    ],
    [
      'files in args',
      '<read_file>\n<args>\n<file>\n<path>a.txt</path>\n</file>\n<file><path>b.txt</path></file>\n</args>\n</read_file>',
      [read, ['read_file', { path: 'b.txt' }]],
    ],
    ['a tag alone', '<ls>\n</ls>', [['ls', {}]]],
    ['then another form', `${READ}\n<tool_call>{"name": "ls", "arguments": {}}</tool_call>`, [read, ['ls', {}]]],
    ['<invoke>', INVOKE, [read]],
    ['<invoke> behind a sentence', `I read it:\n${INVOKE}`, [read], 'I read it:\n'],
    [
      '<invoke>, single quotes and another name',
      "<invoke name='shell'><parameter name='cmd'>ls</parameter></invoke>",
      [['shell', { cmd: 'ls' }]],
    ],
    ['<invoke>, a stray end', `${INVOKE}\n</function_calls>`, [read]],
    ['two <invoke>', `${INVOKE}\n${INVOKE}`, [read, read]],
  ])('%s', (_, text, calls, content = '') => {
    expect(found(text)).toMatchObject({ calls, content, invalid: [] });
  });

  test.each<[string, string]>([
    ['a fence', `It is written so:\n\`\`\`xml\n${READ}\n\`\`\``],
    ['in a sentence', `Use ${READ.replaceAll('\n', '')} for that.`],
    ['in backticks', '`<read_file><path>a.txt</path></read_file>`'],
    ['prose behind', `To read a file one writes\n${READ}\nand waits for the result.`],
    ['a list', `- ${READ.replaceAll('\n', '')}`],
    ['indented code', `One writes:\n\n    ${READ.replaceAll('\n', '\n    ')}\n`],
    ['no such tool', '<fetch_page>\n<path>a.txt</path>\n</fetch_page>'],
    ['other parameters', '<read_file>\n<colour>red</colour>\n</read_file>'],
    ['a page', '<head>\n<title>Read</title>\n</head>'],
    ['attributes', '<read_file path="a.txt"></read_file>'],
    ['a parameter twice', '<read_file><path>a</path><path>b</path></read_file>'],
    ['text between', '<read_file>the file <path>a</path></read_file>'],
    ['an alias alone', '<tree></tree>'],
    ['a value without end', '<write_file>\n<path>a</path>\n<content>\nhalf of it'],
    ['<invoke> of no tool', INVOKE.replace('read_file', 'launch')],
    ['<invoke> with prose behind', `${INVOKE}\nis how it is done.`],
    ['a call in the text of one that never ends', `<write_file>\n<path>a</path>\n<content>\n${READ}`],
  ])('not %s', (_, text) => {
    expect(found(text)).toMatchObject({ calls: [], content: text, invalid: [] });
  });

  test.each<[string, string]>([
    [
      'a call of the same form',
      `Write\n<write_file>\n<path>x</path>\n<content>\nhi\n</content>\n</write_file>\nto write.`,
    ],
    ['another call', `${READ}\n${INVOKE}\n<tool_call>{"name": "ls", "arguments": {}}</tool_call>`],
    ['an end of its own tag', 'a </content> b'],
    ['a beginning of its own tag', 'a <content> b'],
    ['its own end', 'a </write_file> b'],
    ['a fence', '```\ncode\n```'],
    ['a page', '<html>\n<body>\n<p>&lt;a &amp; b</p>\n</body>\n</html>'],
  ])('what is written stays as it is: %s', (_, content) => {
    const text = `<write_file>\n<path>doc.md</path>\n<content>\n${content}\n</content>\n</write_file>`;
    expect(found(text)).toMatchObject({ calls: [['write_file', { path: 'doc.md', content }]], content: '' });
    const invoke = `<invoke name="write_file">\n<parameter name="path">doc.md</parameter>\n<parameter name="content">\n${content}\n</parameter>\n</invoke>`;
    expect(found(invoke)).toMatchObject({ calls: [['write_file', { path: 'doc.md', content }]], content: '' });
  });

  test('what is written may hold the form that it is written in', () => {
    for (const content of [
      `See\n${INVOKE}\nabove.`,
      'a </parameter> b',
      '</parameter>\n</parameter>',
      'a <parameter name="x"> b',
    ]) {
      const args = `<parameter name="path">doc.md</parameter>\n<parameter name="content">\n${content}\n</parameter>`;
      for (const text of [
        `<invoke name="write_file">\n${args}\n</invoke>`,
        `<function_calls>\n<invoke name="write_file">\n${args}\n</invoke>\n</function_calls>`,
        `<minimax:tool_call>\n<invoke name="write_file">\n${args}\n</invoke>\n</minimax:tool_call>`,
      ])
        expect(found(text)).toMatchObject({ calls: [['write_file', { path: 'doc.md', content }]] });
    }
  });

  test('a message that was cut calls nothing that may not be whole', () => {
    expect(found('<read_file>\n<path>a.txt</path>\n', 'cut').calls).toEqual([]);
    expect(found(`<write_file>\n<path>a</path>\n<content>\n${READ}`, 'cut').calls).toEqual([]);
    expect(found(READ, 'cut').calls).toEqual([read]);
  });

  test('where no tools are known they are text', () => {
    expect(foldRecovery({ content: [READ] }).calls).toEqual([]);
  });

  test('text goes on while it streams, also behind what is none', async () => {
    const recovery = new LateRecovery(options);
    let out = '';
    for (const delta of `It is\n${READ}\nthen more <div>and</div> more.\n`) {
      const pieces: RecoveryPiece[] = [];
      await recovery.content(delta, pieces);
      for (const piece of pieces) if ('delta' in piece) out += piece.delta;
    }
    expect(out).toContain('then more <div>and</div> more.');
  });
});
