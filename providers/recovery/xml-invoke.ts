/** `<invoke name="…">` with `<parameter name="…">`: MiniMax, DeepSeek's DSML, and models that imitate others. */
import { isBeginning, MORE, NO, openerOf, type RawCall, type Reading, skipSpace } from './family.ts';
import { plainName } from './json-calls.ts';
import { oneLineLess } from './xml-parameters.ts';

export interface InvokeForm {
  openers: readonly string[];
  closer: string;
  /** What stands before `invoke` and `parameter` inside the angle brackets. */
  prefix: string;
}

export function readInvokes(text: string, { openers, closer, prefix }: InvokeForm, ended: boolean): Reading {
  const [open, end] = [`<${prefix}invoke`, `</${prefix}invoke>`];
  const [parameter, endParameter] = [`<${prefix}parameter`, `</${prefix}parameter>`];
  const calls: RawCall[] = [];
  let at = openerOf(openers, text).length;
  for (;;) {
    at = skipSpace(text, at);
    if (at >= text.length) return !ended ? MORE : calls.length ? { state: 'done', end: at, calls } : NO;
    if (calls.length && text.startsWith(closer, at)) return { state: 'done', end: at + closer.length, calls };
    if (!text.startsWith(open, at)) {
      if (!ended && isBeginning([open, closer], text, at)) return MORE;
      return calls.length ? { state: 'done', end: at, calls } : NO;
    }
    const head = /^[^>\n]*?\bname\s*=\s*["']([^"'>\n]{1,80})["'][^>\n]*>/.exec(text.slice(at + open.length, at + 240));
    if (!head) {
      if (!text.slice(at, at + 240).includes('>') && text.length - at < 240 && !ended) return MORE;
      return calls.length ? { state: 'done', end: at, calls } : NO;
    }
    const call: RawCall = { name: plainName(head[1]!), arguments: {}, untyped: true, raw: '' };
    at += open.length + head[0].length;
    const input = call.arguments!;
    const add = (): void => {
      call.raw = JSON.stringify(input);
      calls.push(call);
    };
    for (;;) {
      at = skipSpace(text, at);
      if (at >= text.length || isBeginning([end, parameter, closer], text, at)) {
        if (!ended) return MORE;
        call.open = true;
        add();
        return { state: 'done', end: text.length, calls };
      }
      if (text.startsWith(end, at)) {
        at += end.length;
        add();
        break;
      }
      if (!text.startsWith(parameter, at)) {
        // Missing closer of the invocation.
        add();
        break;
      }
      const key = /^[^>\n]*?\bname\s*=\s*["']([^"'>\n]{1,80})["']([^>\n]*)>/.exec(
        text.slice(at + parameter.length, at + 240),
      );
      if (!key) {
        if (!ended) return text.slice(at, at + 240).includes('>') ? NO : MORE;
        return {
          state: 'done',
          end: text.length,
          calls: [...calls, { name: call.name, raw: text, problem: 'they end in the middle' }],
        };
      }
      const from = at + parameter.length + key[0].length;
      const follows = [parameter, end, open, closer];
      let stop = valueEnd(text, from, { parameter, endParameter, follows }, ended);
      if (stop === undefined) return MORE;
      if (stop < 0) {
        stop = text.length;
        call.open = true;
      }
      const value = oneLineLess(text.slice(from, stop));
      if (/\bstring\s*=/.test(key[2]!)) delete call.untyped;
      input[key[1]!] = typed(value, key[2]!);
      at = Math.min(text.length, stop + endParameter.length);
    }
  }
}

/**
 * Where a value ends: at a closing tag behind which the call goes on or ends. Pairs of these tags inside are text. What
 * fits nowhere ends at the first one; -1 where none came, undefined while that is open.
 */
function valueEnd(
  text: string,
  from: number,
  form: { parameter: string; endParameter: string; follows: readonly string[] },
  ended: boolean,
): number | undefined {
  const { parameter, endParameter, follows } = form;
  const first = text.indexOf(endParameter, from);
  let inner = text.indexOf(parameter, from);
  let depth = 0;
  for (let stop = first; stop >= 0; stop = text.indexOf(endParameter, stop + endParameter.length)) {
    for (; inner >= 0 && inner < stop; inner = text.indexOf(parameter, inner + 1)) depth++;
    if (depth > 0) {
      depth--;
      continue;
    }
    const next = skipSpace(text, stop + endParameter.length);
    if (next >= text.length) return ended ? stop : undefined;
    if (follows.some((one) => text.startsWith(one, next))) return stop;
    if (isBeginning(follows, text, next)) return ended ? stop : undefined;
  }
  return ended ? first : undefined;
}

/** DSML says of each value whether it is text or JSON. */
function typed(value: string, attributes: string): unknown {
  if (!/string\s*=\s*["']false["']/.test(attributes)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
