/** `read_file`: lines of a text file with their numbers, or an image. */
import * as z from 'zod/mini';
import type { ToolOutput } from '../types.ts';
import { defineTool } from './call/define-tool.ts';
import { locate } from './files/locate.ts';
import { readForModel } from './files/read-for-model.ts';

export const readFile = defineTool({
  name: 'read_file',
  description: 'Read a text file with line numbers, or look at an image.',
  input: z.object({
    path: z.string(),
    offset: z.optional(z.int().check(z.describe('first line'))),
    limit: z.optional(z.int()),
  }),
  kind: 'read',
  gate: ({ path }, { cwd }) => ({ kind: 'read', paths: [locate(path, cwd)] }),
  title: ({ path, offset, limit }) =>
    offset === undefined && limit === undefined
      ? path
      : `${path}:${offset ?? 1}${limit ? `-${(offset ?? 1) + limit - 1}` : ''}`,
  run: ({ path, offset, limit }, context): Promise<ToolOutput> =>
    readForModel(locate(path, context.cwd), { offset, limit }, context),
});
