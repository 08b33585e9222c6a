/** Fits JSON Schemas of answers to what vendors enforce, telling what was lost. */
import type { DriftKind, IRWarning, JsonSchema } from '../ir.ts';
import { isSchema, resolved } from './schema.ts';

/** What a vendor's structured output understands. */
interface Dialect {
  vendor: string;
  keywords: ReadonlySet<string>;
  formats: ReadonlySet<string>;
  /** True: every property is required; what was optional may be null instead. */
  requiresAll: boolean;
  /** A schema that says no type is refused. */
  typed: boolean;
  fits?(keyword: string, value: unknown): boolean;
}

const COMMON = ['type', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'enum', 'const', '$ref'];
const MORE = ['$defs', 'definitions', 'title', 'description', 'format'];
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
/** They constrain nothing. */
const NOTES = ['$schema', '$id', 'id', '$comment'];
const NUMBERS = ['multipleOf', 'maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'];

/** Source: OpenAI, "Structured outputs", supported schemas. */
const STRICT: Dialect = {
  vendor: 'a strict schema',
  keywords: new Set([...COMMON, ...MORE, ...NUMBERS, 'pattern', 'minItems', 'maxItems']),
  formats: new Set(FORMATS),
  requiresAll: true,
  typed: true,
};

/** Source: Anthropic, "Structured outputs", JSON Schema limitations. */
const ANTHROPIC: Dialect = {
  vendor: 'the schemas of this format',
  keywords: new Set([...COMMON, ...MORE, 'default', 'pattern', 'minItems']),
  formats: new Set([...FORMATS, 'uri']),
  requiresAll: false,
  typed: false,
  fits: (keyword, value) => keyword !== 'minItems' || value === 0 || value === 1,
};

/** Why a schema has no form that the vendor enforces. */
class Unfit extends Error {}

interface Fitting {
  dialect: Dialect;
  root: JsonSchema;
  warn(kind: DriftKind, path: string, message: string): void;
}

/**
 * A schema in the form of OpenAI's strict mode: every object closed, every property required; what was optional may
 * be null instead. Undefined, with a warning, when it has no such form: no object at the top, or a place for any value.
 */
export function strictSchema(schema: JsonSchema, field: string, warnings: IRWarning[]): JsonSchema | undefined {
  const own: IRWarning[] = [];
  try {
    const fitting = fittingOf(schema, STRICT, own);
    const top = merged(resolved(schema) ?? schema, field, fitting);
    if (top.type !== 'object' && !(top.type === undefined && isSchema(top.properties)))
      throw new Unfit('there is no object at its top');
    if (top.anyOf || top.oneOf) throw new Unfit('there are alternatives at its top');
    const fitted = visit(top, field, fitting) as JsonSchema;
    warnings.push(...own);
    return fitted;
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    warnings.push({ kind: 'downgraded', field, message: `the schema is sent without strict: ${error.message}` });
    return undefined;
  }
}

/** A schema as Anthropic's `output_config.format` accepts it: objects closed, unknown keywords left out. */
export const anthropicSchema = (schema: JsonSchema, field: string, warnings: IRWarning[]): JsonSchema =>
  visit(schema, field, fittingOf(schema, ANTHROPIC, warnings)) as JsonSchema;

const fittingOf = (root: JsonSchema, dialect: Dialect, warnings: IRWarning[]): Fitting => ({
  dialect,
  root,
  warn: (kind, field, message) => warnings.push({ kind, field, message }),
});

function visit(value: unknown, path: string, fitting: Fitting): unknown {
  const { dialect, warn } = fitting;
  if (!isSchema(value)) {
    if (dialect.typed) throw new Unfit(`${path} allows any value`);
    return value;
  }
  const schema = merged(value, path, fitting);
  if (typeof schema.$ref === 'string') {
    const { $ref, $defs, definitions, ...beside } = schema;
    for (const key of Object.keys(beside))
      if (!NOTES.includes(key)) warn('dropped', path, `${key} may not stand beside a reference`);
    return { $ref, ...inner({ $defs, definitions }, path, fitting) };
  }
  const out: JsonSchema = {};
  for (const [key, item] of Object.entries(schema)) {
    const name = key === 'oneOf' ? 'anyOf' : key;
    if (key === 'oneOf') warn('approximated', path, 'oneOf is sent as anyOf');
    if (NOTES.includes(key)) continue;
    if (!dialect.keywords.has(name) || dialect.fits?.(key, item) === false)
      warn('dropped', path, `${key} is not part of ${dialect.vendor}`);
    else if (key === 'format' && !dialect.formats.has(String(item)))
      warn('dropped', path, `the format “${item}” is not part of ${dialect.vendor}`);
    else if (name === 'anyOf' && Array.isArray(item))
      out.anyOf = [
        ...((out.anyOf as unknown[]) ?? []),
        ...item.map((one, i) => visit(one, `${path}.${key}[${i}]`, fitting)),
      ];
    else if (key === 'items' && Array.isArray(item)) {
      warn('approximated', path, 'every item may be any of the listed ones');
      out.items = { anyOf: item.map((one, i) => visit(one, `${path}.items[${i}]`, fitting)) };
    } else if (key === 'items') out.items = visit(item, `${path}.items`, fitting);
    else if (!(key in MAPS)) out[key] = item;
  }
  Object.assign(out, inner(schema, path, fitting));
  type(out, path, dialect);
  return isObject(out) ? closed(out, schema, path, fitting) : out;
}

const MAPS: Readonly<Record<string, true>> = { properties: true, $defs: true, definitions: true };

/** The maps of schemas within a schema. */
function inner(schema: JsonSchema, path: string, fitting: Fitting): JsonSchema {
  const out: JsonSchema = {};
  for (const key of Object.keys(MAPS)) {
    const map = schema[key];
    if (!isSchema(map)) continue;
    const at = key === 'properties' ? path : `${path}.${key}`;
    out[key] = Object.fromEntries(
      Object.entries(map).map(([name, one]) => [name, visit(one, `${at}.${name}`, fitting)]),
    );
  }
  return out;
}

/** `allOf` has no form of its own: its branches become one schema where they do not contradict one another. */
function merged(schema: JsonSchema, path: string, { dialect, root, warn }: Fitting): JsonSchema {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...own } = schema;
  const out: JsonSchema = { ...own };
  for (const branch of allOf as unknown[]) {
    const found = isSchema(branch)
      ? resolved(
          typeof branch.$ref === 'string' ? { ...branch, $defs: root.$defs, definitions: root.definitions } : branch,
        )
      : undefined;
    for (const [key, value] of Object.entries(found ?? {})) {
      if (MAPS[key] && key !== 'properties') continue;
      const before = out[key];
      if (before === undefined) out[key] = value;
      else if (key === 'properties' && isSchema(before) && isSchema(value)) out[key] = { ...before, ...value };
      else if (key === 'required' && Array.isArray(before) && Array.isArray(value))
        out[key] = [...new Set([...before, ...value])];
      else if (JSON.stringify(before) !== JSON.stringify(value) && key !== 'description' && key !== 'title')
        warn('dropped', path, `${key} of a branch of allOf is not part of ${dialect.vendor}`);
    }
  }
  warn('approximated', path, 'allOf is merged into one schema');
  return Array.isArray(out.allOf) ? merged(out, path, { dialect, root, warn }) : out;
}

const isObject = ({ type, properties }: JsonSchema): boolean =>
  isSchema(properties) || type === 'object' || (Array.isArray(type) && type.includes('object'));

/** Says the type that a schema implies. */
function type(out: JsonSchema, path: string, { typed }: Dialect): void {
  if (out.type === undefined && !out.anyOf) {
    if (isSchema(out.properties)) out.type = 'object';
    else if (out.items !== undefined) out.type = 'array';
    else if (Array.isArray(out.enum) && out.enum.length) {
      const types = [...new Set(out.enum.map(typeName))];
      out.type = types.length === 1 ? types[0] : types;
    } else if ('const' in out) out.type = typeName(out.const);
    else if (typed) throw new Unfit(`${path} says no type`);
  }
  const types = Array.isArray(out.type) ? out.type : [out.type];
  if (typed && types.includes('array') && out.items === undefined) throw new Unfit(`the items of ${path} say no type`);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

function closed(out: JsonSchema, given: JsonSchema, path: string, { dialect, warn }: Fitting): JsonSchema {
  const properties: JsonSchema = isSchema(out.properties) ? out.properties : {};
  // Closed, a map would always be empty.
  if (dialect.requiresAll && isSchema(given.additionalProperties) && Object.keys(properties).length === 0)
    throw new Unfit(`${path} takes any names`);
  if (given.additionalProperties !== false) warn('approximated', path, 'further properties are not allowed');
  if (!dialect.requiresAll) return { ...out, additionalProperties: false };
  const required = Array.isArray(out.required) ? (out.required as string[]) : [];
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  for (const name of optional) properties[name] = nullable(properties[name] as JsonSchema);
  if (optional.length)
    warn('approximated', path, `optional properties are required and may be null: ${optional.join(', ')}`);
  return { ...out, properties, required: Object.keys(properties), additionalProperties: false };
}

function nullable(schema: JsonSchema): JsonSchema {
  const plain = !schema.enum && !('const' in schema);
  if (typeof schema.type === 'string' && plain)
    return schema.type === 'null' ? schema : { ...schema, type: [schema.type, 'null'] };
  if (Array.isArray(schema.type) && plain)
    return schema.type.includes('null') ? schema : { ...schema, type: [...schema.type, 'null'] };
  const { anyOf } = schema;
  if (Array.isArray(anyOf) && Object.keys(schema).length === 1)
    return anyOf.some((one) => one?.type === 'null') ? schema : { anyOf: [...anyOf, { type: 'null' }] };
  return { anyOf: [schema, { type: 'null' }] };
}

/** The name of a response format as vendors accept it: letters, digits, `_` and `-`, 64 at most. */
export function formatName(name: string, warnings: IRWarning[]): string {
  const fitted = name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64) || 'answer';
  if (fitted !== name)
    warnings.push({ kind: 'renamed', field: 'responseFormat.name', message: `“${name}” is sent as “${fitted}”` });
  return fitted;
}
