import { jsonBlock } from '../json-block.ts';

/** GigaChat 3 and 3.1. */
export const gigachat = jsonBlock({
  name: 'gigachat',
  openers: ['<|function_call|>', '<|message_sep|>\n\nfunction call<|role_sep|>\n', 'function call<|role_sep|>\n'],
  closers: ['<|message_sep|>', '</s>'],
});
