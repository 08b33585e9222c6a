/**
 * `npm run catalog -- FILE|URL`: writes the rows of models.ts anew from an `api.json` of models.dev. It lies beside the
 * data that it writes; nothing imports it. `--print` writes to standard output instead.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const fail = (line, code = 1) => {
  console.error(`catalog: ${line}`);
  process.exit(code);
};

const args = process.argv.slice(2);
const [source, ...more] = args.filter((arg) => arg !== '--print');
if (!source || more.length || source.startsWith('-')) fail('usage: npm run catalog -- FILE|URL [--print]', 2);

/** The library's own modules, which Node.js cannot load as they are. */
const outfile = at('../../node_modules/.cache/ada-catalog/catalog.mjs');
await build({
  stdin: {
    contents: `
      export { catalogText, fromModelsDev } from './from-models-dev.ts';
      export { catalog } from './models.ts';
      export { createTransport } from '../transport.ts';
      export { getJson } from '../wire/get-json.ts';
      export { proxyFromEnvironment } from '../wire/proxy.ts';
    `,
    resolveDir: at('.'),
    loader: 'ts',
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile,
  logLevel: 'error',
});
const library = await import(pathToFileURL(outfile).href);

async function load() {
  if (!/^https?:\/\//.test(source)) return JSON.parse(readFileSync(source, 'utf8'));
  const transport = library.createTransport({ proxy: library.proxyFromEnvironment(process.env) });
  try {
    return await library.getJson(transport, { backend: 'models.dev', url: source });
  } finally {
    transport.close();
  }
}

/** In the project's own format. */
function formatted(text) {
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  const run = spawnSync(process.execPath, [biome, 'format', '--stdin-file-path=models.ts'], {
    cwd: at('../..'),
    input: text,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(run.stderr.trim());
  return run.stdout;
}

try {
  const file = at('models.ts');
  const rebuilt = library.fromModelsDev(await load(), library.catalog);
  const text = formatted(library.catalogText(readFileSync(file, 'utf8'), rebuilt));
  for (const vendor of rebuilt.kept) console.error(`catalog: ${vendor} is not in ${source}; its rows stay as they are`);
  if (args.includes('--print')) process.stdout.write(text);
  else {
    writeFileSync(file, text);
    const count = Object.values(rebuilt.rows).flat().length;
    console.error(`catalog: ${count} models of ${Object.keys(rebuilt.rows).length} vendors, as of ${rebuilt.asOf}`);
  }
} catch (error) {
  fail(error.message);
}
