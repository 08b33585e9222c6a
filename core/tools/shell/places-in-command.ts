/** The files and folders that a command seems to name: what lies in them may have to be known before it runs. */
import { resolve } from 'node:path';

const MOST = 10;
const PATH = /(?<=\bcd\s{1,4}["']?)[\w@%+=:,.~-]+|[\w@%+=:,.~-]*(?:\/[\w@%+=:,.~-]+)+/g;

/** Absolute; the working directory is the first. Words that the shell makes itself are not seen. */
export function placesInCommand(command: string, cwd: string): string[] {
  const places = [cwd];
  // A command without a path costs one look.
  if (!command.includes('/') && !command.includes('cd ')) return places;
  for (const [path] of command.slice(0, 4096).matchAll(PATH)) {
    if (places.push(resolve(cwd, path)) > MOST) break;
  }
  return places;
}
