import { describe, expect, it } from 'vitest';
import { callAtEnd } from '../../../core/guards/call-as-text.ts';
import { coreTools, resolveCall } from '../../../core/tools/index.ts';

const tools = coreTools();
const found = (text: string) => callAtEnd(text, (name, input) => !('error' in resolveCall(name, input, tools)));
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
    ['XML in a fence', 'So.\n```\n<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>\n```'],
  ])('%s', (_, text) => {
    expect(found(text)).toBe(true);
  });

  it.each<[string, string]>([
    ['a sample with words behind it', `One calls it so:\n\`\`\`json\n${call}\n\`\`\`\nThat is all.`],
    ['no tool of that name', 'Look:\n```json\n{"name": "launch", "arguments": {"path": "a"}}\n```'],
    ['arguments that do not fit', 'Look:\n```json\n{"name": "read_file", "arguments": {"pat": 1}}\n```'],
    ['a name alone', 'The user:\n```json\n{"name": "ls"}\n```'],
    ['other JSON', 'The result:\n```json\n{"name": "ada", "version": "1.0.0"}\n```'],
    ['a command', 'Run it with:\n```sh\nnpm test\n```'],
    ['code', 'So:\n```python\nprint(len(values))\n```'],
    ['code that ends in a brace', 'So:\n```ts\nfunction ls() {\n  return [];\n}\n```'],
    ['ReAct without a tool', 'Action: none\nAction Input: {}'],
    ['prose', 'All done (see `a.txt`).'],
    ['nothing', ''],
  ])('not %s', (_, text) => {
    expect(found(text)).toBe(false);
  });

  it('takes no time over long texts', () => {
    for (const text of ['{\n'.repeat(20_000), '```'.repeat(10_000), '\n['.repeat(20_000), 'Action: a\n'.repeat(5_000)])
      expect(found(`${text}\n}`)).toBe(false);
  });
});
