import { type Family, isBeginning, MORE, NO, skipSpace } from '../family.ts';
import { readJsonBody } from '../json-block.ts';

const OPENER = '<|action_start|>';
const PLUGIN = '<|plugin|>';
const CLOSERS = ['<|action_end|>'];

/** InternLM 2 and later: JSON behind `<|plugin|>`. What stands behind `<|interpreter|>` is code, and stays text. */
export const internlm: Family = {
  name: 'internlm',
  openers: [OPENER],
  closers: CLOSERS,
  read(text, ended) {
    const at = skipSpace(text, OPENER.length);
    if (text.startsWith(PLUGIN, at))
      return readJsonBody(text, at + PLUGIN.length, { openers: [OPENER], closers: CLOSERS, ended });
    return !ended && (at >= text.length || isBeginning([PLUGIN], text, at)) ? MORE : NO;
  },
};
