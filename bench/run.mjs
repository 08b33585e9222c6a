/**
 * `npm run bench`: what ada costs, each figure beside its ruler in the same run and the same clean environment.
 * `--only NAME` (repeatable) · `--runs N` · `--json` one object a line. Exit code 1 when a figure is over its limit.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { calls } from './figures/calls.mjs';
import { convert } from './figures/convert.mjs';
import { decode } from './figures/decode.mjs';
import { edit } from './figures/edit.mjs';
import { grep } from './figures/grep.mjs';
import { judge } from './figures/judge.mjs';
import { output } from './figures/output.mjs';
import { prefix } from './figures/prefix.mjs';
import { print } from './figures/print.mjs';
import { providers } from './figures/providers.mjs';
import { sessions } from './figures/sessions.mjs';
import { stream } from './figures/stream.mjs';
import { version } from './figures/version.mjs';
import { cleanEnvironment, scratch } from './measure.mjs';
import { tableOf } from './table.mjs';

/**
 * One entry a bench: it takes the context below and gives rows { figure, value, ruler, rulerName, unit, limit, rule };
 * a value at most its limit is ok, with `least` one that is at least it; null is no limit.
 */
const FIGURES = {
  version,
  print,
  prefix,
  calls,
  output,
  stream,
  edit,
  grep,
  judge,
  providers,
  convert,
  decode,
  sessions,
};

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, runs: { type: 'string' }, json: { type: 'boolean' } },
});
const unknown = (values.only ?? []).find((name) => !(name in FIGURES));
if (unknown !== undefined) {
  console.error(`bench: no figure ${unknown}; there are ${Object.keys(FIGURES).join(', ')}`);
  process.exit(2);
}
const entry = fileURLToPath(new URL('../app/ada.cjs', import.meta.url));
if (!existsSync(new URL('../dist/main.js', import.meta.url))) {
  console.error('bench: dist/ is missing: npm run build');
  process.exit(2);
}

const project = join(scratch, 'project');
for (const folder of [cleanEnvironment().HOME, project, join(project, '.git')]) mkdirSync(folder, { recursive: true });
for (let index = 0; index <= 100; index += 1)
  writeFileSync(join(project, `f${index}.txt`), `line of file ${index}\n`.repeat(20));

// The server is a process of its own, so that its work is not counted.
const model = spawn(process.execPath, [fileURLToPath(new URL('./model-server.mjs', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const [server] = await once(createInterface({ input: model.stdout }), 'line');

const context = {
  ada: [process.execPath, entry],
  node: [process.execPath],
  runs: Number(values.runs ?? 9),
  server,
  project,
  // The server counts the results in a request: with some left out it would never come to its end.
  environment: (name) =>
    cleanEnvironment({ OLLAMA_HOST: server, ADA_MODEL: `${name}:latest`, ADA_COMPACT_AT: '0', NO_COLOR: '1' }),
};

const number = (value, unit) =>
  value === null ? '–' : `${unit === 'bytes' ? Math.round(value) : value.toFixed(value < 10 ? 2 : 1)} ${unit}`;
const row = tableOf([28, 12, 34, 8, 15, 5]);

let over = false;
if (!values.json) row(['figure', 'value', 'ruler', 'ratio', 'limit', '']);
try {
  for (const name of values.only ?? Object.keys(FIGURES)) {
    for (const figure of await FIGURES[name](context)) {
      const { limit } = figure;
      const ok = limit === null || (figure.least ? figure.value >= limit : figure.value <= limit);
      over ||= !ok;
      if (values.json) console.log(JSON.stringify({ bench: name, ...figure, ok }));
      else {
        const { value, ruler, rulerName, unit, rule } = figure;
        row([
          figure.figure,
          number(value, unit),
          ruler === null ? '–' : `${number(ruler, unit)} ${rulerName}`,
          ruler ? `${(value / ruler).toFixed(2)} ×` : '–',
          rule,
          limit === null ? '' : ok ? 'ok' : 'SHORT',
        ]);
      }
    }
  }
} finally {
  model.stdin.end();
}
process.exitCode = over ? 1 : 0;
