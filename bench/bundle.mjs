import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { runOnce, scratch } from './measure.mjs';

/** Path of a program made of `source`, which imports the project's own modules by their absolute paths. */
export async function bundled(name, source) {
  const entry = join(scratch, `${name}-program.ts`);
  const outfile = fileURLToPath(new URL(`../node_modules/.cache/ada-bench/${name}.mjs`, import.meta.url));
  writeFileSync(entry, source);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.12',
    external: ['node-pty'],
    logLevel: 'error',
  });
  return outfile;
}

/** What a program made of `source` prints, as JSON; it runs in a process of its own. */
export async function answerOf(node, name, source) {
  return JSON.parse((await runOnce([...node, await bundled(name, source)])).output);
}

/** The path of a module of the project, as it stands in such a source. */
export const moduleAt = (path) => JSON.stringify(fileURLToPath(new URL(`../${path}`, import.meta.url)));
