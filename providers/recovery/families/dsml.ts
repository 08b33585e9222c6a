import type { Family } from '../family.ts';
import { readInvokes } from '../xml-invoke.ts';

const forms = ['｜', '|'].flatMap((bar) =>
  ['function_calls', 'tool_calls'].map((word) => ({
    openers: [`<${bar}DSML${bar}${word}>`],
    closer: `</${bar}DSML${bar}${word}>`,
    prefix: `${bar}DSML${bar}`,
  })),
);

/** DeepSeek V3.2's markup language. */
export const dsml: Family = {
  name: 'dsml',
  openers: forms.flatMap((form) => form.openers),
  closers: forms.flatMap((form) => [form.closer, `</${form.prefix}invoke>`]),
  read: (text, ended) => readInvokes(text, forms.find((form) => text.startsWith(form.openers[0]!))!, ended),
};
