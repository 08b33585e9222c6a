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
    get: () => (parameters ??= leanSchema(definition.input)),
  });
}

/** The parts of zod's definitions (`_zod.def`) that tool inputs use. */
interface Definitions {
  type: string;
  format?: string;
  shape?: Record<string, z.ZodMiniType>;
  element?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  entries?: Record<string, string>;
}

/**
 * JSON Schema of a tool's input. Not zod's own `toJSONSchema`: that costs 8 ms at the start of every run, and writes
 * dialects, closed objects and bounds that cost bytes and tell a model nothing.
 */
function leanSchema(schema: z.ZodMiniType): JsonSchema {
  const definition = schema._zod.def as unknown as Definitions;
  const description = z.globalRegistry.get(schema)?.description;
  return { ...shapeOf(definition), ...(description === undefined ? {} : { description }) };
}

function shapeOf({ type, format, shape, element, innerType, entries }: Definitions): JsonSchema {
  switch (type) {
    case 'optional':
      return leanSchema(innerType!);
    case 'string':
    case 'boolean':
      return { type };
    case 'number':
      return { type: format === 'safeint' ? 'integer' : 'number' };
    case 'enum':
      return { enum: Object.values(entries!) };
    case 'array':
      return { type, items: leanSchema(element!) };
    case 'record':
      return { type: 'object' };
    case 'object': {
      const fields = Object.entries(shape!);
      const required = fields.filter(([, field]) => field._zod.def.type !== 'optional').map(([name]) => name);
      const properties = Object.fromEntries(fields.map(([name, field]) => [name, leanSchema(field)]));
      return { type, properties, ...(required.length > 0 ? { required } : {}) };
    }
    default:
      throw new Error(`defineTool: no JSON Schema is written for ${type}`);
  }
}
