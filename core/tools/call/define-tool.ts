/** Makes a Tool from its parts: the schema that the model sees comes from the one that checks the input. */
import * as z from 'zod/mini';
import type { JsonSchema } from '../../../providers/ir.ts';
import type { Tool } from '../../types.ts';

type Definition<S extends z.ZodMiniType> = Omit<Tool<z.output<S>>, 'parameters' | 'input'> & { input: S };

/** `parameters` is made when it is first asked for. */
export function defineTool<S extends z.ZodMiniType>(definition: Definition<S>): Tool<z.output<S>> {
  let parameters: JsonSchema | undefined;
  return Object.defineProperty({ ...definition } as unknown as Tool<z.output<S>>, 'parameters', {
    enumerable: true,
    get: () => (parameters ??= leanSchema(z.toJSONSchema(definition.input, { io: 'input' }) as JsonSchema)),
  });
}

/** Without what costs bytes and tells a model nothing: dialect, closed objects, the bounds of safe integers. */
function leanSchema(schema: JsonSchema): JsonSchema {
  const lean: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$schema' || key === 'additionalProperties' || key === 'propertyNames') continue;
    if (typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER) continue;
    // zod writes the type beside an enum, which says it already.
    if (key === 'type' && Array.isArray(schema.enum)) continue;
    if (key === 'properties') {
      const entries = Object.entries(value as Record<string, JsonSchema>);
      lean[key] = Object.fromEntries(entries.map(([name, inner]) => [name, leanSchema(inner)]));
    } else if (key === 'items') lean[key] = leanSchema(value as JsonSchema);
    else lean[key] = value;
  }
  return lean;
}
