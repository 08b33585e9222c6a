import { jsonBlock } from '../json-block.ts';

/** Cohere's Command R7B and later: a list with `tool_name` and `parameters`. */
export const commandR = jsonBlock({ name: 'command-r', openers: ['<|START_ACTION|>'], closers: ['<|END_ACTION|>'] });
