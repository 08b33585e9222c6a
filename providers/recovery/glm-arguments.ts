/** GLM's arguments: `<arg_key>` and `<arg_value>` in turn. */
import { isBeginning, MORE, NO, type RawCall, type Reading, skipSpace } from './family.ts';

const [KEY, END_KEY] = ['<arg_key>', '</arg_key>'];
const [VALUE, END_VALUE] = ['<arg_value>', '</arg_value>'];
const CLOSER = '</tool_call>';
const OPENER = '<tool_call>';

/** Reads `<arg_key>…</arg_key><arg_value>…</arg_value>` pairs behind a name, up to `</tool_call>`. */
export function readGlmArguments(text: string, start: number, name: string, ended: boolean): Reading {
  const input: Record<string, unknown> = {};
  const done = (end: number, more: Partial<RawCall> = {}): Reading => ({
    state: 'done',
    end,
    calls: [{ name, arguments: input, untyped: true, raw: JSON.stringify(input), ...more }],
  });
  let pairs = 0;
  for (let at = start; ; pairs++) {
    at = skipSpace(text, at);
    if (text.startsWith(CLOSER, at)) return done(at + CLOSER.length);
    if (at >= text.length) return !ended ? MORE : pairs ? done(at) : NO;
    if (text.startsWith(OPENER, at)) return pairs ? done(at) : NO;
    if (!text.startsWith(KEY, at)) {
      if (isBeginning([KEY, CLOSER, OPENER], text, at)) return !ended ? MORE : pairs ? done(text.length) : NO;
      return pairs ? done(at) : NO;
    }
    const keyEnd = text.indexOf(END_KEY, at);
    const value = keyEnd < 0 ? -1 : skipSpace(text, keyEnd + END_KEY.length);
    if (keyEnd < 0 || value >= text.length || (isBeginning([VALUE], text, value) && !ended))
      return ended ? done(text.length, { open: true }) : MORE;
    if (!text.startsWith(VALUE, value)) return NO;
    const from = value + VALUE.length;
    const valueEnd = text.indexOf(END_VALUE, from);
    if (valueEnd < 0 && !ended) return MORE;
    input[text.slice(at + KEY.length, keyEnd).trim()] = text.slice(from, valueEnd < 0 ? text.length : valueEnd);
    if (valueEnd < 0) return done(text.length, { open: true });
    at = valueEnd + END_VALUE.length;
  }
}
