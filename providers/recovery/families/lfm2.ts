import { type Family, isBeginning, MORE, NO, skipSpace } from '../family.ts';
import { readJsonBody } from '../json-block.ts';
import { readPythonCalls } from '../python-calls.ts';

const OPENER = '<|tool_call_start|>';
const CLOSER = '<|tool_call_end|>';

/** Liquid's LFM2: a list of Python calls between tokens, or JSON when it was asked for. */
export const lfm2: Family = {
  name: 'lfm2',
  openers: [OPENER],
  closers: [CLOSER],
  read(text, ended) {
    const start = skipSpace(text, OPENER.length);
    const bracket = text[start] === '[' ? skipSpace(text, start + 1) : start;
    if (bracket >= text.length) return ended ? NO : MORE;
    if (text[bracket] === '{')
      return readJsonBody(text, OPENER.length, { openers: [OPENER], closers: [CLOSER], ended });
    const reading = readPythonCalls(text, start);
    if (reading === 'broken') return NO;
    if (reading === 'open') return ended ? NO : MORE;
    const next = skipSpace(text, reading.end);
    if (text.startsWith(CLOSER, next)) return { state: 'done', end: next + CLOSER.length, calls: reading.calls };
    if (!ended && (next >= text.length || isBeginning([CLOSER], text, next))) return MORE;
    return { state: 'done', end: reading.end, calls: reading.calls };
  },
};
