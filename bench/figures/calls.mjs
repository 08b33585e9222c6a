/** What one tool call costs: the slope between a loop of 20 and one of 100, so that the start does not count. */
import { fileURLToPath } from 'node:url';
import { runOnce } from '../measure.mjs';

const RULERS = fileURLToPath(new URL('../rulers.mjs', import.meta.url));
const FEW = 20;
const MANY = 100;

/** ms of CPU a call; the least of several runs, since a slope magnifies noise. */
async function slope(run, runs) {
  const least = { [FEW]: Number.POSITIVE_INFINITY, [MANY]: Number.POSITIVE_INFINITY };
  for (let index = 0; index < runs; index += 1) {
    for (const count of [FEW, MANY]) least[count] = Math.min(least[count], (await run(count)).cpu);
  }
  return ((least[MANY] - least[FEW]) / (MANY - FEW)) * 1000;
}

export async function calls({ ada, node, runs, server, environment, project }) {
  const times = Math.max(2, Math.ceil(runs / 3));
  const loop = (tool) =>
    slope(
      (count) =>
        runOnce([...ada, '-p', '--mode', 'auto', 'go'], { env: environment(`${tool}-${count}`), cwd: project }),
      times,
    );
  const bare =
    (...args) =>
    (count) =>
      runOnce([...node, RULERS, args[0], String(count), ...args.slice(1)], { cwd: project });
  const read = await loop('read');
  const readRuler = await slope(bare('read', server), times);
  const bash = await loop('bash');
  const bashRuler = await slope(bare('bash'), times);
  return [
    {
      figure: 'one read_file call, CPU',
      value: read,
      ruler: readRuler,
      rulerName: 'bare http + readFile',
      unit: 'ms',
      limit: 2.5,
      rule: '2.5 ms',
    },
    {
      figure: 'one bash call (true), CPU',
      value: bash,
      ruler: bashRuler,
      rulerName: 'child_process bash',
      unit: 'ms',
      limit: bashRuler * 2,
      rule: '2 × ruler',
    },
  ];
}
