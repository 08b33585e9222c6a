/** Adapts JSON Schemas to what vendors accept, telling what was lost. */
import type { IRTool, IRWarning, JsonSchema } from '../ir.ts';

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Follows `#/…` at the top of a schema; undefined when it leads nowhere. */
function resolved(root: JsonSchema): JsonSchema | undefined {
  let schema: unknown = root;
  for (let hops = 0; hops < 8 && isSchema(schema) && typeof schema.$ref === 'string'; hops++) {
    if (!schema.$ref.startsWith('#/')) return undefined;
    let target: unknown = root;
    for (const step of schema.$ref.slice(2).split('/'))
      target = isSchema(target) ? target[step.replace(/~1/g, '/').replace(/~0/g, '~')] : undefined;
    const { $ref: _, ...own } = schema;
    schema = isSchema(target) ? { ...target, ...own } : undefined;
  }
  return isSchema(schema) ? schema : undefined;
}

/**
 * The parameters of a tool as an object schema, which every vendor demands at the top level. Alternatives there
 * (`anyOf`, `oneOf`, `allOf`) are merged: all their properties, required only what all of them require (`allOf`: any).
 */
export function toolParameters(tool: IRTool, warnings: IRWarning[]): JsonSchema {
  const given = tool.parameters ?? {};
  if (
    given.type === 'object' &&
    isSchema(given.properties) &&
    !given.anyOf &&
    !given.oneOf &&
    !given.allOf &&
    !given.$ref
  )
    return given;
  const field = `tools.${tool.name}.parameters`;
  const found = resolved(given);
  if (!found) warnings.push({ kind: 'dropped', field, message: `the reference ${String(given.$ref)} leads nowhere` });
  const schema: JsonSchema = { ...found };
  const properties: Record<string, unknown> = isSchema(schema.properties) ? { ...schema.properties } : {};
  const required = new Set<string>(Array.isArray(schema.required) ? (schema.required as string[]) : []);
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    delete schema[keyword];
    warnings.push({ kind: 'approximated', field, message: `${keyword} at the top level is merged into one object` });
    const objects = branches.map((branch) =>
      isSchema(branch) ? (resolved({ ...branch, $defs: given.$defs }) ?? {}) : {},
    );
    for (const branch of objects) if (isSchema(branch.properties)) Object.assign(properties, branch.properties);
    const demands = objects.map((branch) => (Array.isArray(branch.required) ? (branch.required as string[]) : []));
    const shared = demands.flat().filter((name) => keyword === 'allOf' || demands.every((list) => list.includes(name)));
    for (const name of shared) required.add(name);
  }
  schema.type = 'object';
  schema.properties = properties;
  if (required.size) schema.required = [...required];
  else delete schema.required;
  return schema;
}

/** Keywords that OpenAI's strict mode refuses. */
const NOT_STRICT = [
  'default',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'patternProperties',
  'unevaluatedProperties',
];

/**
 * A schema in the form of OpenAI's strict mode: every object closed, every property required; what was optional may
 * be null instead. Source: OpenAI, "Structured outputs", supported schemas.
 */
export function strictSchema(schema: JsonSchema, field: string, warnings: IRWarning[]): JsonSchema {
  const visit = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item, i) => visit(item, `${path}[${i}]`));
    if (!isSchema(value)) return value;
    const out: JsonSchema = {};
    for (const [key, item] of Object.entries(value)) {
      if (NOT_STRICT.includes(key)) {
        warnings.push({ kind: 'dropped', field: path, message: `${key} is not part of a strict schema` });
      } else if (key === 'properties' || key === '$defs' || key === 'definitions') {
        const inner = isSchema(item) ? Object.entries(item) : [];
        out[key] = Object.fromEntries(inner.map(([name, child]) => [name, visit(child, `${path}.${name}`)]));
      } else if (key === 'enum' || key === 'const' || key === 'required') out[key] = item;
      else if (key === 'oneOf') out.anyOf = visit(item, path);
      else out[key] = visit(item, path);
    }
    if (!isSchema(out.properties) && out.type !== 'object') return out;
    const properties = isSchema(out.properties) ? out.properties : {};
    const required = new Set(Array.isArray(out.required) ? (out.required as string[]) : []);
    for (const [name, child] of Object.entries(properties))
      if (!required.has(name)) properties[name] = nullable(child as JsonSchema);
    if (isSchema(value.additionalProperties) || value.additionalProperties === true)
      warnings.push({ kind: 'approximated', field: path, message: 'further properties are not allowed' });
    return { ...out, properties, required: Object.keys(properties), additionalProperties: false };
  };
  return visit(schema, field) as JsonSchema;
}

function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string' && !schema.enum) return { ...schema, type: [schema.type, 'null'] };
  if (Array.isArray(schema.type) && !schema.enum)
    return schema.type.includes('null') ? schema : { ...schema, type: [...schema.type, 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}
