/**
 * What a small model is told of the tools: every byte is read anew after each load, and a short list is chosen from
 * better. The tools take all that they always take; only fewer ways to call them are named.
 */
import type { JsonSchema } from '../../providers/ir.ts';
import type { Tool, ToolSchema } from '../types.ts';

/** Types: s string, i integer, o object, t todos; `?` may be left out. */
const COMPACT: Readonly<Record<string, { description: string; fields: string }>> = {
  read_file: { description: 'Read a file; lines are numbered.', fields: 'path:s offset:i? limit:i?' },
  write_file: { description: 'Create or replace a file.', fields: 'path:s content:s' },
  edit_file: { description: 'Replace `old`, exact text that occurs once, by `new`.', fields: 'path:s old:s new:s' },
  bash: { description: 'Run a shell command.', fields: 'command:s timeout:i?' },
  ls: { description: 'List a directory.', fields: 'path:s?' },
  glob: { description: 'Find files by name.', fields: 'pattern:s' },
  grep: { description: 'Search files by regex.', fields: 'pattern:s path:s?' },
  update_todos: { description: 'Replace the todo list.', fields: 'items:t' },
  use_tool: { description: 'Call a further tool.', fields: 'name:s input:o?' },
};

const TODO = { text: { type: 'string' }, status: { enum: ['pending', 'active', 'done'] } };
const TYPES: Readonly<Record<string, JsonSchema>> = {
  s: { type: 'string' },
  i: { type: 'integer' },
  o: { type: 'object' },
  t: { type: 'array', items: { type: 'object', properties: TODO } },
};

/** The schemas of a session for a small model; tools without a compact form keep their own. */
export function compactSchemas(tools: readonly Tool[]): ToolSchema[] {
  return tools.map((tool) => {
    const compact = COMPACT[tool.name];
    if (!compact) return schemaAsIs(tool);
    return { name: tool.name, description: compact.description, parameters: schemaOf(compact.fields) };
  });
}

export const fullSchemas = (tools: readonly Tool[]): ToolSchema[] => tools.map(schemaAsIs);

const schemaAsIs = ({ name, description, parameters }: Tool): ToolSchema => ({ name, description, parameters });

function schemaOf(fields: string): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of fields.split(' ')) {
    const [name, type] = field.split(':') as [string, string];
    properties[name] = TYPES[type[0]!]!;
    if (!type.endsWith('?')) required.push(name);
  }
  return { type: 'object', properties, ...(required.length && { required }) };
}
