/** What one tool call costs: the slope between a loop of 20 and one of 100, so that the start does not count. */
import { fileURLToPath } from 'node:url';
import { runOnce } from '../measure.mjs';
import { slope } from '../slope.mjs';

const RULERS = fileURLToPath(new URL('../rulers.mjs', import.meta.url));
/** Calls in the short and the long loop. */
const LOOPS = [20, 100];

export async function calls({ ada, node, runs, server, environment, project }) {
  const times = Math.max(2, Math.ceil(runs / 3));
  const loop = (tool) =>
    slope(
      (count) =>
        runOnce([...ada, '-p', '--mode', 'auto', 'go'], { env: environment(`${tool}-${count}`), cwd: project }),
      times,
      LOOPS,
    );
  const bare =
    (...args) =>
    (count) =>
      runOnce([...node, RULERS, args[0], String(count), ...args.slice(1)], { cwd: project });
  const read = await loop('read');
  const readRuler = await slope(bare('read', server), times, LOOPS);
  const bash = await loop('bash');
  const bashRuler = await slope(bare('bash'), times, LOOPS);
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
