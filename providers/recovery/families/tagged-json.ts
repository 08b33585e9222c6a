import { jsonBlock } from '../json-block.ts';

/** JSON in `<tool_calls>` (MiniMax M1, Apriel, Jamba, Hunyuan) and in tags that models misremember. */
export const taggedJson = jsonBlock({
  name: 'tagged-json',
  openers: ['<tool_calls>', '<tools>', '<toolcall>', '<tool>', '<tool_use>', '<json_tool_call>', '<longcat_tool_call>'],
  closers: [
    '</tool_calls>',
    '</tools>',
    '</toolcall>',
    '</tool>',
    '</tool_use>',
    '</json_tool_call>',
    '</longcat_tool_call>',
  ],
});
