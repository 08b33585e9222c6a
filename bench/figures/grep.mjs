/** What one grep costs beside ripgrep alone: the slope between a session of 5 and one of 25. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, runOnce, scratch } from '../measure.mjs';
import { slope } from '../slope.mjs';

const RULERS = fileURLToPath(new URL('../rulers.mjs', import.meta.url));

function recording(count) {
  const file = join(scratch, `grep-${count}.jsonl`);
  // Never twice the same call: a loop of equal calls is something else.
  const turns = Array.from({ length: count }, (_, index) => ({
    toolCalls: [{ name: 'grep', input: { pattern: `needle ${index % 10}`, path: 'tree' } }],
  }));
  writeFileSync(file, [...turns, { text: 'done' }].map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  return file;
}

export async function grep({ ada, node, runs, project }) {
  for (let folder = 0; folder < 40; folder += 1) {
    mkdirSync(join(project, 'tree', `d${folder}`), { recursive: true });
    for (let index = 0; index < 50; index += 1) {
      const body = `line of code ${index}\n`.repeat(60) + (index % 10 === 0 ? `needle ${folder % 10}\n` : '');
      writeFileSync(join(project, 'tree', `d${folder}`, `f${index}.txt`), body);
    }
  }
  const { rgPath } = await import(createRequire(import.meta.url).resolve('@vscode/ripgrep'));
  const times = Math.max(2, Math.ceil(runs / 3));
  const value = await slope(
    (count) =>
      runOnce([...ada, '-p', '--mode', 'auto', '--model', `replay:${recording(count)}`, 'go'], {
        env: cleanEnvironment(),
        cwd: project,
      }),
    times,
    [5, 25],
  );
  const ruler = await slope(
    (count) => runOnce([...node, RULERS, 'grep', String(count), rgPath, 'tree'], { cwd: project }),
    times,
    [5, 25],
  );
  return [
    {
      figure: 'grep in 2,000 files, CPU',
      value,
      ruler,
      rulerName: 'child_process rg',
      unit: 'ms',
      limit: ruler + 10,
      rule: 'ruler + 10 ms',
    },
  ];
}
