import { type Family, isBeginning, MORE, NO, openerOf, type RawCall, type Reading, skipSpace } from '../family.ts';
import { argumentsOf, brokenCall, CUT, plainName } from '../json-calls.ts';

/** The bars are fullwidth; some servers and some models print ASCII ones. */
const both = (word: string): string[] => [`<｜${word}｜>`, `<|${word}|>`];
const CALLS_BEGIN = both('tool▁calls▁begin');
const CALLS_END = both('tool▁calls▁end');
const CALL_BEGIN = both('tool▁call▁begin');
const CALL_END = both('tool▁call▁end');
export const DEEPSEEK_SEPARATOR: readonly string[] = both('tool▁sep');
const NEXT = [...CALLS_END, ...CALL_BEGIN];
/** Names have no markup and no line breaks in them. */
const LONGEST_NAME = 120;

/** DeepSeek V3, R1 and Cogito (`function<sep>name` and a fenced object) and V3.1 (`name<sep>{…}`). */
export const deepseek: Family = {
  name: 'deepseek',
  openers: [...CALLS_BEGIN, ...CALL_BEGIN],
  closers: [...CALLS_END, ...CALL_END, ...CALL_BEGIN],
  read(text, ended) {
    const calls: RawCall[] = [];
    let at = 0;
    const begin = openerOf(CALLS_BEGIN, text);
    if (begin) at = skipSpace(text, begin.length);
    for (;;) {
      const rest = text.slice(at, at + 40);
      const end = openerOf(CALLS_END, rest);
      if (end) return { state: 'done', end: at + end.length, calls };
      const one = openerOf(CALL_BEGIN, rest);
      if (!one) {
        if (at >= text.length || isBeginning(NEXT, text, at)) {
          if (!ended) return MORE;
          return calls.length ? { state: 'done', end: text.length, calls } : NO;
        }
        return calls.length ? { state: 'done', end: at, calls } : NO;
      }
      const reading = readOne(text, at + one.length, ended);
      if (reading.state !== 'done')
        return reading.state === 'no' && calls.length ? { state: 'done', end: at, calls } : reading;
      calls.push(...reading.calls);
      at = skipSpace(text, reading.end);
    }
  },
};

function readOne(text: string, start: number, ended: boolean): Reading {
  const head = text.slice(start, start + LONGEST_NAME + 20);
  const words = /^\s*([\w.:/-]*)\s*/.exec(head)!;
  const before = words[1]!;
  const separatorAt = start + words[0].length;
  const separator = DEEPSEEK_SEPARATOR.find((one) => text.startsWith(one, separatorAt));
  if (!separator) {
    if (words[0].length > LONGEST_NAME) return NO;
    if (separatorAt < text.length && !isBeginning(DEEPSEEK_SEPARATOR, text, separatorAt)) return NO;
    return ended ? { state: 'done', end: text.length, calls: [brokenCall('', CUT, plainName(before))] } : MORE;
  }
  let at = separatorAt + separator.length;
  let end = -1;
  let after = -1;
  for (const closer of [...CALL_END, ...CALLS_END, ...CALL_BEGIN]) {
    const found = text.indexOf(closer, at);
    if (found < 0 || (end >= 0 && found >= end)) continue;
    end = found;
    after = CALL_END.includes(closer) ? found + closer.length : found;
  }
  if (end < 0 && !ended) return MORE;
  if (end < 0) end = after = text.length;
  const { name, from } = nameOf(text, before, at, end);
  at = from;
  return { state: 'done', end: after, calls: [argumentsOf(text.slice(at, end), name)] };
}

/** In the older form the name stands behind the separator, on a line of its own. */
function nameOf(text: string, before: string, at: number, end: number): { name: string; from: number } {
  if (before !== 'function') return { name: plainName(before), from: at };
  const line = /^\s*([^\n{`]*)/.exec(text.slice(at, end))!;
  return { name: plainName(line[1]!), from: at + line[0].length };
}
