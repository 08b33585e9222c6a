/** `ada -p` with one short answer, and the size of the first request. */
import { beside, median, runOnce } from '../measure.mjs';

export async function print({ ada, node, runs, server, environment, project }) {
  const options = { env: environment('hi'), cwd: project };
  const program = (memory) => runOnce([...ada, '-p', 'say hi'], { ...options, memory });
  const ruler = (memory) => runOnce([...node, '-e', '0'], { memory });
  const [cpu, base] = (
    await beside(
      () => program(false),
      () => ruler(false),
      runs,
    )
  ).map(median);
  const { peak, output } = await program(true);
  if (output !== 'Hi there.\n') throw new Error(`ada -p printed ${JSON.stringify(output)}`);
  const least = (await ruler(true)).peak;
  const first = (await (await fetch(`${server}/bench/first`)).json())['hi:latest'];
  return [
    {
      figure: '-p, one answer, CPU',
      value: cpu * 1000,
      ruler: base * 1000,
      rulerName: 'node -e 0',
      unit: 'ms',
      limit: base * 5500,
      rule: '5.5 × ruler',
    },
    {
      figure: '-p, one answer, memory',
      value: peak,
      ruler: least,
      rulerName: 'node -e 0',
      unit: 'MiB',
      limit: 75,
      rule: '75 MiB',
    },
    {
      figure: `first request (${first.tools} tools)`,
      value: first.bytes,
      ruler: null,
      rulerName: null,
      unit: 'bytes',
      limit: 4500,
      rule: '4,500 bytes',
    },
  ];
}
