/**
 * Whether arguments fit a tool's JSON Schema: the keywords that tools use. Unknown keywords are passed over, so that a
 * schema that says more than is understood here never refuses a call.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../ir.ts';
import { isObject } from './family.ts';

/** Why `value` does not fit, in a few words; undefined when it does. */
export function schemaProblem(value: unknown, schema: unknown, root = schema, path = ''): string | undefined {
  if (schema === false) return `${path || 'the value'} is not allowed`;
  if (!isObject(schema)) return undefined;
  const at = path || 'the arguments';
  const target = resolve(schema, root);
  if (target !== schema) return schemaProblem(value, target, root, path);
  const types = typesOf(schema);
  if (types.length && !types.some((type) => hasType(value, type))) return `${at} must be ${types.join(' or ')}`;
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => isDeepStrictEqual(one, value)))
    return `${at} must be one of ${JSON.stringify(schema.enum)}`;
  if ('const' in schema && !isDeepStrictEqual(schema.const, value))
    return `${at} must be ${JSON.stringify(schema.const)}`;
  for (const key of ['anyOf', 'oneOf'] as const) {
    const branches = schema[key];
    if (!Array.isArray(branches) || !branches.length) continue;
    const problems = branches.map((one) => schemaProblem(value, one, root, path));
    if (problems.every((one) => one !== undefined)) return problems[0];
  }
  if (Array.isArray(schema.allOf)) {
    for (const one of schema.allOf) {
      const problem = schemaProblem(value, one, root, path);
      if (problem) return problem;
    }
  }
  if (typeof value === 'number') {
    if (typeof schema.minimum === 'number' && value < schema.minimum) return `${at} must be at least ${schema.minimum}`;
    if (typeof schema.maximum === 'number' && value > schema.maximum) return `${at} must be at most ${schema.maximum}`;
  }
  if (typeof value === 'string') {
    if (typeof schema.minLength === 'number' && value.length < schema.minLength) return `${at} is too short`;
    if (typeof schema.maxLength === 'number' && [...value].length > schema.maxLength) return `${at} is too long`;
  }
  if (Array.isArray(value)) return listProblem(value, schema, root, path);
  return isObject(value) ? objectProblem(value, schema, root, path) : undefined;
}

function listProblem(value: unknown[], schema: JsonSchema, root: unknown, path: string): string | undefined {
  if (typeof schema.minItems === 'number' && value.length < schema.minItems)
    return `${path || 'the list'} has too few items`;
  if (typeof schema.maxItems === 'number' && value.length > schema.maxItems)
    return `${path || 'the list'} has too many items`;
  for (const [i, item] of value.entries()) {
    const problem = schemaProblem(item, schema.items, root, `${path}[${i}]`);
    if (problem) return problem;
  }
  return undefined;
}

function objectProblem(
  value: Record<string, unknown>,
  schema: JsonSchema,
  root: unknown,
  path: string,
): string | undefined {
  const join = (key: string): string => (path ? `${path}.${key}` : key);
  const properties = isObject(schema.properties) ? schema.properties : {};
  if (Array.isArray(schema.required)) {
    const missing = schema.required.find((key) => typeof key === 'string' && !Object.hasOwn(value, key));
    if (missing !== undefined) return `${join(missing)} is missing`;
  }
  for (const [key, one] of Object.entries(value)) {
    if (Object.hasOwn(properties, key)) {
      const problem = schemaProblem(one, properties[key], root, join(key));
      if (problem) return problem;
    } else if (schema.additionalProperties === false && !isObject(schema.patternProperties)) {
      return `${join(key)} is not known`;
    } else if (isObject(schema.additionalProperties)) {
      const problem = schemaProblem(one, schema.additionalProperties, root, join(key));
      if (problem) return problem;
    }
  }
  return undefined;
}

/** What a local `$ref` points at; the schema itself without one. */
function resolve(schema: JsonSchema, root: unknown): unknown {
  let target: unknown = schema;
  for (let hops = 0; isObject(target) && typeof target.$ref === 'string' && hops < 20; hops++) {
    if (!target.$ref.startsWith('#/')) return {};
    let at: unknown = root;
    for (const step of target.$ref.slice(2).split('/')) {
      at = isObject(at) ? at[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
    }
    target = at ?? {};
  }
  return isObject(target) && typeof target.$ref === 'string' ? {} : target;
}

const typesOf = ({ type }: JsonSchema): string[] =>
  typeof type === 'string' ? [type] : Array.isArray(type) ? type.filter((one) => typeof one === 'string') : [];

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    default:
      return true;
  }
}

/** Every type that a schema admits, also through `anyOf` and `$ref`; empty when it says nothing. */
export function admittedTypes(schema: unknown, root: unknown): readonly string[] {
  if (!isObject(schema)) return [];
  const target = resolve(schema, root);
  if (!isObject(target)) return [];
  const types = typesOf(target);
  if (types.length) return types;
  const branches = [target.anyOf, target.oneOf].find(Array.isArray) ?? [];
  return [...new Set(branches.flatMap((one: unknown) => admittedTypes(one, root)))];
}
