/** Importing `ada-agent/providers`, which must load no vendor's package. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beside, median, runOnce } from '../measure.mjs';

const library = pathToFileURL(fileURLToPath(new URL('../../dist/providers.js', import.meta.url))).href;

export async function providers({ node, runs }) {
  const program = () => runOnce([...node, '-e', `import(${JSON.stringify(library)})`]);
  const ruler = () => runOnce([...node, '-e', '0']);
  const [cpu, base] = (await beside(program, ruler, runs)).map((values) => median(values) * 1000);
  return [
    {
      figure: 'importing providers, CPU',
      value: cpu,
      ruler: base,
      rulerName: 'node -e 0',
      unit: 'ms',
      limit: base + 20,
      rule: 'ruler + 20 ms',
    },
  ];
}
