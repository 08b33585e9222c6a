/** `write_file`: a whole new content for a file. */
import * as z from 'zod/mini';
import { defineTool } from './call/define-tool.ts';
import { placesOf } from './files/judged-place.ts';
import { locate } from './files/locate.ts';

const load = () => import('./files/write-whole.ts');

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Create a file or replace all of it. To change parts, use edit_file.',
  input: z.object({ path: z.string(), content: z.string() }),
  kind: 'edit',
  gate: (input, context) => ({ kind: 'write', paths: placesOf(input, [locate(input.path, context.cwd)], context) }),
  title: ({ path }) => path,
  preview: async (input, context) => (await load()).previewWrite(input, context),
  run: async (input, context) => (await load()).writeWhole(input, context),
});
