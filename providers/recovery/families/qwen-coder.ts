import type { Family } from '../family.ts';
import { readFunction } from '../xml-parameters.ts';

/** `<function=…>` without `<tool_call>` around it: Qwen3-Coder forgets that often; Functionary 3.1 never has it. */
export const qwenCoder: Family = {
  name: 'qwen-coder',
  openers: ['<function='],
  closers: ['</function>', '</tool_call>', '</seed:tool_call>', '<tool_call>', '<function='],
  read: (text, ended) => readFunction(text, 0, ended),
};
