#!/usr/bin/env node
/**
 * Builds dist/ and runs the project's commands: `node build.mjs build | pack | start | test | swebench | prepare`.
 * `start`, `test` and `swebench` install what is missing and build what is stale first, so that a fresh clone needs
 * one command. Nothing but Node.js is needed to run this file.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const at = (...parts) => join(root, ...parts);
const mtime = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** Installs when node_modules is missing or older than the lock. */
function install() {
  if (mtime(at('node_modules/.package-lock.json')) >= mtime(at('package-lock.json'))) return;
  if (!existsSync(at('package-lock.json'))) return;
  console.error('ada: installing dependencies (npm ci)');
  // --ignore-scripts: no dependency needs one, and our own `prepare` would build a second time.
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) process.exit(npm.status ?? 1);
}

function* sources(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue;
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else yield path;
  }
}

function stale() {
  const built = mtime(at('dist/.built'));
  if (!built) return true;
  for (const file of [at('build.mjs'), at('package.json'), at('node_modules/.package-lock.json')])
    if (mtime(file) > built) return true;
  for (const room of ['providers', 'core', 'app', 'bench']) {
    if (!existsSync(at(room))) continue;
    for (const file of sources(at(room))) if (mtime(file) > built) return true;
  }
  return false;
}

/** Yoga reads its own data: URL with fetch, which loads all of undici (80 ms of CPU); without it, it decodes the bytes. */
const yogaWithoutFetch = {
  name: 'yoga-without-fetch',
  setup(builder) {
    builder.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('typeof fetch', 'typeof undefined'),
      loader: 'js',
    }));
  },
};

/**
 * Without this the bundler would cut what every door needs into a chunk for each set of modules that share it, and
 * each file more costs every start a millisecond. Whatever is loaded late and uses any of it imports all of it, which
 * by then is there: so it stays in one piece. `apart` is a door that needs little of it and is to start sooner than the
 * whole piece is read: it gets a copy of what it imports.
 */
function inOnePiece(metafile, door, apart) {
  const { outputs } = metafile;
  const inputsOf = (output, seen = new Set()) => {
    if (seen.has(output) || !outputs[output]) return [];
    seen.add(output);
    const { inputs, imports } = outputs[output];
    const needed = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
    return [...Object.keys(inputs), ...needed.flatMap((path) => inputsOf(path, seen))];
  };
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint);
  const inputs = new Map(entries.map(([output, { entryPoint }]) => [entryPoint, inputsOf(output)]));
  const atStart = new Set(inputs.get('app/main.ts'));
  const piece = [...new Set(inputs.get(door))].filter(
    (input) => input !== door && !atStart.has(input) && !input.includes('node_modules'),
  );
  const users = [...inputs].filter(
    ([entry, files]) => files.some((file) => piece.includes(file)) && entry !== 'app/main.ts' && entry !== apart,
  );
  const late = new Set(users.map(([entry]) => at(entry)));
  const shared = new Set(piece.map((file) => at(file)));
  return {
    name: 'in-one-piece',
    setup(builder) {
      builder.onResolve({ filter: /^ada:piece$/ }, ({ path }) => ({ path, namespace: 'ada' }));
      builder.onLoad({ filter: /.*/, namespace: 'ada' }, () => ({
        contents: piece.map((file) => `import ${JSON.stringify(at(file))};`).join('\n'),
        resolveDir: root,
      }));
      builder.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir, importer, kind, pluginData }) => {
        if (kind !== 'import-statement' || (importer !== at(apart) && pluginData !== apart)) return undefined;
        const file = join(resolveDir, path);
        return shared.has(file) ? { path: file, suffix: '?copy', pluginData: apart } : undefined;
      });
      builder.onLoad({ filter: /\.ts$/ }, ({ path, suffix }) => {
        if (suffix) return { contents: readFileSync(path, 'utf8'), loader: 'ts', pluginData: apart };
        return late.has(path)
          ? { contents: `${readFileSync(path, 'utf8')}\nimport 'ada:piece';\n`, loader: 'ts' }
          : undefined;
      });
    },
  };
}

async function build() {
  const { build: bundle } = await import('esbuild');
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  rmSync(at('dist'), { recursive: true, force: true });
  mkdirSync(at('dist'), { recursive: true });
  const common = {
    bundle: true,
    platform: 'node',
    target: 'node20.12',
    format: 'esm',
    minify: true,
    keepNames: false,
    legalComments: 'none',
    define: { ADA_VERSION: JSON.stringify(version), 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  };
  const entries = { main: 'app/main.ts', swebench: 'bench/swebench/main.ts' };
  const options = (files) => ({
    ...common,
    entryPoints: Object.entries(files)
      .filter(([, file]) => existsSync(at(file)))
      .map(([out, file]) => ({ in: at(file), out })),
    outdir: at('dist'),
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [yogaWithoutFetch],
    external: ['node-pty', '@vscode/ripgrep', 'react-devtools-core'],
    // Bundled CommonJS packages call require for Node's own modules.
    banner: {
      js: "import{createRequire as __adaRequire}from'node:module';const require=__adaRequire(import.meta.url);",
    },
  });
  const { metafile } = await bundle({ ...options(entries), metafile: true, write: false, logLevel: 'silent' });
  const whole = options(entries);
  await bundle({
    ...whole,
    plugins: [...whole.plugins, inOnePiece(metafile, 'app/print.ts', 'app/commands/sessions.ts')],
  });
  // By itself, so that it is one file: every further one costs who imports it a millisecond.
  await bundle(options({ providers: 'providers/index.ts' }));
  // The bundler has it import the helpers for CommonJS too, which only what is loaded later uses: one more file.
  const library = at('dist/providers.js');
  writeFileSync(library, readFileSync(library, 'utf8').replace(/^import"\.\/chunks\/[\w-]+\.js";/m, ''));
  // The grammar of bash, which core/permission/shell/load-grammar.ts looks for beside its chunk and above it.
  for (const file of ['web-tree-sitter/web-tree-sitter.wasm', 'tree-sitter-bash/tree-sitter-bash.wasm'])
    copyFileSync(at('node_modules', file), at('dist', file.slice(file.indexOf('/') + 1)));
  writeFileSync(at('dist/.built'), `${version}\n`);
}

/** The types of `ada-agent/providers`, which only a package needs: they take longer than all the rest. */
function declarations() {
  const options =
    '--ignoreConfig --target es2022 --lib es2023 --module nodenext --moduleResolution nodenext --types node --strict ' +
    '--noUncheckedIndexedAccess --skipLibCheck --verbatimModuleSyntax --allowImportingTsExtensions --declaration ' +
    '--emitDeclarationOnly --rootDir providers --outDir dist/types';
  const tsc = spawnSync(
    process.execPath,
    [at('node_modules/typescript/bin/tsc'), 'providers/index.ts', ...options.split(' ')],
    { cwd: root, stdio: ['ignore', 2, 2] },
  );
  if (tsc.status !== 0) process.exit(tsc.status ?? 1);
}

async function prepare() {
  install();
  if (stale()) await build();
}

function run(command, args, options = {}) {
  const child = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  process.exit(child.status ?? 1);
}

const [task = 'build', ...args] = process.argv.slice(2);
if (task === 'build') {
  if (!existsSync(at('node_modules/esbuild'))) install();
  // `npm ci --omit=dev` has no bundler, and needs none when dist/ came with the package.
  if (existsSync(at('node_modules/esbuild'))) await build();
} else if (task === 'pack') {
  if (!existsSync(at('node_modules/typescript'))) install();
  await build();
  declarations();
} else if (task === 'prepare') await prepare();
else if (task === 'start') {
  await prepare();
  const bare = args.length === 0 && !(process.stdin.isTTY && process.stdout.isTTY);
  process.argv = [process.argv[0], at('app/ada.cjs'), ...(bare ? ['demo', '--print'] : args)];
  await import(pathToFileURL(at('app/ada.cjs')).href);
} else if (task === 'test') {
  await prepare();
  run(process.execPath, [at('node_modules/vitest/vitest.mjs'), 'run', ...args]);
} else if (task === 'swebench') {
  await prepare();
  run(process.execPath, [at('dist/swebench.js'), ...args]);
} else {
  console.error(`build.mjs: unknown task ${task}`);
  process.exit(2);
}
