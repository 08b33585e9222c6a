import { describe, expect, it } from 'vitest';
import { callAtEnd } from '../../../core/guards/call-as-text.ts';
import { canCall, coreTools } from '../../../core/tools/index.ts';

const tools = coreTools();
const found = (text: string) => callAtEnd(text, (name, input) => canCall(name, input, tools));
const call = '{"name": "read_file", "arguments": {"path": "a.txt"}}';

describe('a message that ends in a call as text', () => {
  it.each<[string, string]>([
    ['a sentence and a fence', `I will read it.\n\n\`\`\`json\n${call}\n\`\`\``],
    ['a fence without a language, blank lines behind', `Now:\n\`\`\`\n${call}\n\`\`\`\n\n`],
    ['a list in a fence', `Both.\n\`\`\`json\n[${call}]\n\`\`\``],
    ['by other names', 'Now.\n```json\n{"tool": "shell", "input": {"command": "ls"}}\n```'],
    ['arguments as a string', 'Now.\n```json\n{"name": "bash", "arguments": "{\\"command\\": \\"ls\\"}"}\n```'],
    ['inside of a function', 'Now.\n```json\n{"function": {"name": "ls", "arguments": {}}}\n```'],
    ['an object behind a sentence', `I will read it.\n${call}`],
    ['over several lines', `I will read it.\n${JSON.stringify(JSON.parse(call), null, 2)}`],
    ['tags in a fence', `Now.\n\`\`\`xml\n<tool_call>\n${call}\n</tool_call>\n\`\`\``],
    ['ReAct', 'Thought: I need it.\nAction: read_file\nAction Input: {"path": "a.txt"}'],
    ['ReAct in marks', '**Thought:** Look.\n**Action:** `read_file`\n**Action Input:** {"path": "a.txt"}'],
    ['ReAct with a fence', 'Action: read_file\nAction Input:\n```json\n{"path": "a.txt"}\n```'],
    ['ReAct with bare words', 'Action: bash\nAction Input: ls -la'],
    ['ReAct with an invented result', 'Action: ls\nAction Input: {}\nObservation: a.txt\nFinal Answer: one file'],
    ['Cohere', 'Action: ```json\n[{"tool_name": "read_file", "parameters": {"path": "a.txt"}}]\n```'],
    ['Python', 'I look.\n```tool_code\nread_file(path="a.txt", limit=3)\n```'],
    ['Python in print', "I look.\n```python\nprint(read_file(path='a.txt'))\n```"],
    ['tags with prose behind', 'One reads it:\n<read_file>\n<path>a.txt</path>\n</read_file>\nIt says hello.'],
    ['tags in a fence at the end', 'So.\n```xml\n<read_file>\n<path>a.txt</path>\n</read_file>\n```'],
    ['<invoke> with prose behind', '<invoke name="ls"><parameter name="path">.</parameter></invoke>\nThere are two.'],
    ['tags with what cannot be read', '<apply_diff>\n<path>a</path>\n<diff>\n<<<<<<< SEARCH\n</diff>\n</apply_diff>'],
    ['tags that never close', '<write_to_file>\n<path>a</path>\n<content>\n<b>x</b>'],
    ['attributes', '<read_file path="a.txt" />'],
    ['JSON in the tag of a tool', '<bash>\n{"command": "ls"}\n</bash>'],
    ['a tag of calls with something else', '<tool_call>\nread_file with a.txt\n</tool_call>'],
    ['a tool by attribute', '<call tool="read_file"><arg>a.txt</arg></call>'],
    ['a tool inside', '<action>\n<name>read_file</name>\n<file>a.txt</file>\n</action>'],
    ['a token', '<|tool_call|>read_file: a.txt<|/tool_call|>'],
    ['XML in a fence', 'So.\n```\n<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>\n```'],
  ])('%s', (_, text) => {
    expect(found(text)).toBe(true);
  });

  it.each<[string, string]>([
    ['a sample with words behind it', `One calls it so:\n\`\`\`json\n${call}\n\`\`\`\nThat is all.`],
    [
      'a sample that ends an explanation',
      `It is an object in a tag pair. Here is an example:\n\n\`\`\`json\n${call}\n\`\`\``,
    ],
    ['the same in tags', `That is the format of a call:\n\`\`\`xml\n<tool_call>\n${call}\n</tool_call>\n\`\`\``],
    ['no tool of that name', 'Look:\n```json\n{"name": "launch", "arguments": {"path": "a"}}\n```'],
    ['arguments that do not fit', 'Look:\n```json\n{"name": "read_file", "arguments": {"pat": 1}}\n```'],
    ['a name alone', 'The user:\n```json\n{"name": "ls"}\n```'],
    ['other JSON', 'The result:\n```json\n{"name": "ada", "version": "1.0.0"}\n```'],
    ['a command', 'Run it with:\n```sh\nnpm test\n```'],
    ['code', 'So:\n```python\nprint(len(values))\n```'],
    ['code that ends in a brace', 'So:\n```ts\nfunction ls() {\n  return [];\n}\n```'],
    ['ReAct without a tool', 'Action: none\nAction Input: {}'],
    ['tags in a fence and prose', 'It is:\n```xml\n<read_file>\n<path>a.txt</path>\n</read_file>\n```\nThat is all.'],
    ['tags in a sentence', 'Use <read_file><path>a.txt</path></read_file>.'],
    ['a page', '<!doctype html>\n<html>\n<head>\n<title>a</title>\n</head>\n<body><p>b</p></body>\n</html>'],
    ['a part of a page', '<head>\n<title>Search</title>\n</head>'],
    ['other XML', '<project>\n  <name>ls</name>\n  <path>a</path>\n</project>'],
    ['a plan in tags', '<plan>\n1. Read it.\n2. Change it.\n</plan>'],
    ['an answer in tags', '<answer>42</answer>'],
    ['a component', '<Search query={query} onChange={set} />'],
    ['prose', 'All done (see `a.txt`).'],
    ['nothing', ''],
  ])('not %s', (_, text) => {
    expect(found(text)).toBe(false);
  });

  it('takes no time over long texts', () => {
    for (const text of [
      '{\n'.repeat(20_000),
      '```'.repeat(10_000),
      '\n['.repeat(20_000),
      'Action: a\n'.repeat(5_000),
      '<ls>\n'.repeat(5_000),
      '<a><b></b>\n'.repeat(2_000),
    ])
      expect(found(`${text}\n}`)).toBe(false);
  });
});
