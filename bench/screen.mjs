/**
 * `npm run bench:screen`: what the full-screen app costs and how quickly it answers, in a pseudoterminal of 120×40 that
 * a terminal emulator reads, in the same clean environment as its ruler. Linux only. `--json` one object a line.
 * Exit code 1 when a figure is over its limit.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cleanEnvironment, median, runOnce, scratch } from './measure.mjs';
import { openEye } from './screen/pty-eye.mjs';
import { tableOf } from './table.mjs';

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, runs: { type: 'string' }, json: { type: 'boolean' } },
});
const runs = Number(values.runs ?? 7);
const entry = fileURLToPath(new URL('../app/ada.cjs', import.meta.url));
const project = join(scratch, 'project');
for (const folder of [cleanEnvironment().HOME, project, join(project, '.git'), join(project, '.ada/sessions')])
  mkdirSync(folder, { recursive: true });

// A process of its own, so that its work is not counted.
const server = spawn(process.execPath, [fileURLToPath(new URL('./model-server.mjs', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const [url] = await once(createInterface({ input: server.stdout }), 'line');

async function open(model, args = []) {
  const env = cleanEnvironment({ OLLAMA_HOST: url, ADA_MODEL: `${model}:latest`, TERM: 'xterm-256color' });
  const eye = openEye([process.execPath, entry, ...args], { env, cwd: project });
  await eye.until(/● local/, 'the model in the status line');
  return eye;
}
/** Nothing is left to load. */
const settled = async (eye) => {
  for (let before = -1; eye.cpu() - before > 0.001; ) {
    before = eye.cpu();
    await sleep(300);
  }
};

/** From the start until a prompt can be typed, and until nothing more is loaded. */
async function ready() {
  const cpu = { ready: [], loaded: [], node: [] };
  for (let index = 0; index < runs; index += 1) {
    const eye = await open('hi');
    cpu.ready.push(eye.cpu());
    await settled(eye);
    cpu.loaded.push(eye.cpu());
    await eye.close();
    cpu.node.push((await runOnce([process.execPath, '-e', '0'])).cpu);
  }
  const node = median(cpu.node) * 1000;
  const row = (figure, times, limit) => ({
    figure,
    value: median(times) * 1000,
    unit: 'ms',
    ruler: node,
    rulerName: 'node -e 0',
    limit,
    rule: limit ? '10 × ruler' : '–',
  });
  return [row('prompt ready, CPU', cpu.ready, node * 10), row('and all of it loaded, CPU', cpu.loaded, null)];
}

/** From a key to its sign on the screen while an answer streams at 200 chunks a second. */
async function echo() {
  const eye = await open('paced-4000');
  await settled(eye);
  eye.press('go\r');
  await eye.until(/wo\d{3} wo\d{3}/);
  const times = [];
  let typed = '';
  for (let index = 0; index < 60; index += 1) {
    await sleep(20 + (index % 7) * 5);
    const letter = 'abcdefghij'[index % 10];
    typed = (typed + letter).slice(-20);
    const at = performance.now();
    eye.press(letter);
    times.push((await eye.until((screen) => screen.includes(typed))) - at);
  }
  await eye.close();
  const row = (figure, value, limit) => ({
    figure,
    value,
    unit: 'ms',
    ruler: null,
    limit,
    rule: limit ? `${limit} ms` : '–',
  });
  return [row('key to glyph, median', median(times), 10), row('key to glyph, slowest', Math.max(...times), null)];
}

/** An answer of 20,000 chunks, the start of the program included. */
async function stream() {
  const eye = await open('stream-20000');
  eye.press('go\r');
  await eye.until(/10 out/, 'the end of the answer');
  const [cpu, peak] = [eye.cpu(), eye.peak()];
  await eye.close();
  return [
    { figure: '20,000 chunks, CPU', value: cpu * 1000, unit: 'ms', ruler: null, limit: 1000, rule: '1000 ms' },
    { figure: '20,000 chunks, memory', value: peak, unit: 'MiB', ruler: null, limit: 120, rule: '120 MiB' },
  ];
}

/** Nothing happens, and nothing is done. */
async function idle() {
  const eye = await open('hi');
  eye.press('hi\r');
  await eye.until(/10 out/);
  await settled(eye);
  const before = eye.cpu();
  await sleep(10_000);
  const used = (eye.cpu() - before) * 1000;
  await eye.close();
  return [{ figure: 'idle for 10 s, CPU', value: used, unit: 'ms', ruler: null, limit: 10, rule: '10 ms' }];
}

/** A conversation of so many lines, as a stored session. */
function store(lines) {
  const id = `lines-${lines}`;
  const served = { backend: 'ollama', model: 'hi:latest', local: true, latencyMs: 1, attempts: 1 };
  const usage = { input: 10, output: 10, cacheRead: null, cacheWrite: null, reasoning: null, cost: null };
  const events = [
    {
      type: 'session',
      id,
      version: 1,
      cwd: project,
      project,
      model: 'ollama/hi:latest',
      mode: 'ask',
      contextTokens: 32768,
      system: 's',
      tools: [],
    },
  ];
  for (let turn = 0; turn < lines / 100; turn += 1) {
    const text = Array.from({ length: 48 }, (_, line) => `${turn}.${line} A **line** of \`text\`.`).join('\n\n');
    events.push({ type: 'user', text: `prompt ${turn}` });
    events.push({ type: 'assistant', content: [{ type: 'text', text }], finish: 'stop', usage, served });
    events.push({ type: 'done', text, finish: 'stop', usage, turns: 1, denials: [], durationMs: 5 });
  }
  const text = events.map(
    (event, index) => `${JSON.stringify({ ...event, seq: index + 1, time: 1_700_000_000_000 + index })}\n`,
  );
  writeFileSync(join(project, '.ada/sessions', `${id}.jsonl`), text.join(''));
  return id;
}

/** A page up, from the key to the picture. */
async function scroll() {
  const medians = [];
  for (const lines of [100, 100_000]) {
    const eye = await open('hi', ['-r', store(lines)]);
    await eye.until(new RegExp(`${lines / 100 - 1}\\.47`), 'the end of the conversation');
    await settled(eye);
    const times = [];
    for (let index = 0; index < 40; index += 1) {
      const before = eye.screen();
      const at = performance.now();
      // Up and down again: the short conversation has only so many pages.
      eye.press(index % 2 ? '\x1b[6~' : '\x1b[5~');
      times.push((await eye.until((screen) => screen !== before)) - at);
      await sleep(15);
    }
    await eye.close();
    medians.push(median(times));
  }
  const [few, many] = medians;
  return [
    {
      figure: 'scroll at 100,000 lines, median',
      value: many,
      unit: 'ms',
      ruler: few,
      rulerName: 'at 100 lines',
      limit: few * 1.5 + 1,
      rule: '1.5 × ruler + 1',
    },
  ];
}

const FIGURES = { ready, echo, stream, idle, scroll };
const unknown = (values.only ?? []).find((name) => !(name in FIGURES));
if (unknown !== undefined) {
  console.error(`bench: no figure ${unknown}; there are ${Object.keys(FIGURES).join(', ')}`);
  process.exit(2);
}

const number = (value, unit) => `${value.toFixed(value < 10 ? 2 : 1)} ${unit}`;
const print = tableOf([32, 12, 24, 8, 16, 5]);
let over = false;
if (!values.json) print(['figure', 'value', 'ruler', 'ratio', 'limit', '']);
try {
  for (const name of values.only ?? Object.keys(FIGURES)) {
    for (const figure of await FIGURES[name]()) {
      const { value, unit, ruler, rulerName, limit, rule } = figure;
      const ok = limit === null || value <= limit;
      over ||= !ok;
      if (values.json) console.log(JSON.stringify({ bench: name, ...figure, ok }));
      else
        print([
          figure.figure,
          number(value, unit),
          ruler === null ? '–' : `${number(ruler, unit)} ${rulerName}`,
          ruler ? `${(value / ruler).toFixed(2)} ×` : '–',
          rule,
          limit === null ? '' : ok ? 'ok' : 'SHORT',
        ]);
    }
  }
} finally {
  server.stdin.end();
}
process.exit(over ? 1 : 0);
