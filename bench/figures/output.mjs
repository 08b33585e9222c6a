/** What a command that writes 10 MB costs beside one whose output is only read: the slope between one of them and four. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, runOnce, scratch } from '../measure.mjs';
import { slope } from '../slope.mjs';

const RULERS = fileURLToPath(new URL('../rulers.mjs', import.meta.url));

function recording(count) {
  const file = join(scratch, `output-${count}.jsonl`);
  const turns = Array.from({ length: count }, (_, index) => ({
    toolCalls: [{ name: 'bash', input: { command: `yes 'line ${index} of output' | head -c 10000000` } }],
  }));
  writeFileSync(file, [...turns, { text: 'done' }].map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  return file;
}

export async function output({ ada, node, runs, project }) {
  const times = Math.max(2, Math.ceil(runs / 3));
  const value = await slope(
    (count) =>
      runOnce([...ada, '-p', '--mode', 'auto', '--model', `replay:${recording(count)}`, 'go'], {
        env: cleanEnvironment(),
        cwd: project,
      }),
    times,
    [1, 4],
  );
  const ruler = await slope(
    (count) => runOnce([...node, RULERS, 'output', String(count)], { cwd: project }),
    times,
    [1, 4],
  );
  return [
    {
      figure: '10 MB of output, CPU',
      value,
      ruler,
      rulerName: 'child_process bash, read',
      unit: 'ms',
      limit: ruler * 3 + 150,
      rule: '3 × ruler + 150 ms',
    },
  ];
}
