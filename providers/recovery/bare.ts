/**
 * Calls without markup of their own: a message that is nothing but JSON, nothing but Python calls, nothing but code
 * blocks of such, or one of the forms of families whose tokens a server swallowed.
 */

import {
  beginning,
  type Form,
  fenceBeginning,
  HEAD,
  jsonBeginning,
  type Names,
  pythonBeginning,
} from './bare-beginning.ts';
import { readHarmony } from './families/harmony.ts';
import { families } from './families/index.ts';
import { isObject, type RawCall } from './family.ts';
import { readGemmaCall } from './gemma-value.ts';
import { rescue } from './json-block.ts';
import { argumentsOf, brokenCall, CUT, jsonCalls, plainName } from './json-calls.ts';
import type { OfferedTool } from './judge-call.ts';
import { closerAt } from './markers.ts';
import { readPythonCalls } from './python-calls.ts';
import { readJson } from './read-json.ts';

export interface BareContext {
  tools?: readonly OfferedTool[];
  /** Names that count as offered besides those of `tools`. */
  knows?(name: string): boolean;
  family?: string;
}

/** Families that print Python calls without any token, where the tools are not known. */
const PYTHONIC = /^(?:olmo|lfm)/i;
const DEEPSEEK = /^(?:deepseek|cogito)/i;

/** What a bare message may still become; asked again with each delta, cheap because it goes on where it was. */
export interface BareWatch {
  /** False as soon as the text so far can be no call. */
  push(delta: string): boolean;
  /** The calls of the whole message; undefined when it is text. */
  finish(): RawCall[] | undefined;
}

/** Starts to watch a message that begins like a call; `text` begins with its first character that is no space. */
export function watchBare(context: BareContext): BareWatch {
  let text = '';
  let scan: Scan | undefined;
  const names: Names = {
    // The beginning of a name that only the caller knows cannot be told.
    begins: (part) =>
      !context.tools || context.knows !== undefined || context.tools.some(({ name }) => name.startsWith(part)),
    is: (name) =>
      context.tools === undefined || context.tools.some((tool) => tool.name === name) || !!context.knows?.(name),
    known: context.tools !== undefined,
    pythonic: context.tools !== undefined || PYTHONIC.test(context.family ?? ''),
    deepseek: context.tools !== undefined || DEEPSEEK.test(context.family ?? ''),
  };
  return {
    push(delta) {
      text += delta;
      if (!scan) {
        const state = beginning(text.slice(0, HEAD), names);
        if (state === 'no') return false;
        if (state === 'maybe') return text.length < HEAD;
        scan = new Scan(state);
        return scan.goesOn(text, names);
      }
      return scan.goesOn(delta, names);
    },
    finish: () => finish(text.trim(), context, names),
  };
}

/** Follows brackets and strings to where the value ends, and asks whether what follows still belongs to a call. */
class Scan {
  readonly form: Form;
  depth = 0;
  quote = '';
  escaped = false;
  /** What came behind the value; undefined inside it. */
  rest: string | undefined;
  /** The end of a code block's text, in which its closing may have begun. */
  tail = '';

  constructor(form: Form) {
    this.form = form;
  }

  goesOn(delta: string, names: Names): boolean {
    if (this.form === 'rest') return true;
    if (this.form === 'fence') return this.fence(delta, names);
    let text = delta;
    for (;;) {
      if (this.rest === undefined) {
        const end = this.value(text);
        if (end < 0) return true;
        this.rest = text.slice(end);
      } else this.rest += text;
      text = '';
      const skipped = /^[\s,;\]}]*/.exec(this.rest)![0].length;
      const next = this.rest.slice(skipped, skipped + HEAD);
      if (next === '') return true;
      if (next[0] === '<' || next[0] === '[') {
        const closer = closerAt(next, 0);
        if (closer === 'part') return true;
        if (closer) {
          this.rest = this.rest.slice(skipped + closer);
          continue;
        }
      }
      const again: Form | 'maybe' | 'no' =
        this.form === 'json' ? jsonBeginning(next, names) : pythonBeginning(next, names);
      if (again !== this.form) return again === 'maybe' && next.length < HEAD;
      text = this.rest.slice(skipped);
      this.rest = undefined;
    }
  }

  /** The offset behind the value's last bracket, or -1 while it is open. */
  value(text: string): number {
    const quotes = this.form === 'json' ? '"' : '"\'';
    for (let at = 0; at < text.length; at++) {
      const char = text[at]!;
      if (this.escaped) this.escaped = false;
      else if (this.quote) {
        if (char === '\\') this.escaped = true;
        else if (char === this.quote) this.quote = '';
      } else if (quotes.includes(char)) this.quote = char;
      else if (char === '{' || char === '[' || char === '(') this.depth++;
      else if (char === '}' || char === ']' || char === ')') {
        if (--this.depth <= 0) {
          this.depth = 0;
          return at + 1;
        }
      }
    }
    return -1;
  }

  /** Nothing but further code blocks may follow a code block. */
  fence(delta: string, names: Names): boolean {
    let text = delta;
    for (;;) {
      if (this.rest === undefined) {
        const recent = this.tail + text;
        const end = recent.indexOf('\n```', this.tail === '' ? 3 : 0);
        if (end < 0) {
          this.tail = recent.slice(-3);
          return true;
        }
        this.rest = recent.slice(end + 4);
      } else this.rest += text;
      const next = this.rest.trimStart();
      if (next === '') return true;
      const again: Form | 'maybe' | 'no' = fenceBeginning(next.slice(0, HEAD), names);
      if (again !== 'fence') return again === 'maybe' && next.length < HEAD;
      this.tail = '';
      this.rest = undefined;
      text = next;
    }
  }
}

function finish(text: string, context: BareContext, names: Names): RawCall[] | undefined {
  const form = beginning(text.slice(0, HEAD), names);
  if (form === 'fence') return fences(text, context);
  const named = readNamed(text, names);
  if (named) return named;
  if (form === 'python') {
    const reading = readPythonCalls(text);
    return typeof reading === 'object' && closes(text, reading.end) ? reading.calls : undefined;
  }
  return /^[[{]/.test(text) ? readBareJson(text, context) : undefined;
}

function readBareJson(text: string, context: BareContext): RawCall[] | undefined {
  const calls: RawCall[] = [];
  for (let at = 0; ; ) {
    const reading = readJson(text, at);
    const rest = text.slice(at);
    if (reading === 'open') {
      const rescued = rescue(rest, (value) => jsonCalls(value, true));
      if (rescued) return [...calls, ...rescued];
      // A name and the beginning of arguments: a call that was cut off, of no use to anybody as text.
      if (!/"(?:arguments|parameters)"\s*:\s*(?:\{|"\{)/.test(rest)) return undefined;
      const broken = brokenCall(rest, CUT);
      return broken.name ? [...calls, broken] : undefined;
    }
    if (reading === 'broken') return undefined;
    const found = jsonCalls(reading.value, true);
    // Where the tools are not known, a single object may be anything.
    if (!found || (context.tools === undefined && isObject(reading.value))) return undefined;
    calls.push(...found);
    const next = /^[\s,;\]}]*/.exec(text.slice(reading.end))![0].length + reading.end;
    if (closes(text, next)) return calls;
    if (!'{['.includes(text[next]!)) return undefined;
    at = next;
  }
}

/** True when only closers of other families and ends of turns follow. */
function closes(text: string, from: number): boolean {
  let at = from;
  for (;;) {
    at += /^[\s,;\]}]*/.exec(text.slice(at))![0].length;
    if (at >= text.length) return true;
    const closer = closerAt(text, at);
    if (!closer || closer === 'part') return false;
    at += closer;
  }
}

function fences(text: string, context: BareContext): RawCall[] | undefined {
  const calls: RawCall[] = [];
  let rest = text;
  while (rest !== '') {
    const open = /^```[ \t]*[\w-]*[ \t]*\r?\n/.exec(rest);
    if (!open) return undefined;
    const end = rest.indexOf('\n```', open[0].length - 1);
    const body = rest.slice(open[0].length, end < 0 ? rest.length : Math.max(end, open[0].length)).trim();
    const found = fenced(body, context);
    if (!found) return undefined;
    calls.push(...found);
    rest = end < 0 ? '' : rest.slice(end + 4).trim();
  }
  return calls.length ? calls : undefined;
}

function fenced(body: string, context: BareContext): RawCall[] | undefined {
  if (/^[[{]/.test(body)) {
    const calls = readBareJson(body, context);
    if (calls) return calls;
  }
  const family = families.find((one) => one.openers.some((opener) => body.startsWith(opener)));
  if (family) {
    const reading = family.read(body, true);
    if (reading.state !== 'done' || !reading.calls.length) return undefined;
    if (closes(body, reading.end)) return [...reading.calls];
    const more = fenced(body.slice(reading.end).trim(), context);
    return more && [...reading.calls, ...more];
  }
  const reading = readPythonCalls(body);
  return typeof reading === 'object' && closes(body, reading.end) ? reading.calls : undefined;
}

/** A call of gpt-oss without any of its tokens; what followed the name may have run into it. */
const SWALLOWED = /^(?:assistant ?)?(?:commentary )?to=functions\.([\w.-]+)(?: commentary)?\s*(?:json|code)?\s*(?=\{)/;
const RUN_INTO = [/(?:json|code)$/, /commentary$/, /commentary ?(?:json|code)$/];

const swallowedName = (printed: string, names: Names): string =>
  [printed, ...RUN_INTO.map((end) => printed.replace(end, ''))].find((name) => names.known && names.is(name)) ??
  printed;

function readNamed(text: string, names: Names): RawCall[] | undefined {
  if (text.startsWith('functools[')) return readBareJson(text.slice('functools'.length), { tools: [] });
  const swallowed = SWALLOWED.exec(text);
  if (swallowed) {
    const body = text.slice(swallowed[0].length);
    const reading = readJson(body);
    if (typeof reading === 'object' && closes(body, reading.end))
      return [argumentsOf(body.slice(0, reading.end), swallowedName(swallowed[1]!, names))];
  }
  if (/^(?:to=|assistant<|commentary )/.test(text)) {
    const reading = readHarmony(text, true);
    return reading.state === 'done' && reading.calls.length ? [...reading.calls] : undefined;
  }
  if (text.startsWith('call:')) {
    const closed = readGemmaCall(text, 0, false);
    const reading = typeof closed === 'object' ? closed : readGemmaCall(text, 0, true);
    return typeof reading === 'object' && closes(text, reading.end) ? [reading.call] : undefined;
  }
  const separated = /^\s*([\w.-]+)\s*<[｜|]tool▁sep[｜|]>/.exec(text);
  if (separated && names.deepseek) {
    const rest = text.slice(separated[0].length);
    if (separated[1] !== 'function') return [argumentsOf(rest, separated[1]!)];
    const line = /^\s*([^\n{`]*)/.exec(rest)!;
    return [argumentsOf(rest.slice(line[0].length), plainName(line[1]!))];
  }
  return names.known ? functionary(text, names) : undefined;
}

/** Functionary 3.2: the recipient on a line, then its arguments; `>>>` between several. */
function functionary(text: string, names: Names): RawCall[] | undefined {
  const calls: RawCall[] = [];
  for (const part of text.replace(/^>>>/, '').split(/\n?>>>/)) {
    const found = /^\s*([A-Za-z_][\w.-]*)[ \t]*(?:\n|\[ARGS\])\s*(?=\{)/.exec(part);
    if (!found || !names.is(found[1]!)) return undefined;
    const body = part.slice(found[0].length);
    const reading = readJson(body);
    if (typeof reading !== 'object' || !closes(body, reading.end)) return undefined;
    calls.push(argumentsOf(body.slice(0, reading.end), plainName(found[1]!)));
  }
  return calls;
}
