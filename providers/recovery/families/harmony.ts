import { type Family, MORE, NO, type RawCall, type Reading } from '../family.ts';
import { argumentsOf, plainName } from '../json-calls.ts';

const MESSAGE = '<|message|>';
const ENDS = ['<|call|>', '<|end|>', '<|return|>'];
const NEXT = ['<|start|>', '<|channel|>'];
const LONGEST_HEADER = 240;
/** What a header is made of: words, recipients, and the tokens between them. */
const HEADER = /^(?:[\w .,=:/-]|<\|(?:start|channel|constrain)\|>)*$/;

/** gpt-oss: messages with a channel and a recipient. Analysis is thinking; what goes `to=functions.…` is a call. */
export const harmony: Family = {
  name: 'harmony',
  openers: NEXT,
  closers: [...ENDS, ...NEXT, MESSAGE],
  read: (text, ended) => readHarmony(text, ended),
};

export function readHarmony(text: string, ended: boolean): Reading {
  const head = text.slice(0, LONGEST_HEADER);
  const found = head.indexOf(MESSAGE);
  const header = found < 0 ? head : head.slice(0, found);
  if (!HEADER.test(found < 0 ? header.replace(/<(?:\|[a-z]*\|?)?$/, '') : header)) return NO;
  if (found < 0) return ended || text.length > LONGEST_HEADER ? NO : MORE;
  const at = found + MESSAGE.length;
  const recipient = /\bto=(functions?[.:/])?([\w.-]+)/.exec(header);
  if (recipient?.[1] === undefined) {
    const channel = [...header.matchAll(/<\|channel\|>\s*(\w+)/g)].at(-1)?.[1];
    const closers = [...ENDS.map((end) => ({ text: end })), ...NEXT.map((next) => ({ text: next, keeps: true }))];
    const kind = channel === 'analysis' ? 'thinking' : 'text';
    return { state: 'done', end: at, calls: [], passage: { kind, closers } };
  }
  let end = -1;
  let after = -1;
  for (const stop of [...ENDS, ...NEXT]) {
    const where = text.indexOf(stop, at);
    if (where < 0 || (end >= 0 && where >= end)) continue;
    end = where;
    after = ENDS.includes(stop) ? where + stop.length : where;
  }
  if (end < 0 && !ended) return MORE;
  if (end < 0) end = after = text.length;
  const body = text.slice(at, end);
  const call: RawCall = argumentsOf(body.trim() === '' ? '{}' : body, plainName(recipient[2]!));
  return { state: 'done', end: after, calls: [call] };
}
