/** Gives a copy of a session what is kept for taking changes back. */
import { copyFileSync, existsSync, linkSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

/** From one session's state folder to another's. Contents never change, so that both may share them on disk. */
export function copyCheckpoints(fromState: string, toState: string): void {
  const [from, to] = [join(fromState, 'checkpoints'), join(toState, 'checkpoints')];
  if (!existsSync(from)) return;
  makeFolder(to, 0o700);
  for (const name of readdirSync(from)) {
    try {
      if (name.endsWith('.jsonl')) copyFileSync(join(from, name), join(to, name));
      else linkSync(join(from, name), join(to, name));
    } catch {
      // What cannot be had in the copy is told as no longer kept.
    }
  }
}
