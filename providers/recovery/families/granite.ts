import { jsonBlock } from '../json-block.ts';

/** IBM Granite 3 (`<|tool_call|>[…]`, `<function_call>`); Granite 4 prints Hermes's tags. */
export const granite = jsonBlock({
  name: 'granite',
  openers: ['<|tool_call|>', '<function_call>', '<|tool_calls|>'],
  closers: ['<|/tool_call|>', '</function_call>', '<|end_of_text|>', '<|/tool_calls|>'],
});
