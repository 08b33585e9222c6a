import { jsonBlock } from '../json-block.ts';

/** Nemotron's Llama descendants; Nemotron 3 prints `<function=…>`. */
export const nemotron = jsonBlock({ name: 'nemotron', openers: ['<TOOLCALL>'], closers: ['</TOOLCALL>'] });
