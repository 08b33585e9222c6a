/** Makes a program that Node.js 20 can run from a few lines that use the project's modules. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Bundles `source` as if it stood in `app/`; `remove` deletes the file again. */
export function bundleProgram(source: string): { file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'ada-program-'));
  const file = join(folder, 'program.mjs');
  buildSync({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('../../app', import.meta.url)), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: file,
    logLevel: 'error',
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
