/** `read_file`: lines of a text file with their numbers, or an image. */
import * as z from 'zod/mini';
import { knowProjectSecrets } from '../project-secrets.ts';
import type { ToolOutput } from '../types.ts';
import { defineTool } from './call/define-tool.ts';
import { judgedPlace, placesOf } from './files/judged-place.ts';
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
  gate: (input, context) => ({ kind: 'read', paths: placesOf(input, [locate(input.path, context.cwd)], context) }),
  title: ({ path, offset, limit }) =>
    offset === undefined && limit === undefined
      ? path
      : `${path}:${offset ?? 1}${limit ? `-${(offset ?? 1) + limit - 1}` : ''}`,
  run(input, context): Promise<ToolOutput> {
    const { path, offset, limit } = input;
    const file = locate(path, context.cwd);
    // Long lines are cut where no secret is.
    knowProjectSecrets(context.project, { first: true, places: [file] });
    return readForModel(file, { offset, limit }, context, judgedPlace(input, file));
  },
});
