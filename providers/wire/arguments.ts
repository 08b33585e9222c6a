/** Reads the arguments of a tool call as a model wrote them. */

export interface ParsedArguments {
  input: Record<string, unknown>;
  /** Why the text is no JSON object; `input` then means nothing. */
  invalid?: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Empty text and `null` are a call without arguments; an object encoded twice is decoded twice. Nothing else is
 * repaired: arguments that were cut short must never run. `cut` says that the message ended at its length limit.
 */
export function parseArguments(raw: string, cut = false): ParsedArguments {
  const text = raw.trim();
  if (text === '') return cut ? { input: {}, invalid: 'the message was cut off before the arguments' } : { input: {} };
  try {
    let value: unknown = JSON.parse(text);
    if (typeof value === 'string' && value.trimStart().startsWith('{')) value = JSON.parse(value);
    if (value === null) return { input: {} };
    if (isRecord(value)) return { input: value };
    return {
      input: {},
      invalid: `the arguments are ${Array.isArray(value) ? 'an array' : `a ${typeof value}`}, not a JSON object`,
    };
  } catch (error) {
    const why = cut ? 'the message was cut off within the arguments' : 'the arguments are not valid JSON';
    return { input: {}, invalid: `${why} (${(error as Error).message})` };
  }
}

/** What stands in a request for the arguments of a call in the history: always a JSON object. */
export const sentArguments = (call: { input: Record<string, unknown>; raw?: string; invalid?: string }) =>
  // Servers that parse the arguments fail the whole request over broken text.
  call.invalid === undefined ? call.input : { invalid_arguments: call.raw ?? '' };
