import {
  type Family,
  isBeginning,
  MORE,
  NO,
  nameAt,
  openerOf,
  type RawCall,
  type Reading,
  skipSpace,
} from '../family.ts';
import { argumentsOf, brokenCall, CUT, plainName } from '../json-calls.ts';

const BEGIN = '<|tool_calls_section_begin|>';
const END = '<|tool_calls_section_end|>';
const CALL = '<|tool_call_begin|>';
const ARGUMENTS = '<|tool_call_argument_begin|>';
const CALL_END = '<|tool_call_end|>';

/** Kimi K2: `functions.name:0` and JSON between tokens. */
export const kimi: Family = {
  name: 'kimi',
  openers: [BEGIN, CALL],
  closers: [END, CALL_END],
  read(text, ended) {
    const calls: RawCall[] = [];
    let at = openerOf([BEGIN], text).length;
    for (;;) {
      at = skipSpace(text, at);
      if (text.startsWith(END, at)) return { state: 'done', end: at + END.length, calls };
      if (!text.startsWith(CALL, at)) {
        if (at >= text.length || isBeginning([END, CALL], text, at)) {
          if (!ended) return MORE;
          return calls.length ? { state: 'done', end: text.length, calls } : NO;
        }
        return calls.length ? { state: 'done', end: at, calls } : NO;
      }
      const reading = readOne(text, at + CALL.length, ended);
      if (reading.state !== 'done')
        return reading.state === 'no' && calls.length ? { state: 'done', end: at, calls } : reading;
      calls.push(...reading.calls);
      at = reading.end;
    }
  },
};

function readOne(text: string, start: number, ended: boolean): Reading {
  const from = skipSpace(text, start);
  const name = nameAt(text, from);
  const begin = skipSpace(text, from + name.length);
  if (begin >= text.length || isBeginning([ARGUMENTS], text, begin))
    return ended ? { state: 'done', end: text.length, calls: [brokenCall('', CUT, plainName(name))] } : MORE;
  if (!name || !text.startsWith(ARGUMENTS, begin)) return NO;
  const at = begin + ARGUMENTS.length;
  const end = text.indexOf(CALL_END, at);
  if (end < 0 && !ended) return MORE;
  const call = argumentsOf(text.slice(at, end < 0 ? text.length : end), plainName(name));
  return { state: 'done', end: end < 0 ? text.length : end + CALL_END.length, calls: [call] };
}
