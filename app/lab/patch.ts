/** `ada lab patch`: `{ patch, root }` to `{ changed }`, or `{ refused }`; both when the patch was applied in part. */
import { realpathSync, statSync } from 'node:fs';
import { isWithin, realPath } from '../../core/permission/paths.ts';
import { locate } from '../../core/tools/files/locate.ts';
import { realDisk } from '../../core/tools/patch/disk.ts';
import { parsePatch } from '../../core/tools/patch/parse.ts';
import { runPatch } from '../../core/tools/patch/run-patch.ts';
import { pathsOf } from '../../core/tools/patch/types.ts';
import { text } from '../lab-row.ts';

export async function patch(row: Record<string, unknown>): Promise<unknown> {
  const parsed = parsePatch(text(row, 'patch'));
  const given = text(row, 'root');
  if (!statSync(given, { throwIfNoEntry: false })?.isDirectory()) throw new Error('root must be a directory');
  const root = realpathSync(given);
  if ('refused' in parsed) return { refused: parsed.refused };
  for (const path of pathsOf(parsed.files)) {
    const real = realPath(locate(path, root));
    if (real === undefined || real === root || !isWithin(real, root)) return { refused: `${path} is not below root` };
  }
  const known = { memory: new Map(), project: root };
  const { changes, refused } = await runPatch(parsed.files, { cwd: root, disk: realDisk(root), known });
  const changed = changes.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path]));
  if (refused === undefined) return { changed };
  return changed.length > 0 ? { refused, changed } : { refused };
}
