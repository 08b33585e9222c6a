import { type Family, isBeginning, MORE, NO, openerOf, type RawCall, type Reading, skipSpace } from '../family.ts';
import { readGemmaCall } from '../gemma-value.ts';
import { brokenCall, CUT, plainName } from '../json-calls.ts';

const OPENERS = ['<|tool_call>', '<start_function_call>'];
const CLOSERS = ['<tool_call|>', '<end_function_call>'];

/** Gemma 4 and FunctionGemma: `call:name{key:value}` between tokens. */
export const gemma: Family = {
  name: 'gemma',
  openers: OPENERS,
  closers: CLOSERS,
  read(text, ended) {
    const start = openerOf(OPENERS, text).length;
    const reading = readGemmaCall(text, start, false);
    if (typeof reading === 'object') return closed(text, reading.end, ended, [reading.call]);
    const begins = /^\s*(?:c|ca|cal|call|call:.*)?$/s.test(text.slice(start, start + 20));
    if (!begins) return NO;
    const ends = CLOSERS.map((one) => text.indexOf(one, start)).filter((at) => at >= 0);
    const end = ends.length ? Math.min(...ends) : ended ? text.length : -1;
    if (end < 0) return MORE;
    const retry = readGemmaCall(text.slice(0, end), start, true);
    if (typeof retry === 'object') return closed(text, end, ended, [retry.call]);
    const name = /call:\s*([\w.:-]+)/.exec(text.slice(start, start + 120))?.[1];
    if (!name) return ends.length || ended ? NO : MORE;
    const problem = reading === 'open' ? CUT : 'they cannot be read';
    return closed(text, end, ended, [brokenCall(text.slice(start, end), problem, plainName(name))]);
  },
};

function closed(text: string, at: number, ended: boolean, calls: readonly RawCall[]): Reading {
  const next = skipSpace(text, at);
  const closer = CLOSERS.find((one) => text.startsWith(one, next));
  if (closer) return { state: 'done', end: next + closer.length, calls };
  if (!ended && (next >= text.length || isBeginning(CLOSERS, text, next))) return MORE;
  return { state: 'done', end: at, calls };
}
