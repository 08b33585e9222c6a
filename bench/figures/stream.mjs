/** A reply of 20,000 chunks. */
import { fileURLToPath } from 'node:url';
import { beside, median, runOnce } from '../measure.mjs';

const RULERS = fileURLToPath(new URL('../rulers.mjs', import.meta.url));
const MODEL = 'stream-20000';

export async function stream({ ada, node, runs, server, environment, project }) {
  const program = (memory) => runOnce([...ada, '-p', 'go'], { env: environment(MODEL), cwd: project, memory });
  const ruler = (memory) => runOnce([...node, RULERS, 'stream', server, MODEL], { memory });
  const times = Math.max(2, Math.ceil(runs / 3));
  const [cpu, base] = (
    await beside(
      () => program(false),
      () => ruler(false),
      times,
    )
  ).map(median);
  const most = await program(true);
  const least = await ruler(true);
  if (most.output.trimEnd() !== least.output.trimEnd())
    throw new Error('ada did not print the reply that the ruler read');
  return [
    {
      figure: '20,000 chunks, CPU',
      value: cpu * 1000,
      ruler: base * 1000,
      rulerName: 'bare http client',
      unit: 'ms',
      limit: 350,
      rule: '350 ms',
    },
    {
      figure: '20,000 chunks, memory',
      value: most.peak,
      ruler: least.peak,
      rulerName: 'bare http client',
      unit: 'MiB',
      limit: 100,
      rule: '100 MiB',
    },
  ];
}
