/**
 * Notices a message that ends in a call which is only written: in a fence, in ReAct's lines, as an object behind a
 * sentence, in tags. It may be a sample, so that it is never run; the model is told, and says itself what it meant.
 */
import { type CanCall, callInTags, holdsWhole } from './call-in-tags.ts';

export const CALL_AS_TEXT_NOTE =
  'Your message holds a call that is only written as text: nothing was run. If you meant it, call the tool itself, without text around it. If it was an example, go on.';

/** For a person, when being told did not help. */
export const CALLS_AS_TEXT =
  'the model writes its calls as text instead of making them; a model with tools, or a larger one, is needed';

/** Only the end of a long message is looked at. */
const LOOKED_AT = 20_000;
/** Lines that may begin an object. */
const MOST_TRIES = 50;
const FENCE = /```[ \t]*[\w+-]*[ \t]*\n?((?:(?!```)[\s\S])*?)\n?[ \t]*```\s*$/;
const REACT =
  /(?:^|\n)[ \t>*_]*Action[*_]*:[*_]*[ \t]*[`"']?([\w.-]+)[`"']?[^\n]*\n+[ \t>*_]*Action[ _]?Input[*_]*:[*_]*\s*/gi;
const OBSERVED = /\n[ \t>*_]*(?:Observation|Thought|Final Answer)[*_]*:[\s\S]*$/i;

/** What stands right before a sample: the answer is about how calls are written. */
const EXPLAINS =
  /\b(?:examples?|samples?|e\.g\.|for instance|such as|looks? like|(?:format|form|syntax|markup|notation|template)s?\b[^.\n]{0,40})[^\n.]{0,60}[:.]?\s*$/i;

export function callAtEnd(text: string, canCall: CanCall): boolean {
  const end = text.slice(-LOOKED_AT).trimEnd();
  const fenced = FENCE.exec(end);
  if (fenced && EXPLAINS.test(end.slice(0, fenced.index))) return false;
  if (callInTags(end, canCall)) return true;
  const react = [...end.matchAll(REACT)].at(-1);
  if (react) {
    const rest = end.slice(react.index + react[0].length).replace(OBSERVED, '');
    const input = FENCE.exec(rest)?.[1] ?? rest;
    return canCall(react[1]!, json(input) ?? input.trim());
  }
  if (fenced) return isCall(fenced[1]!, canCall);
  // An object or a list that begins a line and ends the message.
  if (!/[}\]]$/.test(end)) return false;
  let tries = 0;
  for (const { index } of [...end.matchAll(/^[{[]/gm)].reverse()) {
    const value = json(end.slice(index));
    if (value !== undefined) return isCallValue(value, canCall);
    if (++tries === MOST_TRIES) return false;
  }
  return false;
}

function isCall(text: string, canCall: CanCall): boolean {
  const inner = text.trim().replace(/^<(\w+)>\s*([\s\S]*?)\s*(?:<\/\1>)?$/, '$2');
  const value = json(inner);
  if (value !== undefined) return isCallValue(value, canCall);
  const xml = /^<function=([\w.-]+)>([\s\S]*?)(?:<\/function>)?$/.exec(inner);
  if (xml) {
    const parameters = xml[2]!.matchAll(/<parameter=([\w.-]+)>\n?([\s\S]*?)\n?<\/parameter>/g);
    return canCall(xml[1]!, Object.fromEntries([...parameters].map(([, name, given]) => [name, given])));
  }
  if (holdsWhole(text.trim(), canCall)) return true;
  const python = /^(?:print\()?([A-Za-z_]\w*)\(([\s\S]*?)\)?\)$/.exec(inner);
  return python !== null && isPythonCall(python[1]!, python[2]!, canCall);
}

function isPythonCall(name: string, args: string, canCall: CanCall): boolean {
  const given: [string, unknown][] = [];
  const rest = args.replace(
    /\s*([A-Za-z_]\w*)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|True|False)\s*(?:,|$)/g,
    (_, key: string, value: string) => {
      given.push([key, literal(value)]);
      return '';
    },
  );
  return rest.trim() === '' && canCall(name, Object.fromEntries(given));
}

const literal = (text: string): unknown =>
  /^["']/.test(text) ? text.slice(1, -1) : /^[TF]/.test(text) ? text === 'True' : Number(text);

/** One call, or a list of which the first is looked at. */
function isCallValue(value: unknown, canCall: CanCall): boolean {
  const one = Array.isArray(value) ? value[0] : value;
  if (!isObject(one)) return false;
  const call = isObject(one.function) ? one.function : isObject(one.tool_call) ? one.tool_call : one;
  const name = call.name ?? call.tool_name ?? call.tool ?? call.function ?? call.action;
  const input = call.arguments ?? call.parameters ?? call.input ?? call.args ?? call.action_input;
  if (typeof name !== 'string') return false;
  // An object with a name and nothing else may be anything.
  return input !== undefined && canCall(name, typeof input === 'string' ? (json(input) ?? input) : input);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function json(text: string): unknown {
  const trimmed = text.trim();
  if (!/^[{[]/.test(trimmed)) return undefined;
  try {
    return JSON.parse(trimmed);
  } catch {
    return undefined;
  }
}
