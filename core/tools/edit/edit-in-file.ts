/** What `edit_file` does. Loaded with the first edit: a start without one does not pay for it. */
import type { Display, ToolContext, ToolOutput } from '../../types.ts';
import { guardedChange } from '../files/guarded-change.ts';
import { inTurn } from '../files/in-turn.ts';
import { judgedPlace } from '../files/judged-place.ts';
import { lineDiff } from '../files/line-diff.ts';
import { locate, shownPath } from '../files/locate.ts';
import { readForEdit } from '../files/read-for-edit.ts';
import { compareSeen, rememberWritten, wasSeen } from '../files/seen-files.ts';
import { wideOrder } from '../files/text-encoding.ts';
import { looksBinary } from '../files/window.ts';
import { WriteError, writeBytes } from '../files/write-bytes.ts';
import { applyEdits, type Edit, type Edited, isForgiving } from './apply.ts';

export interface EditInput {
  path: string;
  old?: string;
  new?: string;
  all?: boolean;
  edits?: Edit[];
}

interface Planned {
  file: string;
  name: string;
  outcome: Edited;
  display: Extract<Display, { kind: 'diff' }>;
  /** The file is not as the model read it, but the edit fits all the same. */
  stale: boolean;
}

const refuse = (output: string): ToolOutput => ({ output, isError: true });

/** Edits the file, after all changes of it that were asked for before. */
export const editInFile = (input: EditInput, context: ToolContext): Promise<ToolOutput> =>
  inTurn(locate(input.path, context.cwd), () => run(input, context));

/** What the edit would change; undefined when it would be refused. */
export async function previewEdit(input: EditInput, context: ToolContext): Promise<Display | { refused: string }> {
  const planned = await plan(input, context);
  return 'display' in planned ? planned.display : planned;
}

async function run(input: EditInput, context: ToolContext): Promise<ToolOutput> {
  const planned = await plan(input, context);
  if ('refused' in planned) return refuse(planned.refused);
  const { file, name, outcome, display, stale } = planned;
  try {
    await guardedChange(context.memory, file, () =>
      writeBytes(file, outcome.parts, undefined, judgedPlace(input, file)),
    );
  } catch (error) {
    if (error instanceof WriteError) return refuse(error.message);
    throw error;
  }
  rememberWritten(context, file, outcome.parts);
  const notes = [...outcome.notes];
  if (stale) notes.push('the file had changed on disk since you read it, but the text to replace was the same');
  const line = firstChange(display.patch);
  const counts = ` (+${display.added} -${display.removed}${line ? ` near line ${line}` : ''})`;
  return { output: `Edited ${name}${counts}.${notes.map((note) => `\nNote: ${note}.`).join('')}`, display };
}

/** The line of the new file where a unified diff first changes something, behind the lines of context. */
function firstChange(patch: string): number | undefined {
  const hunk = /^@@ -\S+ \+(\d+).*\n((?: .*\n)*)/m.exec(patch);
  return hunk ? Number(hunk[1]) + hunk[2]!.split('\n').length - 1 : undefined;
}

async function plan(input: EditInput, context: ToolContext): Promise<Planned | { refused: string }> {
  const file = locate(input.path, context.cwd);
  const name = shownPath(file, context.cwd);
  const edits = editsOf(input);
  if (typeof edits === 'string') return { refused: edits };
  const read = await readForEdit(file, context.cwd, judgedPlace(input, file));
  if ('refused' in read) {
    return { refused: read.missing ? `${read.refused} To create a file, use write_file.` : read.refused };
  }
  const content = read.bytes;
  // What read_file does not show as text is not edited as text.
  if (!wideOrder(content) && looksBinary(content.subarray(0, 8192)))
    return { refused: `${name} is a binary file and is not edited as text.` };
  const known = compareSeen(context, file, content);
  const outcome = await applyEdits(content, edits, file);
  const stale = known === 'changed';
  // What is forgiven in a file that the model knows may be the wrong place in one that it does not know.
  const isOther = async (edited: Edited) =>
    edited.notes.some(isForgiving) || !(await wasSeen(context, file, edited.targets));
  if (stale && ('notes' in outcome ? await isOther(outcome) : outcome.why !== 'input')) {
    return {
      refused: `${name} has changed on disk since you read it, and the lines to change are not as you read them. Read it again.`,
    };
  }
  if ('refused' in outcome) return { refused: `${name}: ${outcome.refused}` };
  const display = {
    kind: 'diff' as const,
    path: name,
    ...(await lineDiff(name, outcome.before, outcome.after, { skipped: outcome.skipped })),
  };
  return { file, name, outcome, display, stale };
}

function editsOf(input: EditInput): Edit[] | string {
  const single = input.old !== undefined || input.new !== undefined;
  if (input.edits && input.edits.length > 0) {
    if (single && input.old) return 'Give either `old` and `new`, or `edits`, not both.';
    return input.edits;
  }
  if (input.old === undefined) return '`old` is missing: the exact text to replace.';
  if (input.new === undefined) return '`new` is missing: the text to put in place of `old` (empty to delete it).';
  return [{ old: input.old, new: input.new, all: input.all }];
}
