import { type Family, MORE, NO, skipSpace } from '../family.ts';
import { readJsonBody } from '../json-block.ts';
import { readPythonCalls } from '../python-calls.ts';

const OPENER = '<|python_tag|>';
const CLOSERS = ['<|eom_id|>', '<|eot_id|>'];

/** `<|python_tag|>` of Llama 3: JSON with `parameters`, also several with `;` between, or `tool.call(key=value)`. */
export const llama: Family = {
  name: 'llama',
  openers: [OPENER],
  closers: CLOSERS,
  read(text, ended) {
    const start = skipSpace(text, OPENER.length);
    if (start >= text.length) return ended ? NO : MORE;
    if (text[start] === '{' || /^\[\s*[[{]/.test(text.slice(start, start + 20)))
      return readJsonBody(text, OPENER.length, { openers: [OPENER], closers: CLOSERS, ended });
    const reading = readPythonCalls(text, start);
    if (reading === 'broken') return NO;
    if (reading === 'open') return ended ? NO : MORE;
    const calls = reading.calls.map((call) => ({ ...call, name: call.name.replace(/\.call$/, '') }));
    const next = skipSpace(text, reading.end);
    if (next >= text.length && !ended) return MORE;
    return { state: 'done', end: reading.end, calls };
  },
};
