/**
 * Makes the changes of a patch, file after file. A file changes wholly or not at all; when one cannot be changed, those
 * before it stay as they are and the rest is left alone (the same as in codex), and the result says so.
 */
import { lstatSync } from 'node:fs';
import type { ToolContext } from '../../types.ts';
import { strayMark } from '../edit/hidden-text.ts';
import { replacePieces, toBytes } from '../edit/pieces.ts';
import { damagedBytes, needsEncoding } from '../edit/unknown-text.ts';
import { formContent } from '../files/form-content.ts';
import { MOST_KEPT_BYTES, NOT_KEPT } from '../files/guarded-change.ts';
import { type LineDiff, lineDiff } from '../files/line-diff.ts';
import { canonical, locate, shownPath } from '../files/locate.ts';
import { compareSeen, forget, remember, rememberWritten } from '../files/seen-files.ts';
import { decodeText, nameCharacter, withoutHalves } from '../files/text-encoding.ts';
import { applyHunks } from './apply-hunks.ts';
import type { Disk } from './disk.ts';
import { withHiddenLines } from './hidden-lines.ts';
import type { FilePatch } from './types.ts';

export interface Change extends LineDiff {
  /** Added, changed, deleted, moved. */
  letter: 'A' | 'M' | 'D' | 'R';
  path: string;
  from?: string;
  notes: readonly string[];
}

export interface PatchRun {
  changes: readonly Change[];
  /** Why the rest was not applied. */
  refused?: string;
  /** What was not changed: the file where it failed, then those behind it. */
  undone?: readonly string[];
}

interface Place {
  cwd: string;
  disk: Disk;
  /** Of the call: what the model knows of files. */
  known: Pick<ToolContext, 'memory' | 'project' | 'seen'>;
}

/** `change`: what was done all the same. */
type Step = Change | { refused: string; change?: Change };

export async function runPatch(files: readonly FilePatch[], place: Place): Promise<PatchRun> {
  const changes: Change[] = [];
  for (const [i, file] of files.entries()) {
    const step = await (file.kind === 'add'
      ? add(file, place)
      : file.kind === 'delete'
        ? remove(file, place)
        : update(file, place));
    if ('refused' in step) {
      if (step.change) changes.push(step.change);
      return {
        changes,
        refused: step.refused,
        undone: files.slice(i).map((one) => shownPath(locate(one.path, place.cwd), place.cwd)),
      };
    }
    changes.push(step);
  }
  return { changes };
}

const hasChanged = (name: string): { refused: string } => ({
  refused: `${name} has changed on disk since you read it. Read it again first.`,
});

/** What is to be said of a file of this size that is overwritten or deleted. */
const lost = (size: number): string => (size > MOST_KEPT_BYTES ? `, ${NOT_KEPT}` : '');

/** True when the model knows another content of the file. */
const isStale = (file: string, bytes: Buffer, { known }: Place): boolean =>
  compareSeen(known, file, bytes) === 'changed';

async function add({ path, content, mode }: FilePatch & { kind: 'add' }, place: Place): Promise<Step> {
  const file = locate(path, place.cwd);
  const name = shownPath(file, place.cwd);
  const old = await place.disk.read(file);
  if ('refused' in old && !old.missing) return { refused: old.refused };
  if ('refused' in old && path.endsWith('/')) return { refused: `${path} is the path of a folder, not of a file.` };
  const existing = 'bytes' in old ? old.bytes : undefined;
  if (existing && isStale(file, existing, place)) return hasChanged(name);
  const formed = await formContent(content, file, existing);
  if ('bad' in formed) return { refused: `${name}: ${formed.bad}` };
  const stray = strayMark(content, formed.before);
  if (stray) return { refused: `${name}: ${stray}` };
  const failed = await place.disk.write(file, [formed.bytes], mode);
  if (failed) return { refused: failed };
  remember(place.known, file, formed.bytes);
  const notes = [
    ...(existing ? [`it replaced the file that was there (${existing.length} bytes)${lost(existing.length)}`] : []),
    ...(formed.note ? [formed.note.trim()] : []),
  ];
  const diff = await lineDiff(name, formed.before, formed.text, { created: !existing });
  return { letter: existing ? 'M' : 'A', path: name, notes, ...diff };
}

async function remove({ path, content }: FilePatch & { kind: 'delete' }, place: Place): Promise<Step> {
  const file = locate(path, place.cwd);
  const name = shownPath(file, place.cwd);
  const old = await place.disk.read(file);
  let diff: LineDiff = { patch: '', added: 0, removed: 0 };
  const size = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if ('bytes' in old) {
    if (isStale(file, old.bytes, place)) return hasChanged(name);
    const { text } = await decodeText(old.bytes, file);
    const plain = (lines: string) => lines.replaceAll('\r\n', '\n').replace(/\n$/, '');
    if (content !== undefined && plain(content) !== plain(text))
      return { refused: `${name} does not hold what the patch would delete. Read it again.` };
    diff = text.includes('\0') ? diff : await lineDiff(name, text, '');
  }
  const failed = await place.disk.remove(file);
  if (failed) return { refused: failed };
  forget(place.known, file);
  const notes = size > MOST_KEPT_BYTES ? [`it held ${size} bytes${lost(size)}`] : [];
  return { letter: 'D', path: name, notes, ...diff, patch: diff.patch.replace(/^\+\+\+ .*$/m, '+++ /dev/null') };
}

async function update(patch: FilePatch & { kind: 'update' }, place: Place): Promise<Step> {
  const { cwd, disk, known } = place;
  const file = locate(patch.path, cwd);
  const name = shownPath(file, cwd);
  const old = await disk.read(file);
  if ('refused' in old)
    return { refused: old.missing ? `${old.refused} To create it, use "*** Add File:".` : old.refused };
  const edited = await editBytes(old.bytes, patch, name, file, place);
  if ('refused' in edited) return edited;
  const { parts, before, after, notes } = edited;
  const target = patch.moveTo === undefined ? file : locate(patch.moveTo, cwd);
  const moves = canonical(target) !== canonical(file);
  if (!moves) {
    const failed = await disk.write(file, parts);
    if (failed) return { refused: failed };
    rememberWritten(known, file, parts);
    return { letter: 'M', path: name, notes, ...(await lineDiff(name, before, after)) };
  }
  const to = shownPath(target, cwd);
  // What it leads to would become a file of its own.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    return { refused: `${name} is a symbolic link; a patch moves only files. Use mv.` };
  const there = await disk.read(target);
  if ('refused' in there && !there.missing) return { refused: there.refused };
  if ('bytes' in there) {
    if (isStale(target, there.bytes, place)) return hasChanged(to);
    notes.push(`it replaced the ${to} that was there (${there.bytes.length} bytes)${lost(there.bytes.length)}`);
  }
  const failed = await disk.write(target, parts, old.mode);
  if (failed) return { refused: failed };
  rememberWritten(known, target, parts);
  const diff = await lineDiff(to, before, after);
  const stays = await disk.remove(file);
  if (stays) {
    const why = `${to} has the new content, but the old ${name} is still there: ${stays}`;
    return { refused: why, change: { ...diff, letter: 'bytes' in there ? 'M' : 'A', path: to, notes } };
  }
  forget(known, file);
  const header = `--- ${name}\n+++ ${to}\n`;
  const body = diff.patch.slice(diff.patch.indexOf('\n', diff.patch.indexOf('\n') + 1) + 1);
  return { ...diff, letter: 'R', path: to, from: name, notes, patch: header + body };
}

async function editBytes(
  content: Buffer,
  { hunks }: FilePatch & { kind: 'update' },
  name: string,
  file: string,
  place: Place,
): Promise<{ parts: Buffer[]; before: string; after: string; notes: string[] } | { refused: string }> {
  if (hunks.length === 0) {
    // A file that only gets another name need not be text.
    return { parts: [content], before: '', after: '', notes: [] };
  }
  const decoded = await decodeText(content, file);
  const known = withHiddenLines(hunks, decoded.text);
  if ('refused' in known) return { refused: `${name}: ${known.refused}` };
  const given = known.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n');
  const unsure = needsEncoding(decoded, given);
  if (unsure) return { refused: `${name}: ${unsure}` };
  const outcome = applyHunks(decoded.text, known);
  const stale = compareSeen(place.known, file, content) === 'changed';
  // Where nothing but an anchor says what place is meant, only the file as it was read is one.
  const guessed = hunks.some(({ lines }) => lines.every(({ sign }) => sign === '+'));
  if (stale && ('notes' in outcome ? guessed || outcome.notes.length > 0 : outcome.why !== 'nothing')) {
    return {
      refused: `${name} has changed on disk since you read it, and the patch does not fit as given. Read it again.`,
    };
  }
  if ('refused' in outcome) {
    const why = (outcome.why === 'absent' && damagedBytes(decoded, given)) || outcome.refused;
    return { refused: withoutHalves(`${name}: ${why}`) };
  }
  for (const { text } of outcome.splices) {
    const missing = decoded.codec.missing(text);
    if (missing === undefined) continue;
    const why = `has ${nameCharacter(missing)}, which this file's encoding (${decoded.codec.name}) cannot hold`;
    return { refused: `${name}: a new line ${why}.` };
  }
  const pieces = replacePieces([{ start: 0, end: decoded.text.length }], outcome.splices);
  const notes = [...outcome.notes];
  if (stale) notes.push('the file had changed on disk since you read it, but the lines of the patch were the same');
  return { parts: toBytes(pieces, decoded), before: decoded.text, after: outcome.text, notes };
}
