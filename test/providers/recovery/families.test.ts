import { describe, expect, test } from 'vitest';
import { foldRecovery } from '../../../providers/recovery/fold.ts';
import type { OfferedTool } from '../../../providers/recovery/judge-call.ts';

const tools: OfferedTool[] = [
  {
    name: 'bash',
    parameters: {
      type: 'object',
      properties: { command: { type: 'string' }, timeout: { type: 'integer' } },
      required: ['command'],
    },
  },
  {
    name: 'count',
    parameters: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        n: { type: ['integer', 'null'] },
        deep: { type: 'boolean' },
        list: { type: 'array', items: { $ref: '#/$defs/word' } },
      },
      $defs: { word: { type: 'string' } },
      additionalProperties: false,
    },
  },
  { name: 'now' },
];

const ls = ['bash', { command: 'ls' }];
const pwd = ['bash', { command: 'pwd' }];
const now = ['now', {}];
const LS = '{"name": "bash", "arguments": {"command": "ls"}}';
const PWD = '{"name": "bash", "parameters": {"command": "pwd"}}';

function read(text: string, family?: string) {
  const whole = foldRecovery({ content: [text] }, { tools, family });
  expect(foldRecovery({ content: [...text] }, { tools, family })).toEqual(whole);
  return { ...whole, calls: whole.calls.map((call) => [call.name, call.arguments]) };
}

describe('each family', () => {
  test.each<[string, string, unknown[], string?]>([
    ['bare object', LS, [ls]],
    ['bare object, parameters', PWD, [pwd]],
    ['bare list', `[${LS}, ${PWD}]`, [ls, pwd]],
    ['bare list without its end', `[${LS}`, [ls]],
    ['objects in lines', `${LS}\n${PWD}`, [ls, pwd]],
    ['objects with semicolons', `${LS}; ${PWD}`, [ls, pwd]],
    ['a bracket too many', `${LS}}`, [ls]],
    ['only the last bracket missing', LS.slice(0, -1), [ls]],
    ['function inside', '{"function": {"name": "bash", "arguments": {"command": "ls"}}}', [ls]],
    [
      'OpenAI form',
      '{"id": "1", "type": "function", "function": {"name": "bash", "arguments": "{\\"command\\": \\"ls\\"}"}}',
      [ls],
    ],
    ['harmony, its tokens swallowed', 'commentary to=functions.bash json{"command":"ls"}', [ls]],
    [
      'harmony, its tokens swallowed, behind thinking',
      'analysisWe need a look, to=be sure.assistantcommentary to=functions.bash json{"command":"ls"}',
      [ls],
    ],
    ['a key without quotes', '{"name": "bash", arguments: {command: "ls"}}', [ls]],
    ['a space for a line break', '<function=bash>\n<parameter=command> ls', [ls]],
    ['tool key', '{"tool": "bash", "args": {"command": "ls"}}', [ls]],
    ['action key', '{"action": "bash", "action_input": {"command": "ls"}}', [ls]],
    ['tool_calls key', `{"tool_calls": [${LS}]}`, [ls]],
    ['line breaks in a string', '{"name": "bash", "arguments": {"command": "a\nb",}}', [['bash', { command: 'a\nb' }]]],
    [
      'escapes that JSON lacks',
      '{"name": "bash", "arguments": {"command": "grep \\d+ \\"x\\""}}',
      [['bash', { command: 'grep \\d+ "x"' }]],
    ],
    ['code block', `\`\`\`json\n${LS}\n\`\`\``, [ls]],
    ['code block without its end', `\`\`\`json\n${LS}\n`, [ls]],
    ['two code blocks', `\`\`\`json\n${LS}\n\`\`\`\n\n\`\`\`\n${PWD}\n\`\`\``, [ls, pwd]],
    ['tag in a code block', `\`\`\`xml\n<tool_call>${LS}</tool_call>\n\`\`\``, [ls]],
    ['tool_code', '```tool_code\nbash(command="ls")\n```', [ls]],
    ['hermes', `I look.\n<tool_call>\n${LS}\n</tool_call>\n<tool_call>\n${PWD}\n</tool_call>`, [ls, pwd], 'I look.\n'],
    ['hermes without closers', `<tool_call>\n${LS}\n<tool_call>\n${PWD}`, [ls, pwd]],
    ['hermes, Python quotes', "<tool_call>{'name': 'bash', 'arguments': {'command': 'ls'}}</tool_call>", [ls]],
    [
      'hermes, closer inside a string',
      '<tool_call>{"name": "bash", "arguments": {"command": "echo </tool_call>"}}</tool_call>',
      [['bash', { command: 'echo </tool_call>' }]],
    ],
    ['closer without opener', `${LS}\n</tool_call>`, [ls]],
    [
      'qwen-coder',
      '<tool_call>\n<function=bash>\n<parameter=command>\nls\n</parameter>\n<parameter=timeout>\n5\n</parameter>\n</function>\n</tool_call>',
      [['bash', { command: 'ls', timeout: 5 }]],
    ],
    [
      'qwen-coder without opener',
      '<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>',
      [ls],
    ],
    ['qwen-coder without closers', '<function=bash>\n<parameter=command>\nls\n', [ls]],
    [
      'qwen-coder, a value without closer',
      '<function=bash>\n<parameter=command>\nls\n<parameter=timeout>\n5\n</function>',
      [['bash', { command: 'ls', timeout: 5 }]],
    ],
    [
      'qwen-coder, markup in a value',
      '<function=bash>\n<parameter=command>\necho "</parameter>" "</function>"\n</parameter>\n</function>',
      [['bash', { command: 'echo "</parameter>" "</function>"' }]],
    ],
    ['seed-oss', '<seed:think>hm</seed:think><seed:tool_call>\n<function=now>\n</function>\n</seed:tool_call>', [now]],
    [
      'types of text',
      '<function=count><parameter=id>007</parameter><parameter=n>null</parameter><parameter=deep>True</parameter><parameter=list>["a"]</parameter></function>',
      [['count', { id: '007', n: null, deep: true, list: ['a'] }]],
    ],
    ['mistral list', `[TOOL_CALLS] [${LS}]`, [ls]],
    [
      'mistral names',
      'Yes.[TOOL_CALLS]bash[ARGS]{"command": "ls"}[TOOL_CALLS]bash[CALL_ID]a1B2c3D4e[ARGS]{"command": "pwd"}</s>',
      [ls, pwd],
      'Yes.</s>',
    ],
    ['python tag', `<|python_tag|>${PWD}<|eom_id|>`, [pwd]],
    ['python tag, two', `<|python_tag|>${LS}; ${PWD}`, [ls, pwd]],
    ['python tag, call', '<|python_tag|>bash.call(command="ls")', [ls]],
    [
      'deepseek 3',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>bash\n```json\n{"command": "ls"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
      [ls],
    ],
    [
      'deepseek 3.1',
      'So:<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>bash<｜tool▁sep｜>{"command": "ls"}<｜tool▁call▁end｜>',
      [ls],
      'So:',
    ],
    ['deepseek 3.1, first token lost', 'bash<｜tool▁sep｜>{"command": "ls"}', [ls]],
    [
      'dsml',
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="bash">\n<｜DSML｜parameter name="command" string="true">ls</｜DSML｜parameter>\n<｜DSML｜parameter name="timeout" string="false">7</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      [['bash', { command: 'ls', timeout: 7 }]],
    ],
    [
      'kimi',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{"command": "ls"}<|tool_call_end|><|tool_calls_section_end|>',
      [ls],
    ],
    ['glm', '<tool_call>bash\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>', [ls]],
    ['glm without arguments', '<tool_call>now</tool_call>', [now]],
    [
      'minimax',
      '<minimax:tool_call>\n<invoke name="bash">\n<parameter name="command">ls</parameter>\n</invoke>\n<invoke name="now">\n</invoke>\n</minimax:tool_call>',
      [ls, now],
    ],
    ['minimax 1', `<tool_calls>\n${LS}\n${PWD}\n</tool_calls>`, [ls, pwd]],
    ['granite', `<|tool_call|>[${LS}]`, [ls]],
    ['granite, function_call', `<function_call>${LS}</function_call>`, [ls]],
    [
      'command-r',
      '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "bash", "parameters": {"command": "ls"}}]<|END_ACTION|>',
      [ls],
    ],
    [
      'harmony',
      '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"command": "ls"}<|call|>',
      [ls],
    ],
    [
      'harmony with a preamble',
      '<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.now<|message|>{}<|call|>',
      [now],
      'I look.',
    ],
    ['gemma 4', '<|tool_call>call:bash{command:<|"|>ls<|"|>}<tool_call|>', [ls]],
    ['gemma 4, tokens lost', 'call:bash{command:<|"|>ls<|"|>,timeout:3}', [['bash', { command: 'ls', timeout: 3 }]]],
    ['functiongemma', '<start_function_call>call:bash{command:<escape>ls<escape>}<end_function_call>', [ls]],
    ['phi', 'functools[{"name": "bash", "arguments": {"command": "ls"}}]', [ls]],
    ['phi 4', `<|tool_call|>[${LS}]<|/tool_call|>`, [ls]],
    ['lfm2', "<|tool_call_start|>[bash(command='ls'), now()]<|tool_call_end|>", [ls, now]],
    ['lfm2, tokens lost', '[bash(command="ls"), now()]', [ls, now]],
    ['olmo', '<function_calls>bash(command="ls")\nnow()</function_calls>', [ls, now]],
    ['xlam', `[${LS}]`, [ls]],
    ['functionary 3.1', '<function=bash>{"command": "ls"}</function>', [ls]],
    ['functionary 3.2', 'bash\n{"command": "ls"}', [ls]],
    ['functionary 3.2, two', '>>>bash\n{"command": "ls"}\n>>>now\n{}', [ls, now]],
    ['nemotron', `<TOOLCALL>[${LS}]</TOOLCALL>`, [ls]],
    ['apertus', '<|tools_prefix|>[{"bash": {"command": "ls"}}]<|tools_suffix|>', [ls]],
    ['gigachat', `Ja.<|message_sep|>\n\nfunction call<|role_sep|>\n${LS}`, [ls], 'Ja.'],
    ['internlm', `Let me look.<|action_start|><|plugin|>\n${PWD}<|action_end|>\n`, [pwd], 'Let me look.'],
    ['internlm, a line break and no end', `<|action_start|>\n<|plugin|>${LS}`, [ls]],
    ['text behind', `<tool_call>${LS}</tool_call>\nDone.`, [ls], '\nDone.'],
  ])('%s', (_, text, calls, content = '') => {
    expect(read(text)).toMatchObject({ calls, content, invalid: [] });
  });
});

describe('recognisable, but of no use', () => {
  test.each<[string, string, string, RegExp]>([
    ['broken JSON', '<tool_call>{"name": "bash", "arguments": {command}}</tool_call>', 'bash', /not valid JSON/],
    ['cut off', '<tool_call>{"name": "bash", "arguments": {"command": "l', 'bash', /end in the middle/],
    ['bare, cut off', '{"name": "bash", "arguments": {"command": "l', 'bash', /end in the middle/],
    [
      'unknown tool',
      '<tool_call>{"name": "launch", "arguments": {}}</tool_call>',
      'launch',
      /^No tool is called launch\.$/,
    ],
    ['missing argument', '<function=bash>\n</function>', 'bash', /command is missing/],
    ['unknown argument', '[TOOL_CALLS]count[ARGS]{"x": 1}', 'count', /x is not known/],
    [
      'wrong type',
      '<tool_call>{"name": "count", "arguments": {"list": [1]}}</tool_call>',
      'count',
      /list\[0\] must be string/,
    ],
    ['no object', '[TOOL_CALLS]bash[ARGS]"ls"', '', /./],
  ])('%s', (_, text, name, reason) => {
    if (name === '') return expect(read(text).calls).toEqual([]);
    expect(read(text)).toMatchObject({
      calls: [],
      content: '',
      invalid: [{ name, reason: expect.stringMatching(reason) }],
    });
  });

  test('what was open when a limit cut the message is no call', () => {
    const text = '<function=bash>\n<parameter=command>\nrm -rf build';
    expect(foldRecovery({ content: [text], end: 'cut' }, { tools })).toMatchObject({
      calls: [],
      invalid: [{ name: 'bash' }],
    });
    expect(foldRecovery({ content: [`<tool_call>${LS}</tool_call>`], end: 'cut' }, { tools }).calls).toHaveLength(1);
  });

  test('a broken message calls nothing', () => {
    for (const text of [`<tool_call>${LS}</tool_call>`, LS, '<function=bash>'])
      expect(foldRecovery({ content: [text], end: 'broken' }, { tools })).toMatchObject({ calls: [], invalid: [] });
  });
});

describe('what only looks like a call stays, byte for byte', () => {
  test.each<[string, string]>([
    ['a word that begins like a channel', 'analysisWe said assistantcommentary, and nothing else.'],
    ['a small word that begins like a channel', 'analysis of the logs: to=functions.bash is a form.'],
    ['quoted', 'A model would print `{"name": "bash", "arguments": {"command": "ls"}}` and stop.'],
    ['span with a tag', `It is \`<tool_call>${LS}</tool_call>\`.`],
    ['double span', `See \`\` <tool_call>${LS}</tool_call> \`\` there`],
    [
      'block in an answer',
      `Here is the format:\n\n\`\`\`xml\n<tool_call>\n${LS}\n</tool_call>\n\`\`\`\n\nUse it with care.`,
    ],
    ['block at the start, prose behind', `\`\`\`json\n${LS}\n\`\`\`\nThis would list files.`],
    ['block behind prose', `Like this:\n\`\`\`json\n${LS}\n\`\`\``],
    ['tilde block', `So:\n~~~\n<tool_call>${LS}</tool_call>\n~~~`],
    ['block in a list', `- so:\n  \`\`\`\n  <tool_call>${LS}</tool_call>\n  \`\`\``],
    ['prose behind', `${LS}\nThis is a call.`],
    ['prose before', `A call looks like this: ${LS}`],
    ['object of another kind', '{"name": "bash", "version": "1.0.0", "scripts": {}}'],
    ['definition of a tool', '{"name": "bash", "description": "runs", "parameters": {"type": "object"}}'],
    ['unknown tool without markup', '{"name": "launch_rocket", "arguments": {"command": "ls"}}'],
    ['arguments that do not fit, without markup', '{"name": "bash", "arguments": {"cmd": 3}}'],
    ['JSON answer', '{"amount": 1.5, "tags": ["<tool_call>"]}'],
    ['list', '[special delivery](https://example.com)'],
    ['inside a sentence', `The tag <tool_call>${LS}</tool_call> is what Hermes prints.`],
    ['end of a sentence', `Hermes prints <tool_call>${LS}</tool_call>.`],
    ['in quotes', `It says "<tool_call>${LS}</tool_call>" there.`],
    ['quotation', `> <tool_call>${LS}</tool_call>\n`],
    ['diff', `+<tool_call>${LS}</tool_call>\n-<function=bash>\n`],
    ['comment', `// <tool_call>${LS}</tool_call>\n`],
    ['talk of tags', 'The <tool_call> tag and <function=name> and [TOOL_CALLS] and <|python_tag|> mark calls.'],
    ['code of an interpreter', "<|action_start|><|interpreter|>\nbash(command='ls')<|action_end|>"],
    ['talk of tokens', 'Qwen ends with <|im_end|> and Llama with <|eot_id|> as a rule.'],
    ['closers', 'Close it with </tool_call> or </function>.'],
    ['HTML', '<div class="a"><p>1 < 2</p><tools>none</tools></div>'],
    ['JSX', 'return <Foo bar={[1, 2]}>{x}</Foo>;'],
    ['generics', 'Map<string, Array<number>> and a[b[0]] << 2'],
    ['think in prose', 'Use the <think> tag; close it with </think> again.'],
    ['Python', 'bash(command) is a function that you define.'],
    ['name', 'bash is a shell.\nnow'],
    ['code', 'bash -c "ls" {\n}'],
    ['channel token in prose', 'Print <|channel|> before the name.'],
    ['unfinished tag', 'a <tool'],
    ['space', '  \n\t '],
    ['surrogates', 'ok 🎉 <🎉 [🎉]'],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual({ calls: [], invalid: [], content: text, thinking: '' });
  });

  test('without tools markup stays, thinking does not', () => {
    const text = `<think>hm</think><tool_call>${LS}</tool_call>`;
    expect(foldRecovery({ content: [text] }, { tools: [], calls: false })).toEqual({
      calls: [],
      invalid: [],
      content: `<tool_call>${LS}</tool_call>`,
      thinking: 'hm',
    });
  });
});

describe('thinking', () => {
  test.each<[string, string, string, string, unknown[]?]>([
    ['tags', '<think>\na\n</think>\n\nb', 'a', 'b'],
    ['other name', '<thinking>a</thinking>b', 'a', 'b'],
    ['brackets', '[THINK]a[/THINK]b', 'a', 'b'],
    ['seed', '<seed:think>a</seed:think>b', 'a', 'b'],
    ['command-r', '<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>b<|END_RESPONSE|>', 'a', 'b'],
    [
      'harmony',
      '<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>',
      'a',
      'b',
    ],
    ['gemma', '<|channel>thought\na<channel|>b', 'a', 'b'],
    ['unclosed', '<think>a', 'a', ''],
    ['opened by the template', 'a\n</think>\n\nb', 'a', 'b'],
    ['opened by the template, empty', '</think>\nb', '', 'b'],
    ['a tag that is none', '<think>x </think y> <b></think>c', 'x </think y> <b>', 'c'],
    ['a call behind', `<think>a</think>${LS}`, 'a', '', [ls]],
    [
      'a call that was only thought',
      `<think>a <tool_call>${LS}</tool_call> no</think>b`,
      `a <tool_call>${LS}</tool_call> no`,
      'b',
    ],
    ['a call thought last', `<think>a <tool_call>${LS}</tool_call></think>b`, `a <tool_call>${LS}</tool_call>`, 'b'],
    [
      'a call before a lone closer',
      `a <tool_call>${LS}</tool_call>\n</think>\n<tool_call>${PWD}</tool_call>`,
      `a <tool_call>${LS}</tool_call>`,
      '',
      [pwd],
    ],
    ['a call at the end of unclosed thinking', `<think>a\n<tool_call>${LS}</tool_call>`, 'a', '', [ls]],
  ])('%s', (_, text, thinking, content, calls = []) => {
    expect(read(text)).toMatchObject({ thinking, content, calls });
  });

  test('a family that opens its thinking itself has no lone closers', () => {
    expect(read('a</think>b', 'lfm2')).toMatchObject({ thinking: '', content: 'a</think>b' });
  });

  test('known to be open from the start', () => {
    const options = { tools, startsThinking: true };
    expect(foldRecovery({ content: ['a</thi', 'nk>b'] }, options)).toMatchObject({ thinking: 'a', content: 'b' });
    expect(foldRecovery({ content: ['<think>a</think>b'] }, options)).toMatchObject({ thinking: 'a', content: 'b' });
    expect(foldRecovery({ content: ['only this'] }, options)).toMatchObject({ content: 'only this' });
  });

  test('a call at the end of the thinking channel counts where no content follows', () => {
    const thinking = ['So I call.\n', `<tool_call>${LS}</tool_`, 'call>'];
    expect(foldRecovery({ thinking, content: [] }, { tools })).toMatchObject({
      calls: [{ name: 'bash' }],
      thinking: 'So I call.\n',
    });
    expect(foldRecovery({ thinking, content: ['Hello.'] }, { tools })).toMatchObject({
      calls: [],
      thinking: thinking.join(''),
      content: 'Hello.',
    });
  });
});
