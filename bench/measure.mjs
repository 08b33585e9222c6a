/**
 * CPU and memory of a program, with nothing but Node.js and bash.
 *
 * Node.js does not tell what a child used. bash does: its builtin `times` prints, in ms, the user and system time of
 * all children that it waited for, and of theirs. (/proc/PID/stat counts in steps of 10 ms, and GNU time is often not
 * there.) Memory comes from the kernel's own peak of the process, read inside it at its exit by a module that
 * NODE_OPTIONS loads; those runs are apart, so that the module costs no CPU in the others.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'ada-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const TIMED = '"$@" </dev/null >"$ADA_BENCH_OUT" 2>"$ADA_BENCH_ERR"; code=$?; times >"$ADA_BENCH_TIMES"; exit $code';
const PEAK = join(folder, 'peak.cjs');
writeFileSync(
  PEAK,
  "process.on('exit', () => { try { require('fs').appendFileSync(process.env.ADA_BENCH_PEAK, process.resourceUsage().maxRSS + '\\n'); } catch {} });\n",
);

/** A folder that lives as long as the measurement. */
export const scratch = folder;

/** Nothing of the caller's shell: no certificates to load, no colours, no settings. */
export function cleanEnvironment(extra = {}) {
  return { PATH: process.env.PATH, HOME: join(folder, 'home'), LANG: 'C.UTF-8', ...extra };
}

/**
 * Runs `argv` once: `{ cpu: seconds of the whole tree, output }`, or with `memory` `{ peak: MiB of its largest Node.js
 * process, output }`. Throws when it fails, with the end of its standard error.
 */
export async function runOnce(argv, { env = cleanEnvironment(), cwd = folder, memory = false } = {}) {
  const file = (name) => join(folder, name);
  const names = { ADA_BENCH_OUT: file('out'), ADA_BENCH_ERR: file('err'), ADA_BENCH_TIMES: file('times') };
  const more = memory ? { NODE_OPTIONS: `--require=${PEAK}`, ADA_BENCH_PEAK: file('peak') } : {};
  if (memory) writeFileSync(file('peak'), '');
  const code = await new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', TIMED, 'bench', ...argv], {
      cwd,
      env: { ...env, ...names, ...more },
      stdio: 'ignore',
    });
    child.on('error', reject);
    child.on('close', resolve);
  });
  const output = readFileSync(file('out'), 'utf8');
  if (code !== 0)
    throw new Error(`${argv.join(' ')}: exit ${code}: ${readFileSync(file('err'), 'utf8').trim().slice(-300)}`);
  if (memory)
    return { output, peak: Math.max(...readFileSync(file('peak'), 'utf8').trim().split('\n').map(Number)) / 1024 };
  return { output, cpu: childSeconds(readFileSync(file('times'), 'utf8')) };
}

/** The second line of `times` is about children: "0m0.027s 0m0.004s". */
export function childSeconds(text) {
  const line = text.trim().split('\n').at(-1);
  return [...line.matchAll(/(\d+)m([\d.,]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds.replace(',', '.')),
    0,
  );
}

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

/** Runs the program and its ruler in turn, so that a busy moment of the machine meets both: arrays of CPU seconds. */
export async function beside(program, ruler, runs) {
  const cpu = [[], []];
  for (let index = 0; index < runs; index += 1) {
    cpu[0].push((await program()).cpu);
    cpu[1].push((await ruler()).cpu);
  }
  return cpu;
}
