/** The unsent draft of a session, kept in its state folder from one start to the next. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileIn = (stateDir: string): string => join(stateDir, 'draft.txt');

/** Keeps a draft; an empty one leaves nothing behind. False when the disk refuses. */
export function keepDraft(stateDir: string, text: string): boolean {
  try {
    if (text === '') {
      rmSync(fileIn(stateDir), { force: true });
      return true;
    }
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    writeFileSync(fileIn(stateDir), text, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** The draft that was kept, '' without one. */
export function keptDraft(stateDir: string): string {
  try {
    return readFileSync(fileIn(stateDir), 'utf8');
  } catch {
    return '';
  }
}
