/** What `write_file` does. Loaded with the first file that is written: a start without one does not pay for it. */
import { readFile, stat } from 'node:fs/promises';
import type { Display, ToolContext, ToolOutput } from '../../types.ts';
import { strayMark } from '../edit/hidden-text.ts';
import { formContent } from './form-content.ts';
import { guardedChange } from './guarded-change.ts';
import { inTurn } from './in-turn.ts';
import { judgedPlace } from './judged-place.ts';
import { lineDiff } from './line-diff.ts';
import { badPath, locate, shownPath } from './locate.ts';
import { compareSeen, remember } from './seen-files.ts';
import { WriteError, writeBytes } from './write-bytes.ts';

const MOST_BYTES = 100 << 20;

export interface WriteInput {
  path: string;
  content: string;
}

/** Writes the file, after all changes of it that were asked for before. */
export const writeWhole = (input: WriteInput, context: ToolContext): Promise<ToolOutput> =>
  inTurn(locate(input.path, context.cwd), () => run(input, context));

/** What the person was shown that a call replaces; undefined for a file that was not there. */
const shown = new WeakMap<WriteInput, { existing: Buffer | undefined }>();

const FOLDER = 'its path ends as that of a folder. Folders are made with the first file in them; or use mkdir.';

const notWritten = ({ name, bad }: { name: string; bad: string }): string => `${name} was not written: ${bad}`;

/** What would change, or why nothing would. */
export async function previewWrite(input: WriteInput, context: ToolContext): Promise<Display | { refused: string }> {
  const planned = await plan(input, context);
  if (planned.bad !== undefined) return { refused: notWritten(planned) };
  shown.set(input, { existing: planned.existing });
  return planned.display;
}

/** Whether something else changed or made the file while the person looked at what would be done to it. */
function changedSinceShown(input: WriteInput, existing: Buffer | undefined): boolean {
  const before = shown.get(input);
  if (!before) return false;
  return before.existing === undefined || existing === undefined
    ? before.existing !== existing
    : !before.existing.equals(existing);
}

async function run(input: WriteInput, context: ToolContext): Promise<ToolOutput> {
  const planned = await plan(input, context);
  if (planned.bad !== undefined) return { output: notWritten(planned), isError: true };
  const { file, name, existing, bytes, note, display, before: old } = planned;
  const judged = judgedPlace(input, file);
  const known = existing ? compareSeen(context.memory, file, existing) : 'unknown';
  if (known === 'changed') {
    const output = `${name} has changed on disk since you read it, so it was not written. Read it again first.`;
    return { output, isError: true };
  }
  if (changedSinceShown(input, existing)) {
    const output = `${name} was changed by something else while this waited for an answer, so it was not written. Read it first.`;
    return { output, isError: true };
  }
  try {
    await guardedChange(context.memory, file, () => writeBytes(file, [bytes], undefined, judged));
  } catch (error) {
    if (error instanceof WriteError) return { output: error.message, isError: true };
    throw error;
  }
  remember(context.memory, file, bytes);
  const now = sizes(lines(input.content), bytes.length);
  if (!existing) return { output: `Created ${name} (${now}).${note}`, display };
  const unread = known === 'unknown' ? ', which you had not read' : '';
  const before = sizes(lines(old), existing.length);
  return { output: `Wrote ${name} (${now}). It replaced ${before}${unread}.${note}`, display };
}

const sizes = (lineCount: number, byteCount: number): string =>
  `${lineCount} ${lineCount === 1 ? 'line' : 'lines'}, ${byteCount} ${byteCount === 1 ? 'byte' : 'bytes'}`;

const lines = (text: string): number => (text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0));

/** The bytes that would be written, or why none can be (`bad`). */
async function plan(input: WriteInput, { cwd }: ToolContext) {
  const { path, content } = input;
  const file = locate(path, cwd);
  const name = shownPath(file, cwd);
  const info = await stat(file).catch(() => undefined);
  const wrong = badPath(name) ?? (/[/\\]$/.test(path) && !info ? FOLDER : undefined);
  if (wrong) return { file, name, existing: undefined, bad: wrong };
  // Reading a pipe here would wait for ever.
  if (info && !info.isFile())
    return {
      file,
      name,
      existing: undefined,
      bad: `it is ${info.isDirectory() ? 'a directory' : 'not a regular file'}.`,
    };
  const existing = info && info.size <= MOST_BYTES ? await readFile(file).catch(() => undefined) : undefined;
  const formed = await formContent(content, file, existing);
  if ('bad' in formed) return { file, name, existing, bad: formed.bad };
  const stray = strayMark(content, formed.before);
  if (stray) return { file, name, existing, bad: stray };
  const diff = await lineDiff(name, formed.before, formed.text, { created: !info });
  const display: Display = { kind: 'diff', path: name, ...diff };
  return { file, name, existing, display, ...formed };
}
