import type { Family } from '../family.ts';
import { readInvokes } from '../xml-invoke.ts';

const form = { openers: ['<minimax:tool_call>'], closer: '</minimax:tool_call>', prefix: '' };

/** MiniMax M2. M1 prints JSON in `<tool_calls>`: see `tagged-json.ts`. */
export const minimax: Family = {
  name: 'minimax',
  openers: form.openers,
  closers: [form.closer, '</invoke>'],
  read: (text, ended) => readInvokes(text, form, ended),
};
