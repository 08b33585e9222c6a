/** `apply_patch`: adds, changes, moves and deletes files by one patch. */
import * as z from 'zod/mini';
import type { Display, ToolContext, ToolOutput } from '../types.ts';
import { defineTool } from './call/define-tool.ts';
import { inTurn } from './files/in-turn.ts';
import { judgedPlace, placesOf } from './files/judged-place.ts';
import { canonical, locate } from './files/locate.ts';
import { copySeen } from './files/seen-files.ts';
import { parsePatch } from './patch/parse.ts';
import type { Change, PatchRun } from './patch/run-patch.ts';
import { pathsOf } from './patch/types.ts';

export const applyPatch = defineTool({
  name: 'apply_patch',
  description:
    'Change several files by one patch: *** Begin Patch, *** Add|Update|Delete File: PATH, hunks, *** End Patch.',
  input: z.object({ patch: z.string() }),
  kind: 'edit',
  late: true,
  gate(input, context) {
    const parsed = parsePatch(input.patch);
    // What cannot be read is refused when it runs, and touches nothing.
    if ('refused' in parsed) return { kind: 'none' };
    const files = pathsOf(parsed.files).map((path) => locate(path, context.cwd));
    return { kind: 'write', paths: placesOf(input, files, context) };
  },
  title({ patch }) {
    const parsed = parsePatch(patch);
    const paths = 'refused' in parsed ? [] : pathsOf(parsed.files);
    if (paths.length <= 3) return paths.join(', ');
    return `${paths.slice(0, 2).join(', ')} and ${paths.length - 2} more files`;
  },
  async preview({ patch }, context) {
    const parsed = parsePatch(patch);
    if ('refused' in parsed) return undefined;
    const { cwd } = context;
    const { previewDisk, runPatch } = await loadPatch();
    const run = await runPatch(parsed.files, { cwd, disk: previewDisk(cwd), known: copySeen(context) });
    // Nobody is asked about what changes nothing.
    if (run.refused !== undefined && run.changes.length === 0) return { refused: describe(run) };
    return displayOf(run.changes);
  },
  run,
});

/** Loaded with the first patch: a start without one does not pay for it. */
async function loadPatch() {
  const [{ previewDisk, realDisk }, { runPatch }] = await Promise.all([
    import('./patch/disk.ts'),
    import('./patch/run-patch.ts'),
  ]);
  return { previewDisk, realDisk, runPatch };
}

async function run(input: { patch: string }, context: ToolContext): Promise<ToolOutput> {
  const parsed = parsePatch(input.patch);
  if ('refused' in parsed) return { output: parsed.refused, isError: true };
  const { cwd, memory } = context;
  const files = [...new Set(pathsOf(parsed.files).map((path) => canonical(locate(path, cwd))))].sort();
  const { realDisk, runPatch } = await loadPatch();
  const disk = realDisk(cwd, memory, (file) => judgedPlace(input, file));
  const result = await allInTurn(files, () => runPatch(parsed.files, { cwd, disk, known: context }));
  return { output: describe(result), isError: result.refused !== undefined, display: displayOf(result.changes) };
}

/** Waits for the turn of each file; in one order for all, so that two patches never wait for each other. */
const allInTurn = <T>([first, ...rest]: readonly string[], change: () => Promise<T>): Promise<T> =>
  first === undefined ? change() : inTurn(first, () => allInTurn(rest, change));

function describe({ changes, refused, undone = [] }: PatchRun): string {
  const rows = changes.flatMap(({ letter, path, from, added, removed, notes }) => {
    const counts = letter === 'D' ? '' : ` (+${added} -${removed})`;
    return [
      `${letter} ${from === undefined ? path : `${from} -> ${path}`}${counts}`,
      ...notes.map((note) => `  Note: ${note}`),
    ];
  });
  if (refused === undefined) return ['Applied the patch:', ...rows].join('\n');
  if (rows.length === 0) return `The patch was not applied; nothing was changed. ${refused}`;
  const [failed, ...behind] = undone;
  return [
    `The patch was applied only in part. ${refused}`,
    'Changed already, and so it stays:',
    ...rows,
    'Not changed:',
    `${failed} (this part failed)`,
    ...[...new Set(behind)].map((name) => `${name} (behind it, not tried)`),
    'Next: send a patch with these parts only, the failed one put right. Do not send the parts that were made again.',
  ].join('\n');
}

function displayOf(changes: readonly Change[]): Display | undefined {
  if (changes.length === 0) return undefined;
  const sum = (key: 'added' | 'removed') => changes.reduce((total, change) => total + change[key], 0);
  const path = changes.length === 1 ? changes[0]!.path : `${changes.length} files`;
  const patch = changes.map((change) => change.patch || headerOf(change)).join('');
  return { kind: 'diff', path, patch, added: sum('added'), removed: sum('removed') };
}

/** For a file that only moved, or was empty. */
const headerOf = ({ letter, path, from }: Change): string =>
  `--- ${letter === 'A' ? '/dev/null' : (from ?? path)}\n+++ ${letter === 'D' ? '/dev/null' : path}\n`;
