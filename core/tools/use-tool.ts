/** `use_tool`: the one fixed way to the tools that are not in every request. `resolveCall` puts the named tool in its place. */
import * as z from 'zod/mini';
import { defineTool } from './call/define-tool.ts';

export const useTool = defineTool({
  name: 'use_tool',
  description: 'Call a further tool by name; without input, shows its schema.',
  input: z.object({ name: z.string(), input: z.optional(z.record(z.string(), z.unknown())) }),
  kind: 'other',
  gate: () => ({ kind: 'none' }),
  title: ({ name }) => name,
  run: async ({ name }) => ({ output: `There is no tool ${name}.`, isError: true }),
});
