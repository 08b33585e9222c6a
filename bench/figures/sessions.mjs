/**
 * What long work costs at the start: opening a session of 50 MB, as ada left it and without what it keeps beside the
 * log, beside a bare program that reads and parses the same file; and listing 5,000 sessions with their index, beside
 * one that reads the names alone.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beside, median, runOnce, scratch } from '../measure.mjs';

const LARGE = 50e6;
const MANY = 5_000;

const usage = { input: 9, output: 9, cacheRead: null, cacheWrite: null, reasoning: null, cost: null };
const served = { backend: 'ollama', model: 'hi:latest', local: true, latencyMs: 1, attempts: 1 };
const source = Array.from({ length: 160 }, (_, i) => `  const value${i} = read("name ${i}"); // as it was\n`).join('');

/** A project whose only session is as large as that: turns that read files, and room made now and then. */
function largeSession(project, bytes) {
  let seq = 0;
  let size = 0;
  const lines = [];
  const add = (body) => {
    const line = JSON.stringify({ ...body, seq: ++seq, time: 1_700_000_000_000 + seq });
    size += line.length + 1;
    lines.push(line);
  };
  add({
    type: 'session',
    id: 'large',
    version: 1,
    cwd: project,
    project,
    model: 'hi:latest',
    mode: 'ask',
    contextTokens: 32_768,
    system: 'You are ada.',
    tools: [],
  });
  for (let turn = 0; size < bytes; turn++) {
    const call = { type: 'tool_use', id: `call_${turn}`, name: 'read_file', input: { path: `f${turn}.ts` } };
    add({ type: 'user', text: `Look at file ${turn}.` });
    add({ type: 'assistant', content: [call], finish: 'tool_use', usage, served });
    add({ type: 'tool_call', id: call.id, name: call.name, detail: call.input.path, input: call.input });
    add({ type: 'tool_result', id: call.id, name: call.name, output: `${turn}\n${source}`, isError: false });
    add({ type: 'assistant', content: [{ type: 'text', text: 'I see.' }], finish: 'stop', usage, served });
    add({ type: 'done', text: 'I see.', finish: 'stop', usage, turns: 2, denials: [], durationMs: 1 });
    const from = seq - 6;
    if (turn % 10 === 9)
      add({
        type: 'compaction',
        before: 24_000,
        after: 8_000,
        summary: 'So far.',
        from,
        pruneBefore: from,
        clip: 4_000,
      });
  }
  mkdirSync(join(project, '.ada/sessions'), { recursive: true });
  mkdirSync(join(project, '.git'), { recursive: true });
  const file = join(project, '.ada/sessions/large.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}

function manySessions(project, count) {
  const folder = join(project, '.ada/sessions');
  for (const path of [folder, join(project, '.git')]) mkdirSync(path, { recursive: true });
  for (let i = 0; i < count; i++) {
    const session = { type: 'session', id: `s${i}`, version: 1, cwd: project, project, model: 'm', mode: 'ask' };
    const lines = [
      { ...session, contextTokens: null, system: 'You are ada.', tools: [], seq: 1, time: 1 },
      { type: 'user', text: `Prompt ${i}`, seq: 2, time: 2 },
    ];
    writeFileSync(join(folder, `s${i}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
}

const PARSE = "for (const l of require('fs').readFileSync(process.argv[1], 'utf8').split('\\n')) if (l) JSON.parse(l)";

export async function sessions({ ada, node, runs, environment }) {
  const [large, empty, many] = ['large', 'empty', 'many'].map((name) => join(scratch, `sessions-${name}`));
  const file = largeSession(large, LARGE);
  largeSession(empty, 1);
  manySessions(many, MANY);
  const env = environment('hi');
  const times = Math.max(3, Math.min(runs, 7));
  const on = (cwd, argv) => () => runOnce([...ada, ...argv], { env, cwd });
  const bare =
    (...argv) =>
    () =>
      runOnce([...node, '-e', ...argv], { env });
  const prompt = ['-p', '-c', 'Say hi.'];
  const [opening, parsing] = await beside(on(large, prompt), bare(PARSE, file), times);
  const kept = join(large, '.ada/sessions/large.fold');
  const anew = () => {
    rmSync(kept, { force: true });
    return on(large, prompt)();
  };
  const [first] = await beside(anew, bare('0'), times);
  if (!existsSync(kept)) throw new Error('nothing was kept of the large session');
  const [small, start] = await beside(on(empty, prompt), bare('0'), times);
  // The first listing makes the index.
  await on(many, ['sessions', 'list'])();
  const [listing, names] = await beside(
    on(many, ['sessions', 'list']),
    bare('require("fs").readdirSync(process.argv[1])', join(many, '.ada/sessions')),
    times,
  );
  for (const folder of [large, empty, many]) rmSync(folder, { recursive: true, force: true });
  return [
    {
      figure: 'opening a 50 MB session, CPU',
      value: (median(opening) - median(small)) * 1000,
      ruler: (median(parsing) - median(start)) * 1000,
      rulerName: 'its lines parsed',
      unit: 'ms',
      limit: 150,
      rule: '150 ms',
    },
    {
      figure: 'and without what was kept, CPU',
      value: (median(first) - median(small)) * 1000,
      ruler: (median(parsing) - median(start)) * 1000,
      rulerName: 'its lines parsed',
      unit: 'ms',
      limit: null,
      rule: '–',
    },
    {
      figure: 'listing 5,000 sessions, CPU',
      value: median(listing) * 1000,
      ruler: median(names) * 1000,
      rulerName: 'node, names read',
      unit: 'ms',
      limit: 150,
      rule: '150 ms',
    },
  ];
}
