/** What `write_file` does. Loaded with the first file that is written: a start without one does not pay for it. */
import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { cutBefore } from '../../redact-cut.ts';
import type { Display, ToolContext, ToolOutput } from '../../types.ts';
import { strayMark } from '../edit/hidden-text.ts';
import { type FormedContent, formContent } from './form-content.ts';
import { guardedChange, MOST_KEPT_BYTES, NOT_KEPT } from './guarded-change.ts';
import { inTurn } from './in-turn.ts';
import { judgedPlace } from './judged-place.ts';
import { lineDiff } from './line-diff.ts';
import { lineCount } from './line-table.ts';
import { badPath, locate, shownPath } from './locate.ts';
import { compareSeen, remember } from './seen-files.ts';
import { WriteError, writeBytes } from './write-bytes.ts';

const MOST_BYTES = 100 << 20;
/** Characters of the new content, where no diff can be made. */
const MOST_SHOWN = 20_000;

export interface WriteInput {
  path: string;
  content: string;
}

/** Writes the file, after all changes of it that were asked for before. */
export const writeWhole = (input: WriteInput, context: ToolContext): Promise<ToolOutput> =>
  inTurn(locate(input.path, context.cwd), () => run(input, context));

interface Replaced {
  /** Undefined for a file that was not there, and for one that was not read. */
  existing: Buffer | undefined;
  info: Stats | undefined;
}

/** What the person was shown that a call replaces. */
const shown = new WeakMap<WriteInput, Replaced>();

const FOLDER = 'its path ends as that of a folder. Folders are made with the first file in them; or use mkdir.';

const notWritten = ({ name, bad }: { name: string; bad: string }): string => `${name} was not written: ${bad}`;

/** What would change, or why nothing would. */
export async function previewWrite(input: WriteInput, context: ToolContext): Promise<Display | { refused: string }> {
  const planned = await plan(input, context);
  if (planned.bad !== undefined) return { refused: notWritten(planned) };
  shown.set(input, { existing: planned.existing, info: planned.info });
  return planned.display;
}

/** Whether something else changed or made the file while the person looked at what would be done to it. */
function changedSinceShown(input: WriteInput, { existing, info }: Replaced): boolean {
  const before = shown.get(input);
  if (!before) return false;
  if (before.existing && existing) return !before.existing.equals(existing);
  if (before.existing || existing) return true;
  const look = (of: Stats | undefined) => of && [of.dev, of.ino, of.size, of.mtimeMs].join();
  return look(before.info) !== look(info);
}

async function run(input: WriteInput, context: ToolContext): Promise<ToolOutput> {
  const planned = await plan(input, context);
  if (planned.bad !== undefined) return { output: notWritten(planned), isError: true };
  const { file, name, existing, info, bytes, note, display, before: old } = planned;
  const judged = judgedPlace(input, file);
  const known = existing ? compareSeen(context, file, existing) : 'unknown';
  if (known === 'changed') {
    const output = `${name} has changed on disk since you read it, so it was not written. Read it again first.`;
    return { output, isError: true };
  }
  if (changedSinceShown(input, planned)) {
    const output = `${name} was changed by something else while this waited for an answer, so it was not written. Read it first.`;
    return { output, isError: true };
  }
  try {
    await guardedChange(context.memory, file, () => writeBytes(file, [bytes], undefined, judged));
  } catch (error) {
    if (error instanceof WriteError) return { output: error.message, isError: true };
    throw error;
  }
  remember(context, file, bytes);
  const now = sizes(await lineCount(input.content), bytes.length);
  if (!info) return { output: `Created ${name} (${now}).${note}`, display };
  const unread = known === 'unknown' ? ', which you had not read' : '';
  const before = existing ? sizes(await lineCount(old), existing.length) : bytesOf(info.size);
  const lost = whyLost({ existing, info });
  const gone = lost ? ` What it held was ${lost}.` : '';
  return { output: `Wrote ${name} (${now}). It replaced ${before}${unread}.${gone}${note}`, display };
}

/** Why what the file holds cannot be had again; undefined where it can, or there is nothing. */
function whyLost({ existing, info }: Replaced): string | undefined {
  if (!info || info.size === 0) return undefined;
  if (info.size > MOST_KEPT_BYTES) return NOT_KEPT;
  return existing ? undefined : 'not readable and so not kept: /rewind cannot bring it back';
}

const bytesOf = (count: number): string => `${count} ${count === 1 ? 'byte' : 'bytes'}`;

const sizes = (lines: number, byteCount: number): string =>
  `${lines} ${lines === 1 ? 'line' : 'lines'}, ${bytesOf(byteCount)}`;

/** The bytes that would be written, or why none can be (`bad`). */
async function plan(input: WriteInput, { cwd }: ToolContext) {
  const { path, content } = input;
  const file = locate(path, cwd);
  const name = shownPath(file, cwd);
  const info = await stat(file).catch(() => undefined);
  const wrong = badPath(name) ?? (/[/\\]$/.test(path) && !info ? FOLDER : undefined);
  if (wrong) return { file, name, existing: undefined, info, bad: wrong };
  // Reading a pipe here would wait for ever.
  if (info && !info.isFile())
    return {
      file,
      name,
      existing: undefined,
      info,
      bad: `it is ${info.isDirectory() ? 'a directory' : 'not a regular file'}.`,
    };
  const existing = info && info.size <= MOST_BYTES ? await readFile(file).catch(() => undefined) : undefined;
  const formed = await formContent(content, file, existing);
  if ('bad' in formed) return { file, name, existing, info, bad: formed.bad };
  const stray = strayMark(content, formed.before);
  if (stray) return { file, name, existing, info, bad: stray };
  const display = await displayOf(name, formed, { existing, info });
  return { file, name, existing, info, display, ...formed };
}

async function displayOf(name: string, { before, text }: FormedContent, old: Replaced): Promise<Display> {
  const { existing, info } = old;
  const lost = whyLost(old);
  const remark = info && lost && `What the file held before (${bytesOf(info.size)}) is ${lost}.`;
  if (existing || !remark)
    return { kind: 'diff', path: name, ...(await lineDiff(name, before, text, { created: !info, remark })) };
  // How many lines go is not known.
  const part = text.slice(0, cutBefore(text, MOST_SHOWN));
  const more = text.length > part.length ? `\n… ${text.length - part.length} more characters` : '';
  return { kind: 'text', text: `${name} is replaced as a whole. ${remark} Its new content:\n${part}${more}` };
}
