import { type Family, isBeginning, MORE, NO, nameAt, type RawCall, type Reading, skipSpace } from '../family.ts';
import { readJsonBody } from '../json-block.ts';
import { BROKEN, brokenCall, CUT, callOf } from '../json-calls.ts';
import { readJson } from '../read-json.ts';

const OPENER = '[TOOL_CALLS]';
const CLOSERS = ['[/TOOL_CALLS]'];
const [CALL_ID, ARGS] = ['[CALL_ID]', '[ARGS]'];

/** `[TOOL_CALLS]` of Mistral: a list of JSON, or `name[ARGS]{…}` (Devstral, Magistral, Ministral), once for each call. */
export const mistral: Family = {
  name: 'mistral',
  openers: [OPENER],
  closers: CLOSERS,
  read(text, ended) {
    const calls: RawCall[] = [];
    let at = 0;
    for (;;) {
      const start = skipSpace(text, at + OPENER.length);
      if (start >= text.length) return ended ? (calls.length ? { state: 'done', end: start, calls } : NO) : MORE;
      const reading = '[{'.includes(text[start]!)
        ? readJsonBody(text, at + OPENER.length, { openers: [OPENER], closers: CLOSERS, ended })
        : readNamed(text, start, ended);
      if (reading.state === 'no' && calls.length) return { state: 'done', end: at, calls };
      if (reading.state !== 'done') return reading;
      calls.push(...reading.calls);
      at = skipSpace(text, reading.end);
      if (text.startsWith(OPENER, at)) continue;
      if (!ended && isBeginning([OPENER, ...CLOSERS], text, at)) return MORE;
      return { state: 'done', end: text.startsWith(CLOSERS[0]!, at) ? at + CLOSERS[0]!.length : reading.end, calls };
    }
  },
};

function readNamed(text: string, start: number, ended: boolean): Reading {
  const name = nameAt(text, start);
  if (!name) return NO;
  let at = start + name.length;
  if (text.startsWith(CALL_ID, at)) {
    at += CALL_ID.length;
    at += /^\w*/.exec(text.slice(at, at + 64))![0].length;
  }
  if (isBeginning([CALL_ID, ARGS], text, at)) return ended ? NO : MORE;
  if (text.startsWith(ARGS, at)) at += ARGS.length;
  else if (text[at] !== '{') return NO;
  at = skipSpace(text, at);
  if (at >= text.length) return ended ? { state: 'done', end: at, calls: [brokenCall('', CUT, name)] } : MORE;
  const reading = readJson(text, at);
  if (reading === 'open' && !ended) return MORE;
  if (typeof reading === 'object') return { state: 'done', end: reading.end, calls: [callOf(name, reading.value)] };
  const next = reading === 'open' ? -1 : text.indexOf(OPENER, at);
  if (reading === 'broken' && next < 0 && !ended) return MORE;
  const end = next < 0 ? text.length : next;
  return { state: 'done', end, calls: [brokenCall(text.slice(at, end), reading === 'open' ? CUT : BROKEN, name)] };
}
