import { type Family, MORE, NO, openerOf, type RawCall, type Reading, skipSpace } from './family.ts';
import { BROKEN, brokenCall, CUT, jsonCalls } from './json-calls.ts';
import { readJson } from './read-json.ts';

export interface JsonBlock {
  name: string;
  openers: readonly string[];
  /** The first is the proper one. None: the block reaches to the end of the message. */
  closers: readonly string[];
  /** Reads a value that is not in one of the common shapes. */
  callsOf?(value: unknown): RawCall[] | undefined;
}

/** A family that prints JSON values between an opener and a closer. */
export const jsonBlock = ({ name, openers, closers, callsOf = jsonCalls }: JsonBlock): Family => ({
  name,
  openers,
  closers,
  read: (text, ended) => readJsonBody(text, openerOf(openers, text).length, { openers, closers, ended, callsOf }),
});

export interface JsonBody {
  openers: readonly string[];
  closers: readonly string[];
  ended: boolean;
  callsOf?(value: unknown): RawCall[] | undefined;
}

/** Reads JSON values from `start` up to a closer, the next opener or the end of the message. */
export function readJsonBody(text: string, start: number, body: JsonBody): Reading {
  const { openers, closers, ended, callsOf = jsonCalls } = body;
  const calls: RawCall[] = [];
  let at = skipSpace(text, start);
  // The beginning of a fence, as far as it has come.
  if (!ended && /^(?:`{1,2}|```(?:j|js|jso|json)?[ \t]*)$/.test(text.slice(at))) return MORE;
  const fence = /^```(?:json)?[ \t]*\r?\n?/.exec(text.slice(at, at + 12));
  if (fence) at = skipSpace(text, at + fence[0].length);
  if (at >= text.length) return ended ? NO : MORE;
  if (!'{['.includes(text[at]!)) return text[at] === '`' && !ended && text.length - at < 12 ? MORE : NO;
  for (let first = true; ; first = false) {
    const reading = readJson(text, at);
    if (reading === 'open') {
      if (!ended) return MORE;
      const rescued = rescue(text.slice(at), callsOf);
      return { state: 'done', end: text.length, calls: [...calls, ...(rescued ?? [brokenCall(text.slice(at), CUT)])] };
    }
    const found = reading === 'broken' ? undefined : callsOf(reading.value);
    if (reading === 'broken' || !found) {
      // What begins like something else is not markup but talk about it.
      if (first && !/^[[{\s]*(?:["'}]|$)/.test(text.slice(at, at + 40))) return NO;
      const end = closerFrom(text, at, closers);
      if (end === undefined && !ended) return MORE;
      const raw = text.slice(at, end?.at ?? text.length);
      const problem = reading === 'broken' ? BROKEN : 'they have no name';
      return { state: 'done', end: end?.after ?? text.length, calls: [...calls, brokenCall(raw, problem)] };
    }
    calls.push(...found);
    at = skipSpace(text, reading.end);
    // A bracket too many, a separator, the end of the fence.
    while (at < text.length && '}],;`'.includes(text[at]!)) at = skipSpace(text, at + 1);
    if (at >= text.length) return ended ? { state: 'done', end: at, calls } : MORE;
    const closer = openerOf(closers, text.slice(at, at + 40));
    if (closer) return { state: 'done', end: at + closer.length, calls };
    if (isPart(closers, text, at) || isPart(openers, text, at)) {
      if (!ended) return MORE;
    }
    if ('{['.includes(text[at]!) && !openerOf(openers, text.slice(at, at + 40))) continue;
    return { state: 'done', end: at, calls };
  }
}

const isPart = (words: readonly string[], text: string, at: number): boolean =>
  words.some((word) => text.length - at < word.length && word.startsWith(text.slice(at)));

function closerFrom(text: string, at: number, closers: readonly string[]): { at: number; after: number } | undefined {
  let best: { at: number; after: number } | undefined;
  for (const closer of closers) {
    const found = text.indexOf(closer, at);
    if (found >= 0 && (best === undefined || found < best.at)) best = { at: found, after: found + closer.length };
  }
  return best;
}

/**
 * Calls whose arguments are whole and behind which only closing brackets are missing. A value that broke off is never
 * completed.
 */
export function rescue(text: string, callsOf: (value: unknown) => RawCall[] | undefined): RawCall[] | undefined {
  const tail = text.trimEnd();
  if (!/[}\]]$/.test(tail)) return undefined;
  for (const missing of ['}', ']', '}]', '}}', ']}', '}]}']) {
    const reading = readJson(tail + missing);
    if (typeof reading !== 'object' || reading.end !== tail.length + missing.length) continue;
    return callsOf(reading.value);
  }
  return undefined;
}
