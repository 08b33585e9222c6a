/** Extended attributes and access lists, which Node.js cannot see, from a file to the one that will replace it. */
import { spawn } from 'node:child_process';
import { copyFile } from 'node:fs/promises';

/**
 * Copies what the platform has a tool for: on Linux `cp` of coreutils, on macOS the system's own file copy (with the
 * content, which the caller writes over). Elsewhere, and where the file system keeps no such attributes, nothing. A
 * failure is no error: mode and owner are the caller's business.
 */
export async function copyAttributes(from: string, to: string): Promise<void> {
  if (process.platform === 'darwin') await copyFile(from, to).catch(() => {});
  if (process.platform !== 'linux') return;
  await new Promise<void>((resolve) => {
    const child = spawn('cp', ['--attributes-only', '--preserve=all', '--', from, to], { stdio: 'ignore' });
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
}
