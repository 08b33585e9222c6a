/**
 * What the permission engine judges is what a tool then opens: a gate notes where each path of a call really leads, names
 * that place to the engine too, and the tool refuses to go anywhere else. Another process may make a link of a folder at
 * any moment between the two.
 */
import { relative } from 'node:path';
import { secretNameOf } from '../../permission/hard-links.ts';
import { canonical } from './locate.ts';

/** By the input of the call, which gate and tool get the same; a file by its place as located. */
const judged = new WeakMap<object, Map<string, string>>();

interface Where {
  cwd: string;
  project?: string;
}

/** The paths for the engine: as located, and besides where they lead when links below the working directory say so. */
export function placesOf(input: object, files: readonly string[], where: Where): string[] {
  const noted = new Map<string, string>();
  judged.set(input, noted);
  const paths: string[] = [];
  const base = canonical(where.cwd);
  for (const file of files) {
    const real = canonical(file);
    noted.set(file, real);
    paths.push(file);
    if (real !== file && relative(base, real) !== relative(where.cwd, file)) paths.push(real);
    const secret = secretNameOf(real, where.project ?? where.cwd);
    // A file with several names is also judged by the one that says that it may hold secrets.
    if (secret) paths.push(secret);
  }
  return [...new Set(paths)];
}

/** Where the gate of this call saw `file` lead; undefined for a call that no gate has seen. */
export const judgedPlace = (input: object, file: string): string | undefined => judged.get(input)?.get(file);
