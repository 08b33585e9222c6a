/**
 * What the model has seen of files, so that a change by somebody else is noticed. The record follows from the log: each
 * result says which files its call made known (`seen`), and the fold of these is the session's record (session-fold.ts).
 * Contents are no part of it; they are kept as long as the process runs and there is room.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type { SeenFile, ToolContext } from '../../types.ts';
import { canonical } from './locate.ts';
import { decodeText } from './text-encoding.ts';

const KEY = 'seen-files';
/** Of all contents together that are kept to compare lines with; the oldest make room. */
const MOST_KEPT = 32 << 20;
/** From this size on, what ada itself wrote is known by its place on disk and its times; reading all of it would cost. */
const LARGE = 1 << 20;

type Context = Pick<ToolContext, 'memory' | 'project' | 'seen'>;

/** What the model knows of each file: the name that `nameOf` gives it, and the mark of its content. */
export type SeenMarks = Map<string, string>;

interface Seen {
  marks: SeenMarks;
  /** By their mark. */
  contents: Map<string, Buffer>;
  /** Bytes of them. */
  kept: number;
}

function seenIn(memory: Context['memory']): Seen {
  let seen = memory.get(KEY) as Seen | undefined;
  if (!seen) memory.set(KEY, (seen = { marks: new Map(), contents: new Map(), kept: 0 }));
  return seen;
}

/** Has the tools of a session keep to this record, which grows and goes back with its log. */
export const shareSeen = (memory: Context['memory'], marks: SeenMarks): void => {
  seenIn(memory).marks = marks;
};

/** What a stored result adds to the record; of a log that was edited, what can be read of it. */
export function foldSeen(marks: SeenMarks, seen?: readonly SeenFile[]): void {
  if (!Array.isArray(seen)) return;
  for (const file of seen) {
    if (typeof file?.path !== 'string') continue;
    if (typeof file.mark === 'string') marks.set(file.path, file.mark);
    else marks.delete(file.path);
  }
}

/** The same with a record of its own, for a trial run. */
export function copySeen({ memory, project }: Context): Context {
  const { marks, contents, kept } = seenIn(memory);
  const copy: Seen = { marks: new Map(marks), contents: new Map(contents), kept };
  return { memory: new Map([[KEY, copy]]), project };
}

/** A file in the record, however it is spelled: relative inside the project, which may be moved. */
function nameOf(file: string, project: string): string {
  const place = canonical(file);
  const inside = relative(canonical(project), place);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? place : inside;
}

function record(context: Context, file: string, mark: string | null): void {
  const seen = [{ path: nameOf(file, context.project), mark }];
  foldSeen(seenIn(context.memory).marks, seen);
  context.seen?.push(...seen);
}

/** Records that the model knows `file` with these contents. */
export function remember(context: Context, file: string, bytes: Buffer): void {
  const mark = markOf(bytes);
  record(context, file, mark);
  const seen = seenIn(context.memory);
  const { contents } = seen;
  if (!contents.delete(mark)) seen.kept += bytes.length;
  contents.set(mark, bytes);
  for (const [oldest, { length }] of contents) {
    if (seen.kept <= MOST_KEPT) break;
    contents.delete(oldest);
    seen.kept -= length;
  }
}

/** True when all these lines stood in the file as the model knows it; each may be several, with plain ends between. */
export async function wasSeen(context: Context, file: string, lines: readonly string[]): Promise<boolean> {
  const { marks, contents } = seenIn(context.memory);
  const content = contents.get(marks.get(nameOf(file, context.project)) ?? '');
  if (!content) return false;
  const { text } = await decodeText(content, file);
  const known = `\n${text.replaceAll('\r\n', '\n')}\n`;
  return lines.every((part) => known.includes(`\n${part}\n`));
}

/** Records that the model knows `file` with the contents that were just written to it. */
export function rememberWritten(context: Context, file: string, parts: readonly Buffer[]): void {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  if (size < LARGE) remember(context, file, Buffer.concat(parts));
  else record(context, file, `${size} ${identityOf(file) ?? ''}`);
}

/** Forgets the file: the next change of it is judged as if it had never been read. */
export const forget = (context: Context, file: string): void => record(context, file, null);

/** Whether the contents are those that the model knows; `unknown` when it never read the file. */
export function compareSeen(context: Context, file: string, bytes: Buffer): 'unknown' | 'same' | 'changed' {
  const mark = seenIn(context.memory).marks.get(nameOf(file, context.project));
  if (mark === undefined) return 'unknown';
  const [size, rest = ''] = mark.split(' ');
  if (size !== String(bytes.length)) return 'changed';
  if (!rest.startsWith(PLACE)) return mark === markOf(bytes) ? 'same' : 'changed';
  // A time alone says nothing of the content.
  return rest === identityOf(file) ? 'same' : 'unknown';
}

const PLACE = '@';

function identityOf(file: string): string | undefined {
  const info = statSync(file, { bigint: true, throwIfNoEntry: false });
  return info && `${PLACE}${[info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(':')}`;
}

/** It is stored: from a weaker hash a short content could be had again. */
const markOf = (bytes: Buffer): string => `${bytes.length} ${createHash('sha256').update(bytes).digest('base64url')}`;
