/** Ids of tool calls: made where a server gives none, and fitted to what a wire format accepts. */

const run = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
let made = 0;

/** An id that no other call has, in this process or, for all practical purposes, in any other. */
export const makeCallId = (): string => `call_${run}${Date.now().toString(36)}${(made++).toString(36)}`;

/** `short`: 40 characters (OpenAI). `word`: letters, digits, `_`, `-` (Anthropic). `nine`: nine letters and digits (Mistral). */
export type CallIdForm = 'any' | 'short' | 'word' | 'nine';

const FITS: Record<CallIdForm, RegExp> = {
  any: /^[\s\S]+$/,
  short: /^[\s\S]{1,40}$/,
  word: /^[A-Za-z0-9_-]{1,64}$/,
  nine: /^[A-Za-z0-9]{9}$/,
};

/** Two 32-bit FNV-1a hashes as nine characters of base 36; enough for ids, of no use against intent. */
export function digest(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit ^ (low >>> 7), 0x01000193);
  }
  const wide = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  return wide.toString(36).padStart(9, '0').slice(-9);
}

/**
 * Maps ids to that form, different ids to different ids. What an id becomes depends on it and on those mapped before
 * it, so a conversation that only grows keeps its bytes.
 */
export function createIdMapper(form: CallIdForm): (id: string) => string {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  return (id) => {
    let mapped = known.get(id);
    if (mapped !== undefined) return mapped;
    mapped = FITS[form].test(id) ? id : digest(id);
    for (let salt = 1; taken.has(mapped); salt++) mapped = digest(`${id}#${salt}`);
    known.set(id, mapped);
    taken.add(mapped);
    return mapped;
  };
}
