/** What a project and a person tell every session: AGENTS.md, or else CLAUDE.md, from the project's root down, and $ADA_HOME/AGENTS.md. */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export interface Instructions {
  /** The person's own first, then from the project's root down to the working directory. */
  files: readonly { path: string; text: string }[];
  /** What was left out, in one line. */
  notice?: string;
}

/** Bytes of all files together: a small model must have room for work. */
const MAX_BYTES = 32 * 1024;

/** Reads the instructions; missing and unreadable files are left out, the text beyond 32 kB with a notice. */
export function readInstructions(options: { project: string; cwd: string; adaHome: string }): Instructions {
  const { project, cwd, adaHome } = options;
  const files: { path: string; text: string }[] = [];
  const cut: string[] = [];
  const odd: string[] = [];
  let left = MAX_BYTES;
  const add = (path: string, root: string | undefined): boolean => {
    const bytes = readFile(path, root, left + 1);
    if (bytes === undefined) return false;
    if (bytes === 'no file') {
      odd.push(path);
      return false;
    }
    const isCut = bytes.length > left;
    if (isCut) cut.push(path);
    // A character that the limit cuts in two is left out.
    const text = new TextDecoder().decode(bytes.subarray(0, left), { stream: true }).trim();
    left -= Math.min(bytes.length, left);
    if (text !== '') files.push({ path, text });
    return true;
  };

  add(join(adaHome, 'AGENTS.md'), undefined);
  for (const folder of foldersFrom(project, cwd)) {
    if (!add(join(folder, 'AGENTS.md'), project)) add(join(folder, 'CLAUDE.md'), project);
  }
  const notices: string[] = [];
  if (cut.length > 0)
    notices.push(`instructions are longer than ${MAX_BYTES / 1024} kB; the rest of ${cut.join(', ')} is left out`);
  if (odd.length > 0) notices.push(`${odd.join(', ')} is no plain file and is not read as instructions`);
  return notices.length > 0 ? { files, notice: notices.join('; ') } : { files };
}

function foldersFrom(project: string, cwd: string): readonly string[] {
  const way = relative(project, cwd);
  if (way === '' || way.startsWith('..') || way.startsWith(sep)) return [project];
  const folders = [project];
  for (const name of way.split(sep)) folders.push(join(folders.at(-1)!, name));
  return folders;
}

/** At most `limit` bytes of a plain file; undefined where there is none, and for a link that leads out of `root`. */
function readFile(path: string, root: string | undefined, limit: number): Buffer | 'no file' | undefined {
  let fd: number | undefined;
  try {
    const real = realpathSync(path);
    if (root !== undefined && !real.startsWith(realpathSync(root).replace(/\/?$/, '/'))) return undefined;
    // A pipe with this name must not hold up the start.
    fd = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(fd).isFile()) return 'no file';
    const bytes = Buffer.alloc(Math.max(limit, 1));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
