/** Repairs arguments whose type is wrong but whose meaning is certain, and says what is wrong with the others. */
import type { JsonSchema } from '../../../providers/ir.ts';
import type { InputIssue } from '../../types.ts';
import { isObject } from './aliases.ts';

/** `value` with numbers and lists that came as strings turned into what `schema` wants, at every depth. */
export function coerce(value: unknown, schema: JsonSchema): unknown {
  const wanted = schema.type;
  if (typeof value === 'string') {
    const text = value.trim();
    if (wanted === 'number' || wanted === 'integer') return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : value;
    if (wanted === 'boolean') return /^(?:true|yes)$/i.test(text) ? true : /^(?:false|no)$/i.test(text) ? false : value;
    if ((wanted === 'array' && text.startsWith('[')) || (wanted === 'object' && text.startsWith('{'))) {
      const parsed = parse(text);
      return parsed === undefined ? value : coerce(parsed, schema);
    }
    if (Array.isArray(schema.enum) && !schema.enum.includes(value)) {
      return (
        schema.enum.find((option) => typeof option === 'string' && option.toLowerCase() === text.toLowerCase()) ?? value
      );
    }
    return value;
  }
  if (wanted === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (wanted === 'integer' && typeof value === 'number' && !Number.isInteger(value)) return Math.floor(value);
  if (wanted === 'array') {
    const items = isObject(schema.items) ? schema.items : {};
    if (isObject(value) && items.type === 'object') return [coerce(value, items)];
    return Array.isArray(value) ? value.map((item) => coerce(item, items)) : value;
  }
  if (isObject(value) && isObject(schema.properties)) {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const entries = Object.entries(value).flatMap(([key, inner]) => {
      const property = (schema.properties as Record<string, JsonSchema>)[key];
      // Some models write null for every argument that they leave out.
      if (inner === null && property && !required.includes(key)) return [];
      return [[key, property ? coerce(inner, property) : inner] as const];
    });
    return Object.fromEntries(entries);
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One sentence that names the first wrong argument and what is wanted, for example `` `path` is missing (a string) ``. */
export function explainIssue(issues: readonly InputIssue[], input: unknown, schema: JsonSchema): string {
  const path = issues[0]?.path ?? [];
  const name = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : String(part)))
    .join('.')
    .replaceAll('.[', '[');
  let want: JsonSchema = schema;
  let got: unknown = input;
  for (const part of path) {
    const next =
      typeof part === 'number' ? want.items : (want.properties as Record<string, unknown> | undefined)?.[String(part)];
    want = isObject(next) ? next : {};
    got = isObject(got) || Array.isArray(got) ? (got as Record<PropertyKey, unknown>)[part] : undefined;
  }
  const wanted = Array.isArray(want.enum)
    ? `one of ${want.enum.join(', ')}`
    : want.type
      ? `${/^[aeio]/.test(String(want.type)) ? 'an' : 'a'} ${want.type}`
      : (issues[0]?.message ?? 'another value');
  if (name === '') return `The input must be ${wanted}.`;
  if (got === undefined) return `\`${name}\` is missing: ${wanted} is wanted.`;
  return `\`${name}\` must be ${wanted}, not ${JSON.stringify(got)?.slice(0, 60)}.`;
}
