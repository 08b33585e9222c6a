/**
 * `npm run soak`: what `npm test` does a few times, many times. `--rounds N` (default 200). Exit code 1 when one fails.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** One entry a soak: its test file, and the variable that says how often. */
const SOAKS = [{ file: 'test/e2e/chaos.test.ts', variable: 'ADA_CHAOS_ROUNDS' }];

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } });
if (!/^[1-9]\d*$/.test(values.rounds)) {
  console.error(`soak: --rounds ${values.rounds} is no number`);
  process.exit(2);
}
const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
let failed = false;
for (const { file, variable } of SOAKS) {
  const run = spawnSync(process.execPath, [vitest, 'run', file], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, [variable]: values.rounds },
  });
  failed ||= run.status !== 0;
}
process.exitCode = failed ? 1 : 0;
