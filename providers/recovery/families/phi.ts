import { jsonBlock } from '../json-block.ts';

/** Phi-4-mini: `<|tool_call|>` is read by `granite`; without its bars the model prints `functools[…]` or this. */
export const phi = jsonBlock({ name: 'phi', openers: ['<|tool_calls_begin|>'], closers: ['<|tool_calls_end|>'] });
