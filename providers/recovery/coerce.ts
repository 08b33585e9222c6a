/** Text that stands for a value becomes that value, as the tool's schema wants it. */
import type { JsonSchema } from '../ir.ts';
import { isObject } from './family.ts';
import { readJson } from './read-json.ts';
import { admittedTypes } from './schema-check.ts';

type Input = Record<string, unknown>;

/** Arguments of a family that prints every value as text. Without a schema, what reads as a JSON value is one. */
export function coerceArguments(input: Input, schema: JsonSchema | undefined): Input {
  const properties = isObject(schema?.properties) ? schema.properties : {};
  const result: Input = {};
  for (const [key, value] of Object.entries(input)) {
    const wanted = Object.hasOwn(properties, key) ? properties[key] : undefined;
    result[key] = typeof value === 'string' ? coerceText(value, wanted, schema) : value;
  }
  return result;
}

/** The certain corrections of typed arguments: a number for text and text for a number, where only that fits. */
export function nearestArguments(input: Input, schema: JsonSchema | undefined): Input {
  const properties = isObject(schema?.properties) ? schema.properties : {};
  const result: Input = {};
  for (const [key, value] of Object.entries(input)) {
    const wanted = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const types = admittedTypes(wanted, schema);
    if (typeof value === 'string' && types.length && !types.includes('string'))
      result[key] = coerceText(value, wanted, schema);
    else if (typeof value === 'number' && types.length && types.every((type) => type === 'string'))
      result[key] = String(value);
    else result[key] = value;
  }
  return result;
}

function coerceText(text: string, wanted: unknown, root: unknown): unknown {
  const types = admittedTypes(wanted, root);
  const word = text.trim();
  if (!types.length) {
    const allowed = isObject(wanted) && Array.isArray(wanted.enum) ? wanted.enum : undefined;
    if (allowed) return allowed.includes(text) ? text : (allowed.find((one) => String(one) === word) ?? text);
    return plausible(word) ?? text;
  }
  if (types.includes('null') && /^(?:null|None)$/.test(word)) return null;
  if (types.includes('integer') && /^-?\d+$/.test(word) && Number.isSafeInteger(Number(word))) return Number(word);
  if (types.includes('number') && /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(word)) return Number(word);
  if (types.includes('boolean') && /^(?:true|false)$/i.test(word)) return word.toLowerCase() === 'true';
  if ((types.includes('object') && word.startsWith('{')) || (types.includes('array') && word.startsWith('['))) {
    const reading = readJson(word);
    if (typeof reading === 'object' && reading.end === word.length) return reading.value;
  }
  return text;
}

/** A number, a word of JSON, an object or a list; never what is merely quoted. */
function plausible(word: string): unknown {
  if (!/^(?:[{[]|-?\d|true$|false$|null$|True$|False$|None$)/.test(word)) return undefined;
  // Leading zeros and long digits are names of things.
  if (/^-?(?:0\d|\d{16,})/.test(word)) return undefined;
  const reading = readJson(word);
  return typeof reading === 'object' && reading.end === word.length ? reading.value : undefined;
}
