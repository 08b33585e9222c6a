/** Gives a copy of a session what is kept for taking changes back. */
import { copyFileSync, linkSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

/** From one session's state folder to another's. Contents never change, so that both may share them on disk. */
export function copyCheckpoints(fromState: string, toState: string): void {
  const [from, to] = [join(fromState, 'checkpoints'), join(toState, 'checkpoints')];
  if (!isFolder(fromState) || !isFolder(from)) return;
  makeFolder(to, 0o700);
  for (const name of readdirSync(from)) {
    try {
      // A link would have the copy hold what lies elsewhere.
      if (!lstatSync(join(from, name)).isFile()) continue;
      if (name.endsWith('.jsonl')) copyFileSync(join(from, name), join(to, name));
      else linkSync(join(from, name), join(to, name));
    } catch {
      // What cannot be had in the copy is told as no longer kept.
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
