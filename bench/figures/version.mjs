/** `ada --version` against `node -e 0`: what every start costs. */
import { beside, median, runOnce } from '../measure.mjs';

export async function version({ ada, node, runs }) {
  const program = () => runOnce([...ada, '--version']);
  const ruler = () => runOnce([...node, '-e', '0']);
  const [cpu, base] = (await beside(program, ruler, runs)).map(median);
  const memory = (argv) => runOnce(argv, { memory: true });
  const [peak, least] = [await memory([...ada, '--version']), await memory([...node, '-e', '0'])].map(
    (run) => run.peak,
  );
  return [
    {
      figure: '--version, CPU',
      value: cpu * 1000,
      ruler: base * 1000,
      rulerName: 'node -e 0',
      unit: 'ms',
      limit: base * 1000 + 15,
      rule: 'ruler + 15 ms',
    },
    {
      figure: '--version, memory',
      value: peak,
      ruler: least,
      rulerName: 'node -e 0',
      unit: 'MiB',
      limit: least * 1.15,
      rule: '1.15 × ruler',
    },
  ];
}
