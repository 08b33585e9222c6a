/** `edit_file`: replaces text in a file, byte for byte outside of the edit. */
import * as z from 'zod/mini';
import { defineTool } from './call/define-tool.ts';
import { placesOf } from './files/judged-place.ts';
import { locate } from './files/locate.ts';

const edit = { old: z.string(), new: z.string(), all: z.optional(z.boolean()) };

const load = () => import('./edit/edit-in-file.ts');

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replace text in a file. old: exact text of the file, without line numbers, that occurs once (all: replace every one). Several changes: edits.',
  input: z.object({
    path: z.string(),
    old: z.optional(edit.old),
    new: z.optional(edit.new),
    all: edit.all,
    edits: z.optional(z.array(z.object(edit))),
  }),
  kind: 'edit',
  gate: (input, context) => ({ kind: 'write', paths: placesOf(input, [locate(input.path, context.cwd)], context) }),
  title: ({ path, edits }) => (edits && edits.length > 1 ? `${path} (${edits.length} edits)` : path),
  preview: async (input, context) => (await load()).previewEdit(input, context),
  run: async (input, context) => (await load()).editInFile(input, context),
});
