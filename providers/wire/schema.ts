/** Adapts JSON Schemas to what vendors accept, telling what was lost. */
import type { IRTool, IRWarning, JsonSchema } from '../ir.ts';

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Follows `#/…` at the top of a schema; undefined when it leads nowhere. */
export function resolved(root: JsonSchema): JsonSchema | undefined {
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
