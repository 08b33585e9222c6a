/** From parsed JSON to calls, in all the shapes that models were taught. */
import { isObject, type RawCall } from './family.ts';
import { readJson } from './read-json.ts';

const NAMES = ['name', 'tool_name', 'tool', 'function_name', 'function', 'action'];
const ARGUMENTS = [
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'tool_input',
  'action_input',
  'tool_args',
  'kwargs',
];
const LISTS = ['tool_calls', 'function_calls'];
/** What may stand beside name and arguments in a call without any markup. */
const BESIDE = ['id', 'type', 'index', 'tool_call_id', 'call_id', 'thought', 'content'];

/** Keys with which a call in bare JSON may begin. */
export const FIRST_KEYS: readonly string[] = [
  ...NAMES,
  ...ARGUMENTS,
  ...LISTS,
  ...BESIDE,
  'tool_call',
  'function_call',
];
/** Of these, the keys whose text is the tool's name. */
export const NAME_KEYS: readonly string[] = NAMES;

/**
 * The calls that `value` stands for; undefined when it is something else. `bare`: no markup says that it is a call, so
 * it must have arguments and nothing that a call does not have.
 */
export function jsonCalls(value: unknown, bare = false): RawCall[] | undefined {
  if (Array.isArray(value)) {
    if (!value.length) return undefined;
    const calls = value.map((one) => jsonCalls(one, bare));
    return calls.every((one) => one !== undefined) ? calls.flat() : undefined;
  }
  if (!isObject(value)) return undefined;
  for (const key of LISTS) {
    if (!Array.isArray(value[key])) continue;
    return bare && !onlyHas(value, [key, ...BESIDE]) ? undefined : jsonCalls(value[key], bare);
  }
  for (const key of ['function', 'tool_call', 'function_call']) {
    if (!isObject(value[key])) continue;
    return bare && !onlyHas(value, [key, ...BESIDE]) ? undefined : jsonCalls(value[key], bare);
  }
  const nameKey = NAMES.find((key) => typeof value[key] === 'string' && value[key] !== '');
  if (nameKey === undefined) return undefined;
  const argumentsKey = ARGUMENTS.find((key) => Object.hasOwn(value, key));
  if (bare) {
    if (argumentsKey === undefined || !onlyHas(value, [nameKey, argumentsKey, ...BESIDE])) return undefined;
    if (value.content !== undefined && value.content !== null && value.content !== '') return undefined;
  }
  const given = argumentsKey === undefined ? {} : value[argumentsKey];
  return [callOf(value[nameKey] as string, given)];
}

const onlyHas = (value: Record<string, unknown>, keys: readonly string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key));

/** A call of `name`; arguments that are JSON in a string are unpacked. */
export function callOf(name: string, given: unknown): RawCall {
  let input: unknown = given ?? {};
  const raw = typeof given === 'string' ? given : JSON.stringify(input);
  if (typeof input === 'string') {
    if (input.trim() === '') input = {};
    else {
      const reading = readJson(input);
      if (typeof reading === 'object' && input.slice(reading.end).trim() === '') input = reading.value;
    }
  }
  const plain = plainName(name);
  return isObject(input)
    ? { name: plain, arguments: input, raw }
    : { name: plain, raw, problem: 'they are no JSON object' };
}

/** Without the prefix that some models put before every tool, and without Kimi's counter. */
export const plainName = (name: string): string =>
  name
    .trim()
    .replace(/^functions?[.:/]/, '')
    .replace(/:\d+$/, '');

/** The name that broken JSON gives, for the correction. */
export const nameIn = (text: string): string =>
  plainName(
    /["'](?:tool_name|function_name|name|tool|function)["']\s*:\s*["']([^"'\n]{1,80})["']/.exec(text)?.[1] ?? '',
  );

/** A call that can be recognised but not read. */
export const brokenCall = (raw: string, problem: string, name = nameIn(raw)): RawCall => ({
  name,
  raw: raw.trim(),
  problem,
});

export const CUT = 'they end in the middle';
export const BROKEN = 'they are not valid JSON';

/** Arguments with or without a fence around them. */
export function argumentsOf(text: string, name: string): RawCall {
  const body = text.replace(/^\s*```(?:json)?\s*/, '');
  const reading = readJson(body);
  if (reading === 'open') return brokenCall(text, CUT, name);
  if (reading === 'broken' || body.slice(reading.end).replace(/```/, '').trim() !== '')
    return brokenCall(text, BROKEN, name);
  return callOf(name, reading.value);
}
