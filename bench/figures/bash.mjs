/**
 * What one command costs in the shell tool alone, without a model or a log: the slope between 20 and 100 commands in
 * one process, beside bare shells of `child_process`, both with and without a large heap, since a fork copies its page
 * tables. Every process that was started is waited for, so that its CPU counts.
 */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundled } from '../bundle.mjs';
import { runOnce, scratch } from '../measure.mjs';

const FEW = 20;
const MANY = 100;
const HEAP_MIB = 60;

const source = fileURLToPath(new URL('../../core/tools/shell/', import.meta.url));
const program = `
import { runCommand } from ${JSON.stringify(join(source, 'run-command.ts'))};
import { endJobs, shellState } from ${JSON.stringify(join(source, 'shell-state.ts'))};
import { spawn } from 'node:child_process';
const [kind, count, mebibytes] = process.argv.slice(2);
const held = Array.from({ length: Number(mebibytes) }, () => Buffer.alloc(1 << 20, 1));
const memory = new Map();
const state = shellState(memory);
const { signal } = new AbortController();
for (let index = 0; index < Number(count); index += 1) {
  if (kind === 'tool')
    await runCommand(state, {
      command: 'true ' + index, cwd: process.cwd(), shell: '/bin/bash', env: process.env, timeoutMs: 60_000,
      signal, progress() {}, outputFile: process.cwd() + '/output', stateDir: process.cwd(),
    });
  else
    await new Promise((resolve, reject) => {
      spawn('/bin/bash', ['-c', 'true ' + index], { stdio: ['ignore', 'pipe', 'pipe'] }).on('close', resolve).on('error', reject);
    });
}
await endJobs(memory);
process.exit(held.length === Number(mebibytes) ? 0 : 1);
`;

export async function bash({ node, runs }) {
  const outfile = await bundled('bash', program);
  const cases = [
    ['tool', 0],
    ['bare', 0],
    ['tool', HEAP_MIB],
    ['bare', HEAP_MIB],
  ];
  const least = cases.map(() => ({ [FEW]: Number.POSITIVE_INFINITY, [MANY]: Number.POSITIVE_INFINITY }));
  for (let round = 0; round < Math.max(3, Math.ceil(runs / 2)); round += 1)
    for (const [index, [kind, heap]] of cases.entries())
      for (const count of [FEW, MANY]) {
        const { cpu } = await runOnce([...node, outfile, kind, String(count), String(heap)], { cwd: scratch });
        least[index][count] = Math.min(least[index][count], cpu);
      }
  const [tool, bare, toolLarge, bareLarge] = least.map((by) => ((by[MANY] - by[FEW]) / (MANY - FEW)) * 1000);
  const row = (figure, value, ruler) => ({
    figure,
    value,
    ruler,
    rulerName: 'child_process bash',
    unit: 'ms',
    limit: ruler * 2,
    rule: '2 × ruler',
  });
  return [row('shell tool, true, CPU', tool, bare), row(`… in a heap of ${HEAP_MIB} MiB more`, toolLarge, bareLarge)];
}
