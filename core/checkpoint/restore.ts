/** Gives files back what they held before a prompt. */
import { chmod, readFile, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isWithin } from '../permission/paths.ts';
import { canonical } from '../tools/files/locate.ts';
import { removeFile, WriteError, writeBytes } from '../tools/files/write-bytes.ts';
import {
  ABSENT,
  type ChangedFile,
  type Checkpoints,
  type Content,
  contentOf,
  hashOf,
  type Kept,
  modeOf,
  UNKEPT,
} from './checkpoints.ts';
import { mergeLines } from './merge-lines.ts';
import type { MayTouch } from './written-outside.ts';

/** What would become of one file. */
export interface RestoreStep {
  file: string;
  /**
   * `back`: gets its earlier content. `merge`: the same, but for the lines that others changed since, which stay.
   * `remove`: was created and goes. `same`: holds it already. `changed`: others changed the same lines since, or made it
   * another file; it is left alone. `lost`: what it held is not kept. `outside`: it lies outside of the project, or leads
   * there by now, and is none of this session's; it is left alone.
   */
  action: 'back' | 'merge' | 'remove' | 'same' | 'changed' | 'lost' | 'outside';
  kept: Kept;
  /** What it gets. */
  bytes?: Buffer;
  /** Permissions that it gets back; undefined where it keeps those that it has. */
  mode?: number;
}

/** Files outside of the project are others'. */
const NOTHING: MayTouch = async () => false;

/** What going back to before `prompt` does to files; nothing is written. `mayTouch`: which files outside of the project. */
export async function planRestore(
  checkpoints: Checkpoints,
  prompt: number,
  mayTouch: MayTouch = NOTHING,
): Promise<RestoreStep[]> {
  const steps: RestoreStep[] = [];
  for (const changed of checkpoints.changed()) {
    const kept = changed.states.find((state) => state.prompt >= prompt);
    if (!kept) continue;
    const stray = await strayed(checkpoints, changed, mayTouch);
    if (stray) {
      steps.push({ file: changed.file, kept, action: stray });
      continue;
    }
    const [what, mode] = await Promise.all([fateOf(checkpoints, changed, kept), modeFor(changed, kept)]);
    steps.push({ file: changed.file, kept, ...what, ...(mode !== undefined && { mode }) });
  }
  return steps;
}

/** Why a file is not the one that was changed, or none that is touched: a journal may have come with a copied project. */
async function strayed(
  { project }: Checkpoints,
  { file, outside }: ChangedFile,
  mayTouch: MayTouch,
): Promise<'outside' | 'changed' | undefined> {
  if (outside && !(await mayTouch(file))) return 'outside';
  const place = canonical(file);
  // A link stands in its place, or in that of a folder above it.
  if (place !== file) return outside || !isWithin(place, project) ? 'outside' : 'changed';
  return undefined;
}

/** What somebody else made of the permissions stays: a file that was closed is not opened again. */
async function modeFor({ file, afterMode }: ChangedFile, { mode, ownMode }: Kept): Promise<number | undefined> {
  const now = await modeOf(file);
  return now === undefined || (ownMode && now === afterMode) ? mode : undefined;
}

async function fateOf(
  checkpoints: Checkpoints,
  { file, after }: ChangedFile,
  kept: Kept,
): Promise<Pick<RestoreStep, 'action' | 'bytes'>> {
  const now = await contentOf(file);
  if (kept.before === UNKEPT) return { action: 'lost' };
  if (now === kept.before) return { action: 'same' };
  if (after === undefined || now === UNKEPT) return { action: 'changed' };
  const foreign = now === after ? kept.foreign : [...kept.foreign, [after, now] as const];
  if (kept.before === ABSENT) return { action: foreign.length === 0 ? 'remove' : 'changed' };
  const before = await checkpoints.content(kept.before);
  if (!before) return { action: 'lost' };
  if (foreign.length === 0) return { action: 'back', bytes: before };
  const bytes = await withForeign(checkpoints, file, before, foreign);
  if (!bytes) return { action: 'changed' };
  return hashOf(bytes) === now ? { action: 'same' } : { action: 'merge', bytes };
}

/** What a file held, with what others changed since; undefined where that cannot be told from ada's own changes. */
async function withForeign(
  checkpoints: Checkpoints,
  file: string,
  before: Buffer,
  foreign: readonly (readonly [from: Content, to: Content])[],
): Promise<Buffer | undefined> {
  let bytes: Buffer | undefined = before;
  for (const [from, to] of foreign) {
    const base = await checkpoints.content(from);
    // What somebody made of it last is kept nowhere but in the file.
    const theirs = (await checkpoints.content(to)) ?? (await readFile(file).catch(() => undefined));
    if (!base || !theirs || hashOf(theirs) !== to) return undefined;
    bytes = await mergeLines(base, bytes, theirs);
    if (!bytes) return undefined;
  }
  return bytes;
}

/**
 * Does what was planned, file by file; what changed since the plan was made is left alone. `at`: the prompt that a later
 * going back counts these changes to. `mayTouch`: as for the plan. Gives the steps as they turned out.
 */
export async function restore(
  checkpoints: Checkpoints,
  prompt: number,
  at: number,
  mayTouch: MayTouch = NOTHING,
): Promise<(RestoreStep & { problem?: string })[]> {
  const done: (RestoreStep & { problem?: string })[] = [];
  const folders = new Set<string>();
  for (const step of await planRestore(checkpoints, prompt, mayTouch)) {
    const { file, action, kept, mode, bytes } = step;
    if (kept.before === ABSENT && action !== 'outside')
      for (const folder of foldersAbove(file, kept.folders, checkpoints.project)) folders.add(folder);
    if (action !== 'back' && action !== 'merge' && action !== 'remove') {
      done.push(step);
      continue;
    }
    try {
      const made = await checkpoints.before(at, file);
      if (action === 'remove') {
        await removeFile(file, file);
      } else {
        if (!bytes) throw new WriteError('its earlier content is no longer kept');
        const isThere = mode !== undefined && (await modeOf(file)) !== undefined;
        // Closed before it holds what fewer could read, and never so far that it cannot be written.
        if (isThere) await chmod(file, mode | 0o200);
        await writeBytes(file, [bytes], mode, file);
        if (isThere) await chmod(file, mode);
      }
      await made();
      done.push(step);
    } catch (error) {
      done.push({ ...step, problem: (error as Error).message });
    }
  }
  await removeEmpty(folders);
  return done;
}

/** The folders of the project that were made for a file, the innermost first. */
function foldersAbove(file: string, count: number, project: string): string[] {
  const folders: string[] = [];
  let folder = dirname(file);
  for (; folders.length < count && folder !== project && isWithin(folder, project); folder = dirname(folder))
    folders.push(folder);
  return folders;
}

/** As far as they hold nothing any more: once all files are gone, since the first of a folder is not its last one. */
async function removeEmpty(folders: ReadonlySet<string>): Promise<void> {
  // A link in the place of a folder is no folder of ada's; rmdir refuses it.
  for (const folder of [...folders].sort((a, b) => b.length - a.length))
    if (canonical(folder) === folder) await rmdir(folder).catch(() => {});
}
