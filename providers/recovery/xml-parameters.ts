/** `<function=name>` with `<parameter=key>value</parameter>`, as Qwen3-Coder, Nemotron, Seed-OSS and StepFun print it. */
import { isBeginning, MORE, NO, type RawCall, type Reading, skipSpace } from './family.ts';
import { brokenCall, callOf, plainName } from './json-calls.ts';
import { readJson } from './read-json.ts';

const OPEN = '<function=';
const PARAMETER = '<parameter=';
const END_PARAMETER = '</parameter>';
const END_FUNCTION = '</function>';
/** What may follow a function, whatever closers are missing. */
const AROUND = ['</tool_call>', '</seed:tool_call>', '<tool_call>', '<seed:tool_call>', OPEN];
const AFTER_PARAMETER = [PARAMETER, END_FUNCTION, ...AROUND];
const STOPS = /<\/parameter>|<parameter=|<\/function>|<\/(?:seed:)?tool_call>/g;

/** Reads one function at `at`; `end` is behind `</function>`, or where something else begins. */
export function readFunction(text: string, start: number, ended: boolean): Reading {
  const head = /^<function\s*=\s*["']?([^\s<>"']{1,80})["']?\s*>/.exec(text.slice(start, start + 120));
  if (!head)
    return text.length - start < 100 && !ended && /^<function\s*(?:=[^\n<>]*)?$/.test(text.slice(start)) ? MORE : NO;
  const name = plainName(head[1]!);
  const body = start + head[0].length;
  let at = skipSpace(text, body);
  if (text[at] === '{') return readJsonFunction(text, at, name, ended);
  const input: Record<string, unknown> = {};
  const done = (end: number, more: Partial<RawCall> = {}): Reading => ({
    state: 'done',
    end,
    calls: [{ name, arguments: input, untyped: true, raw: JSON.stringify(input), ...more }],
  });
  for (;;) {
    at = skipSpace(text, at);
    if (at >= text.length) return ended ? done(at, { open: true }) : MORE;
    if (text.startsWith(END_FUNCTION, at)) return done(at + END_FUNCTION.length);
    if (AROUND.some((word) => text.startsWith(word, at))) return done(at);
    if (!text.startsWith(PARAMETER, at)) {
      if (isBeginning(AFTER_PARAMETER, text, at)) return ended ? done(text.length, { open: true }) : MORE;
      // Talk about the markup, or arguments in no known form.
      if (Object.keys(input).length === 0) return NO;
      const end = text.indexOf(END_FUNCTION, at);
      if (end < 0 && !ended) return MORE;
      const stop = end < 0 ? text.length : end + END_FUNCTION.length;
      return {
        state: 'done',
        end: stop,
        calls: [brokenCall(text.slice(body, stop), 'text stands between the parameters', name)],
      };
    }
    const key = /^<parameter\s*=\s*["']?([^\s<>"']{1,80})["']?\s*>/.exec(text.slice(at, at + 120));
    if (!key) {
      if (text.length - at < 100 && !/[\n<>]/.test(text.slice(at + 1)))
        return ended ? done(text.length, { open: true }) : MORE;
      return NO;
    }
    const from = at + key[0].length;
    const value = valueEnd(text, from, ended);
    if (value === undefined) return MORE;
    input[key[1]!] = oneLineLess(oneSpaceLess(text.slice(from, value.end)));
    at = value.after;
    if (value.open) return done(text.length, { open: true });
  }
}

/** Where a value ends: at a closer that something known follows, or, if that is missing, where the next thing begins. */
function valueEnd(
  text: string,
  from: number,
  ended: boolean,
): { end: number; after: number; open?: boolean } | undefined {
  STOPS.lastIndex = from;
  for (let stop = STOPS.exec(text); stop; stop = STOPS.exec(text)) {
    const word = stop[0];
    const after = stop.index + word.length;
    if (word === PARAMETER) {
      // Inside a value it is text unless a line begins with it.
      if (/\n[ \t]*$/.test(text.slice(Math.max(from, stop.index - 20), stop.index)))
        return { end: stop.index, after: stop.index };
      continue;
    }
    const next = skipSpace(text, after);
    const follows = word === END_PARAMETER ? AFTER_PARAMETER : AROUND;
    if (next >= text.length) {
      if (!ended) return undefined;
    } else if (!follows.some((one) => text.startsWith(one, next))) {
      if (isBeginning(follows, text, next) && !ended) return undefined;
      continue;
    }
    return word === END_PARAMETER ? { end: stop.index, after } : { end: stop.index, after: stop.index };
  }
  if (!ended) return undefined;
  // A closer that broke off with the message is no part of the value.
  const broken = /<\/?[a-z_]{0,10}$/.exec(text.slice(from));
  const end =
    broken && isBeginning([END_PARAMETER, END_FUNCTION], text, from + broken.index) ? from + broken.index : text.length;
  return { end, after: text.length, open: true };
}

function readJsonFunction(text: string, at: number, name: string, ended: boolean): Reading {
  const reading = readJson(text, at);
  const close = (from: number): number => {
    const next = skipSpace(text, from);
    return text.startsWith(END_FUNCTION, next) ? next + END_FUNCTION.length : from;
  };
  if (typeof reading === 'object') {
    const next = skipSpace(text, reading.end);
    if (!ended && (next >= text.length || isBeginning([END_FUNCTION], text, next))) return MORE;
    return { state: 'done', end: close(reading.end), calls: [callOf(name, reading.value)] };
  }
  const end = text.indexOf(END_FUNCTION, at);
  if (end < 0 && !ended) return MORE;
  const stop = end < 0 ? text.length : end;
  const problem = reading === 'open' ? 'they end in the middle' : 'they are not valid JSON';
  return { state: 'done', end: close(stop), calls: [brokenCall(text.slice(at, stop), problem, name)] };
}

/** A space behind the opener stands where a line break should; more than one is the value's own indentation. */
const oneSpaceLess = (value: string): string => value.replace(/^ (?=\S)/, '');

/** The line breaks behind the opener and before the closer belong to the form, not to the value. */
export const oneLineLess = (value: string): string => value.replace(/^\r?\n/, '').replace(/\r?\n[ \t]*$/, '');
