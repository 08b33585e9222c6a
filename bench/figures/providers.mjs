/** Importing `ada-agent/providers`, which must load no vendor's package. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beside, median, runOnce } from '../measure.mjs';

const library = pathToFileURL(fileURLToPath(new URL('../../dist/providers.js', import.meta.url))).href;
/** The figure is a difference of two small ones, and a start costs little to measure. */
const TIMES = 3;

export async function providers({ node, runs }) {
  const program = () => runOnce([...node, '-e', `import(${JSON.stringify(library)})`]);
  const ruler = () => runOnce([...node, '-e', '0']);
  const [imports, starts] = await beside(program, ruler, runs * TIMES);
  const base = median(starts) * 1000;
  // Each run is compared with the ruler's right behind it, which the same moment of the machine met.
  const more = median(imports.map((cpu, index) => cpu - starts[index])) * 1000;
  return [
    {
      figure: 'importing providers, CPU',
      value: base + more,
      ruler: base,
      rulerName: 'node -e 0',
      unit: 'ms',
      limit: base + 20,
      rule: 'ruler + 20 ms',
    },
  ];
}
