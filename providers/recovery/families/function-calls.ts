import { type Family, isBeginning, MORE, NO, skipSpace } from '../family.ts';
import { readJsonBody } from '../json-block.ts';
import { readPythonCalls } from '../python-calls.ts';
import { readInvokes } from '../xml-invoke.ts';

const OPENER = '<function_calls>';
const CLOSER = '</function_calls>';
const INVOKE = '<invoke';

/** `<function_calls>`: OLMo 3 writes Python calls into it, others `<invoke>` or JSON. */
export const functionCalls: Family = {
  name: 'function-calls',
  openers: [OPENER],
  closers: [CLOSER, '</invoke>'],
  read(text, ended) {
    const start = skipSpace(text, OPENER.length);
    if (start >= text.length) return ended ? NO : MORE;
    if (isBeginning([INVOKE], text, start)) return ended ? NO : MORE;
    if (text.startsWith(INVOKE, start))
      return readInvokes(text, { openers: [OPENER], closer: CLOSER, prefix: '' }, ended);
    if (text[start] === '{' || /^\[\s*\{/.test(text.slice(start, start + 20)))
      return readJsonBody(text, OPENER.length, { openers: [OPENER], closers: [CLOSER], ended });
    if (text.slice(start).trim() === '[') return ended ? NO : MORE;
    const reading = readPythonCalls(text, start);
    if (reading === 'broken') return NO;
    if (reading === 'open') return ended ? NO : MORE;
    const next = skipSpace(text, reading.end);
    if (text.startsWith(CLOSER, next)) return { state: 'done', end: next + CLOSER.length, calls: reading.calls };
    if (!ended && (isBeginning([CLOSER], text, next) || next >= text.length)) return MORE;
    return ended && next >= text.length ? { state: 'done', end: next, calls: reading.calls } : NO;
  },
};
