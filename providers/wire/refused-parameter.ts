/** Which optional parameter a provider refuses, by its own words. */
import type { OptionalParameter } from '../errors.ts';

/** Names in the formats, by the field of the IR that they come from. */
const NAMES: Readonly<Record<OptionalParameter, string>> = {
  'parameters.effort':
    'reasoning_?effort|reasoning\\.effort|output_config(?:\\.effort)?|enable_thinking|think(?:ing)?(?:\\.[a-z_.]+)?|effort',
  'parameters.temperature': 'temperature',
  'parameters.topP': 'top_?p',
  'parameters.topK': 'top_?k',
  'parameters.seed': 'seed',
  'parameters.frequencyPenalty': 'frequency_?penalty',
  'parameters.presencePenalty': 'presence_?penalty',
  parallelToolCalls: '(?:disable_)?parallel_tool_(?:calls|use)',
  cache: 'cache_control',
};
const FIELDS = Object.keys(NAMES) as OptionalParameter[];

const NOT = '(?:not|no longer) (?:be )?(?:supported|permitted|allowed|available|accepted)|unsupported|deprecated';
/** What says so wherever the name is told apart from the words. */
const REFUSES = new RegExp(`does(?: not|n't) (?:support|accept)|${NOT}|\\bun(?:supported|known|recognized)_`, 'i');

/** The name beside what says that it is refused; a value out of bounds is no refusal of the parameter. */
const wordings = (name: string): RegExp => {
  const own = `['"\`]?\\b(?:${name})\\b['"\`]?`;
  return new RegExp(
    [
      `(?:support|accept)s? (?:the )?(?:parameters? |arguments? )?${own}`,
      `${own}:? (?:parameter |argument |field |value )?(?:["“'][^"”']*["”'] )?(?:is|are|extra inputs are)? ?(?:${NOT})`,
      `(?:unsupported|unknown|unexpected|unrecognized)[a-z ]*(?:parameter|value|argument|field|property|supplied)s?:? ${own}`,
      `not supported [a-z ]+: ${own}`,
      `invalid ${own} value`,
    ].join('|'),
    'i',
  );
};

/**
 * The field of the IR that a refusal is about; undefined when it is about anything else. `param`: the name as the
 * provider gives it beside its words.
 */
export function refusedParameter(
  words: string,
  code: string,
  param: string | undefined,
): OptionalParameter | undefined {
  if (param !== undefined) {
    const name = param.slice(param.lastIndexOf('/') + 1);
    return REFUSES.test(`${code} ${words}`)
      ? FIELDS.find((field) => new RegExp(`^(?:${NAMES[field]})$`, 'i').test(name))
      : undefined;
  }
  // Words about a message of the conversation are not about the request's own parameters.
  if (/\bmessages?[.[]/.test(words)) return undefined;
  return FIELDS.find((field) => wordings(NAMES[field]).test(words));
}
