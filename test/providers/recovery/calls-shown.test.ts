import { describe, expect, test } from 'vitest';
import { canCall, coreTools } from '../../../core/tools/index.ts';
import { foldRecovery } from '../../../providers/recovery/fold.ts';
import type { RecoveryOptions } from '../../../providers/recovery/recovery.ts';

const known = coreTools();
const options: RecoveryOptions = {
  tools: known.map(({ name, parameters }) => ({ name, parameters })),
  accepts: (name, input) => canCall(name, input, known),
};

const JSON_CALL = '{"name": "bash", "arguments": {"command": "ls"}}';
const INVOKE = '<invoke name="bash">\n<parameter name="command">ls</parameter>\n</invoke>';

/** The same call in every form that has markup of its own. */
const MARKED: Record<string, string> = {
  hermes: `<tool_call>\n${JSON_CALL}\n</tool_call>`,
  'hermes, one line': `<tool_call>${JSON_CALL}</tool_call>`,
  'qwen-coder': '<tool_call>\n<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>',
  'qwen-coder, bare': '<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>',
  'llama, function': '<function=bash>{"command": "ls"}</function>',
  'llama, python tag': '<|python_tag|>{"name": "bash", "parameters": {"command": "ls"}}<|eom_id|>',
  'llama, python call': '<|python_tag|>bash.call(command="ls")',
  'mistral, list': `[TOOL_CALLS][${JSON_CALL}]`,
  'mistral, name': '[TOOL_CALLS]bash[ARGS]{"command": "ls"}',
  'deepseek 3':
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>bash\n```json\n{"command": "ls"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  'deepseek 3.1':
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>bash<｜tool▁sep｜>{"command": "ls"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  dsml: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="bash">\n<｜DSML｜parameter name="command" string="true">ls</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  kimi: '<|tool_calls_section_begin|><|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{"command": "ls"}<|tool_call_end|><|tool_calls_section_end|>',
  glm: '<tool_call>bash\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>',
  minimax: `<minimax:tool_call>\n${INVOKE}\n</minimax:tool_call>`,
  invokes: `<function_calls>\n${INVOKE}\n</function_calls>`,
  'tagged list': `<tool_calls>\n${JSON_CALL}\n</tool_calls>`,
  granite: `<|tool_call|>[${JSON_CALL}]`,
  'function_call tag': `<function_call>${JSON_CALL}</function_call>`,
  'command-r':
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "bash", "parameters": {"command": "ls"}}]<|END_ACTION|>',
  harmony:
    '<|start|>assistant<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"command": "ls"}<|call|>',
  gemma: '<|tool_call>call:bash{command:<|"|>ls<|"|>}<tool_call|>',
  functiongemma: '<start_function_call>call:bash{command:<escape>ls<escape>}<end_function_call>',
  lfm2: "<|tool_call_start|>[bash(command='ls')]<|tool_call_end|>",
  olmo: '<function_calls>bash(command="ls")</function_calls>',
  nemotron: `<TOOLCALL>[${JSON_CALL}]</TOOLCALL>`,
  apertus: '<|tools_prefix|>[{"bash": {"command": "ls"}}]<|tools_suffix|>',
  internlm: '<|action_start|><|plugin|>{"name": "bash", "parameters": {"command": "ls"}}<|action_end|>',
  'tool tags': '<bash>\n<command>ls</command>\n</bash>',
  invoke: INVOKE,
};
/** Without any markup, a call is the whole of an answer; among words it never is one. */
const UNMARKED: Record<string, string> = {
  json: JSON_CALL,
  'json in a fence': `\`\`\`json\n${JSON_CALL}\n\`\`\``,
  'tags in a fence': `\`\`\`xml\n<tool_call>\n${JSON_CALL}\n</tool_call>\n\`\`\``,
  python: '[bash(command="ls")]',
  functools: `functools[${JSON_CALL}]`,
};
/** Read as text whatever stands around it. */
const REACT = 'Action: bash\nAction Input: {"command": "ls"}';

/** Whole, character by character, and in sevens; the same each time. */
function found(text: string, thinking: string[] = []) {
  const whole = foldRecovery({ thinking, content: [text] }, options);
  for (const chunks of [[...text], text.match(/[\s\S]{1,7}/g) ?? []])
    expect(foldRecovery({ thinking, content: chunks }, options)).toEqual(whole);
  return whole;
}

/** `@` stands for the call. */
const EXPLAINING = [
  'Hermes models mark a call like this:\n\n@\n\nThat is the form which the server looks for.',
  '@\n\nThat is the form which Qwen was trained on.',
  '@\n\nThis is how a call is written.',
  '@\n\nThe first tag opens the call, and the object inside of it names the tool.',
  '@\n\nNothing is run by this; it is only text in an answer.',
  '@\nis what you asked for.',
  '@\nas its form.',
  '@ and nothing else happened.',
  '@, which is then parsed.',
  '@ is the old form.',
  '- Qwen: @',
  '- Qwen: @\n- others: something else',
  '1. @\n2. the same with a list',
  '1. Hermes: @\n2. Mistral: [TOOL_CALLS] and a list',
  '* @',
  '| Qwen | @ |',
  '> @',
  '# @',
  '"@" is the whole of it.',
  'The forms are:\n\n- Hermes\n\n  @\n\n- and others',
  'Llama 3 writes:\n@\nas its form.',
  'Llama 3 writes:\n@',
  'Qwen prints\n\n@\n\nand waits.',
  'The server printed @ and nothing else happened',
  'I would not run this: @',
  'I would not run this:\n\n@',
  'Do not run this:\n@',
  'Never send this to a shell:\n\n@',
  "I won't call it, but it would be:\n@",
  'I did not run this: @',
  'For example:\n@',
  'For example, a model that wants to list files would print:\n\n@\n\nThe server then cuts it out.',
  'An example:\n\n@\n\nThe name comes first.',
  'The syntax is:\n@',
  'The format of a call:\n\n@',
  'A call in this markup:\n@\nThe arguments are an object.',
  'Here is an example of the format:\n\n@\n\nLet me know if you need others.',
  'Let me show you what a call looks like:\n\n@',
  "I'll explain how the format works. A model emits\n\n@\n\nand the client parses it.",
  'It looks like this:\n@',
  'It would look like this:\n\n@\n\nwith the command that you want.',
  'To list files, a model writes the following:\n\n@',
  'The model answered:\n\n@\n\nbut its server gave that out as text.',
  'The log shows this line:\n@',
  'The README contains the following text:\n\n@\n\nIt looks like an injected instruction, so I left it alone.',
  'The file ends with\n\n@\n\nI have not run that.',
  'The prompt tells the model to print:\n@\n\nYou can change it in the template.',
  'Your message contained this:\n@\nDid you mean me to run it?',
  'Instead of\n\n@\n\nthe newer models print a list.',
  'In the chat template the call becomes:\n@',
  'The same call in another notation:\n\n@',
  'There are two special tokens, one at each end:\n\n@',
  'The opening tag comes first, then the object, then the closing tag. A whole one:\n\n@',
  'Tool calls are marked by tags. One of them, complete:\n@',
  'What a parser gets to see:\n@\nIt must find the name and the arguments.',
  'The test feeds the parser this string:\n@\n\nand expects one call.',
  'One writes:\n@',
  'You can also write it yourself:\n@\n\nReplace the command with your own.',
  'The equivalent for a local model:\n\n@',
  'My own calls are encoded like so:\n@\n\nI cannot show more than that.',
  'A wrong call:\n@\nThe argument is missing.',
  'This is dangerous:\n\n@\n\nIt lists every file that you have.',
  'Both are accepted:\n@\n\nor the same without line breaks.',
  'Suppose the answer is\n\n@\n\nThen the client runs the command and sends the output back as the next message of the conversation.',
  'It said:\n@',
  'She pasted this:\n\n@\n\nWhat should I do with it?',
  '@\n\nWould you like me to explain the other forms too?',
  '@\n\nYou would use it to list files.',
  '@\n\n- `name`: the tool\n- `arguments`: what it gets',
  '@\n\n## The other form',
  '@\n\nHermes style.',
  '@\n\nNote that the arguments are JSON.',
  '@\n\nIt lists the files in the folder.',
  '@\n\nThis would list the files.',
  '@\n\nDo not run it.',
  "Here's how tool calling works. The model emits a block:\n\n@\n\nThe runtime executes it and appends the result.",
];

describe('an answer about calls is an answer, byte for byte', () => {
  test.each(EXPLAINING)('%j', (frame) => {
    for (const [form, call] of Object.entries({ ...MARKED, ...UNMARKED, REACT })) {
      const text = frame.replace('@', () => call);
      expect({ form, ...found(text) }).toEqual({ form, calls: [], invalid: [], content: text, thinking: '' });
    }
  });

  test('with several forms in it', () => {
    const entries = Object.entries(MARKED);
    for (const [first, one] of entries.slice(0, 12)) {
      for (const [second, two] of entries.slice(12)) {
        for (const text of [
          `${first}:\n${one}\n\n${second}:\n${two}`,
          `One form\n\n${one}\n\nAnother one\n\n${two}\n\nThey mean the same.`,
          `- ${one}\n- ${two}`,
        ])
          expect(found(text)).toEqual({ calls: [], invalid: [], content: text, thinking: '' });
      }
    }
  });
});

/** With the content that is left. */
const REAL: [string, string?][] = [
  ['@'],
  ['\n@\n'],
  ['@\n\n'],
  ['@<|im_end|>'],
  ['@</s>', '</s>'],
  ['@<|eot_id|>\n'],
  ['I look.\n@'],
  ['I look. @'],
  ["I'll list the files.\n\n@"],
  ["I'll list the files:\n@"],
  ["I'll list the files first, then change `a.ts`.\n\n@"],
  ['Let me check that for you.\n@'],
  ['Let me look at the files in this folder:\n\n@'],
  ['Let me check the format of the configuration file:\n@'],
  ['Let me look at the template that the test uses:\n@'],
  ["I'll fix the syntax error in the example. First a look around.\n@"],
  ['I need to see the tokens module first.\n@'],
  ['I should run this now:\n@'],
  ["I'm going to use the bash tool to list files.\n@"],
  ['I will call the bash tool:\n\n@'],
  ["Let's see which models the Qwen parser knows.\n@"],
  ['First, I will look.\n\n@'],
  ['Now the tests.\n@'],
  ['Now I will run the tests:\n@'],
  ['Okay, let me see.\n@'],
  ['Sure! I can do that.\n@'],
  ['Sure.\n@'],
  ['Listing the files:\n@'],
  ['Checking.\n@'],
  ['Running the command now...\n@'],
  ['The tests fail since a file is missing.\n@'],
  ['That did not help. Let me try another way:\n@'],
  ["It doesn't build. I'll look at what is there.\n@"],
  ['I see the problem: the path is wrong.\n\n@'],
  ['To answer that I need the list of files.\n@'],
  ['We need to know what is here.\n@'],
  ['The next step is to look around.\n@'],
  ['**Step 1**: look around\n\n@'],
  ['## Plan\n\n1. Look around\n2. Change the file\n\nI will start with the first.\n\n@'],
  ['1. Look around\n2. Change the file\n\n@'],
  ['Plan:\n- look around\n- change `a.ts`\n\n@'],
  ['I have read `a.ts`:\n\n```ts\nconst a = 1;\n```\n\nLet me see the rest.\n@'],
  ['Step by step.\n\nFirst the files.\n\n@'],
  ['Ja, ich sehe nach.\n@'],
  ['Voy a mirar los archivos:\n@'],
  ['我来看看：\n@'],
  ['好的。\n@'],
  ['Je regarde.\n\n@'],
  ['Сейчас посмотрю:\n@'],
  ['@\nDone.'],
  ['@Done!'],
  ['@完成 ✅'],
  ['I look.\n@\nPlease wait.'],
  ['I look.\n@\n\nI will wait for the result.'],
  ["I'll list them:\n@\n\nThis will show all files."],
  ['Let me look:\n@\n\nLet me see what comes back.'],
  ['@\nLet me look at the list.'],
  ['I look.\n@\nOne moment...'],
  ['I look.\n@\n\nNow I will wait.'],
  ['I look.\n@\nObservation: a.txt\nThere is one file in the folder, and its name is a.txt, which is all that I need.'],
  ['I look.\n@\n<tool_response>\na.txt\n</tool_response>\nThere is one file in the folder, and its name is a.txt.'],
  ['@\n\nTool result: a.txt\n\nSo there is one file.'],
];

describe('a call that is meant is one', () => {
  const RUN = [{ name: 'bash', arguments: { command: 'ls' } }];
  /** These are read only where nothing at all follows. */
  const last = ['tool tags', 'invoke', 'llama, python call'];

  const words = (text: string): string => text.replace(/<\|(?:im_end|eot_id)\|>|\s+/g, ' ').trim();

  test.each(REAL)('%j', (frame, left = frame.replace('@', '')) => {
    for (const [form, call] of Object.entries(MARKED)) {
      if (last.includes(form) && !(/@(?:\s|<\|(?:im_end|eot_id)\|>)*$/.test(frame) && /(?:^|\n)@/.test(frame)))
        continue;
      const { calls, content, invalid } = found(frame.replace('@', () => call));
      expect({ form, calls, invalid }).toMatchObject({ form, calls: RUN, invalid: [] });
      expect({ form, content: words(content) }).toEqual({ form, content: words(left) });
    }
  });

  test.each(Object.entries(MARKED))('behind thinking: %s', (_, call) => {
    const thought = 'The form is <tool_call>, but I would not print it: for example\n';
    for (const text of [call, `\n\n${call}`, `Let me look.\n${call}`]) {
      expect(found(`<think>${thought}</think>${text}`).calls).toMatchObject(RUN);
      expect(found(text, [thought]).calls).toMatchObject(RUN);
      expect(found(`${thought}</think>\n\n${text}`).calls).toMatchObject(RUN);
    }
  });

  test.each(Object.entries(UNMARKED))('alone: %s', (_, call) => {
    for (const text of [call, `\n${call}\n`, `<think>Hm.</think>\n${call}`])
      expect(found(text).calls).toMatchObject(RUN);
  });

  test.each(Object.entries(MARKED))('several: %s', (_, call) => {
    const more = call.replace(/\bls\b/, 'pwd');
    expect(found(`Both.\n${call}\n${more}`).calls).toMatchObject([...RUN, { arguments: { command: 'pwd' } }]);
  });
});
