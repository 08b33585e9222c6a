/** From what a model called to the tool and the input that are meant. */
import { nearest } from '../../nearest.ts';
import type { Tool } from '../../types.ts';
import { adaptArguments, aliasOf, isObject, plainName, splitEditor } from './aliases.ts';
import { coerce, explainIssue } from './coerce.ts';

export type ResolvedCall = { tool: Tool; input: Record<string, unknown> } | { error: string };

/**
 * Finds the tool by its name or one that other agents use, unwraps `use_tool`, and validates the input. A `use_tool`
 * without a valid input for the named tool resolves to a tool that answers with the schema.
 */
export function resolveCall(name: string, input: unknown, tools: readonly Tool[]): ResolvedCall {
  const split = isObject(input) ? splitEditor(name, input) : undefined;
  const tool = findTool(split?.name ?? name, tools);
  if (!tool) return { error: unknownTool(name, tools) };
  const given = split?.input ?? input;
  if (tool.name !== 'use_tool') return check(tool, given);
  const outer = check(tool, moveIn(given));
  if ('error' in outer) return outer;
  const inner = findTool(String(outer.input.name), tools);
  if (!inner || inner.name === 'use_tool') return { error: unknownTool(String(outer.input.name), tools) };
  const call = check(inner, outer.input.input ?? {});
  if ('error' in call) {
    const reason = outer.input.input === undefined ? '' : `${call.error}\n`;
    return { tool: schemaOf(tool, inner, reason), input: outer.input };
  }
  // Without any input the model asks what the tool is, unless there is nothing to ask.
  const asks = outer.input.input === undefined && Object.keys(inner.parameters.properties ?? {}).length > 0;
  return asks ? { tool: schemaOf(tool, inner, ''), input: outer.input } : call;
}

/** Whether a tool goes by this name, or one that other agents use, and takes this input; without `input` the name alone. */
export const canCall = (name: string, input: unknown, tools: readonly Tool[]): boolean =>
  findTool(name, tools) !== undefined && (input === undefined || !('error' in resolveCall(name, input, tools)));

function findTool(name: string, tools: readonly Tool[]): Tool | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact) return exact;
  const plain = plainName(name);
  const same = tools.find((tool) => plainName(tool.name) === plain);
  if (same) return same;
  const meant = aliasOf(name);
  return meant === undefined ? undefined : tools.find((tool) => tool.name === meant);
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  const names = tools.map((tool) => tool.name);
  const near = nearest(name, names, Math.max(2, Math.floor(name.length / 3)));
  return `There is no tool "${name}".${near ? ` Did you mean ${near}?` : ''} The tools are: ${names.join(', ')}.`;
}

function check(tool: Tool, given: unknown): ResolvedCall {
  const schema = tool.parameters;
  const object = asObject(given, tool);
  if (typeof object === 'string') return { error: `${tool.name}: ${object}` };
  const input = coerce(adaptArguments(tool.name, object), schema);
  const parsed = tool.input.safeParse(input);
  if (parsed.success) return { tool, input: parsed.data as Record<string, unknown> };
  return { error: `${tool.name}: ${explainIssue(parsed.error.issues, input, schema)}` };
}

/** Nothing is no arguments; a string is the JSON of them, or the one string that the tool wants. */
function asObject(given: unknown, tool: Tool): Record<string, unknown> | string {
  if (given === undefined || given === null || given === '') return {};
  if (isObject(given)) return given;
  if (typeof given === 'string') {
    const parsed = coerce(given, { type: 'object' });
    if (isObject(parsed)) return parsed;
    const required = Array.isArray(tool.parameters.required) ? tool.parameters.required : [];
    if (required.length === 1) return { [String(required[0])]: given };
  }
  return 'the arguments must be an object.';
}

/** `use_tool { name, query }` for `use_tool { name, input: { query } }`. */
function moveIn(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { name, input, ...rest } = adaptArguments('use_tool', given);
  return input === undefined && Object.keys(rest).length > 0 ? { name, input: rest } : { name, input };
}

const schemaOf = (useTool: Tool, inner: Tool, reason: string): Tool => ({
  ...useTool,
  run: async () => ({
    output: `${reason}${inner.name}: ${inner.description}\nInput: ${JSON.stringify(inner.parameters)}`,
  }),
});
