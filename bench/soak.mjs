/**
 * `npm run soak`: what `npm test` does a few times, many times, and one session of thousands of turns. `--rounds N`: how
 * often each, in place of its own number; `--only NAME` (repeatable). Exit code 1 when one fails.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = (args, more = {}) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...more } }).status === 0;

/** A test file again, with the variable that says how often. */
const tests = (file, variable) => (rounds) =>
  node([join(root, 'node_modules/vitest/vitest.mjs'), 'run', file], { [variable]: String(rounds) });

/** Bundled where it runs: what it drives is the program's inside, not its command line. */
async function longSession(rounds) {
  const { build } = await import('esbuild');
  const folder = mkdtempSync(join(tmpdir(), 'ada-soak-bundle-'));
  try {
    await build({
      entryPoints: ['long-session', 'talk'].map((name) => join(root, `bench/soak/${name}.ts`)),
      bundle: true,
      platform: 'node',
      target: 'node20.12',
      format: 'esm',
      splitting: true,
      outExtension: { '.js': '.mjs' },
      outdir: folder,
      logLevel: 'warning',
      external: ['node-pty', '@vscode/ripgrep', 'react-devtools-core'],
    });
    return node([join(folder, 'long-session.mjs'), join(folder, 'talk.mjs'), String(rounds)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One entry a soak: how often unless `--rounds` says, and what runs; true when all went well. */
const SOAKS = {
  kill: { rounds: 300, run: tests('test/e2e/chaos.test.ts', 'ADA_CHAOS_ROUNDS') },
  fuzz: { rounds: 10_000, run: tests('test/core/log-fuzz.test.ts', 'ADA_FUZZ_SEEDS') },
  long: { rounds: 2_000, run: longSession },
};

const { values } = parseArgs({
  options: { rounds: { type: 'string' }, only: { type: 'string', multiple: true } },
});
const unknown = (values.only ?? []).find((name) => !Object.hasOwn(SOAKS, name));
if (unknown !== undefined || (values.rounds !== undefined && !/^[1-9]\d*$/.test(values.rounds))) {
  const known = Object.keys(SOAKS).join(', ');
  console.error(
    unknown ? `soak: no soak ${unknown}; there are ${known}` : `soak: --rounds ${values.rounds} is no number`,
  );
  process.exit(2);
}
let failed = false;
for (const name of values.only ?? Object.keys(SOAKS)) {
  const { rounds, run } = SOAKS[name];
  const ok = await run(Number(values.rounds ?? rounds));
  console.log(`soak ${name}: ${ok ? 'ok' : 'FAILED'}`);
  failed ||= !ok;
}
process.exitCode = failed ? 1 : 0;
