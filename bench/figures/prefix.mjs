/**
 * What a local server can keep: how much of each request it has read before, through a session of 50 turns with tools,
 * todos, switches of mode, a skill, late tools and steering; how little the first one holds for a small model; and how
 * soon after the start it goes out.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { answerOf, moduleAt } from '../bundle.mjs';
import { median } from '../measure.mjs';

const TURNS = 50;

const program = `
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from ${moduleAt('app/compose.ts')};

const call = (name, args) => ({ function: { name, arguments: args } });
const todos = (...done) => call('update_todos', { items: done.map((one, n) => ({ text: 'part ' + n, status: one })) });
/** What the model does, round and round; an answer ends a turn. */
const steps = [
  { thinking: 'Look first.', calls: [call('read_file', { path: 'a.txt' }), call('read_file', { path: 'absent.txt' })] },
  { calls: [todos('active', 'pending')] },
  { content: 'Read.' },
  { content: 'A skill may help.', calls: [call('use_tool', { name: 'use_skill', input: { name: 'commit' } })] },
  { calls: [call('use_tool', { name: 'find_skill', input: { query: 'tests' } }), call('bash', { command: 'cat a.txt; exit 3' })] },
  { content: 'Looked up.' },
  { thinking: 'Write now.', calls: [call('write_file', { path: 'sub/b.txt', content: 'two\\n' })] },
  { calls: [call('read_file', { path: 'sub/b.txt' }), call('grep', { pattern: 'two' }), todos('done', 'active')] },
  { content: 'Written.' },
  { content: '<tool_call>\\n{"name": "bash", "arguments": {"command": "echo printed"}}\\n</tool_call>' },
  { content: 'Over.' },
];
const bodies = [];
const show = { details: { family: 'qwen3' }, model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 131072 }, capabilities: ['completion', 'tools', 'thinking'] };
const server = createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  if (request.url !== '/api/chat') {
    const models = [{ name: 'm:latest', model: 'm:latest', size: 5e9, details: show.details }];
    return response.end(JSON.stringify(request.url === '/api/show' ? show : request.url === '/api/version' ? { version: '0.20.0' } : { models }));
  }
  const { content = '', thinking, calls } = steps[bodies.length % steps.length];
  bodies.push(JSON.parse(text));
  const message = { role: 'assistant', content, ...(thinking && { thinking }), ...(calls && { tool_calls: calls }) };
  response.end([{ message, done: false }, { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' }].map((line) => JSON.stringify(line) + '\\n').join(''));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const root = mkdtempSync(join(tmpdir(), 'ada-prefix-'));
for (const folder of ['home', 'project/.git']) mkdirSync(join(root, folder), { recursive: true });
writeFileSync(join(root, 'project/a.txt'), 'alpha\\n'.repeat(50));
const open = (contextTokens) => {
  writeFileSync(join(root, 'home/settings.json'), JSON.stringify({ ollama: { contextTokens } }));
  return compose({
    cwd: join(root, 'project'),
    env: { HOME: root, ADA_HOME: join(root, 'home'), PATH: process.env.PATH, OLLAMA_HOST: 'http://127.0.0.1:' + server.address().port },
    model: 'ollama/m:latest', mode: 'auto', headless: true, allow: [], deny: [], directories: [], offline: true, noSkills: false, trust: true,
  });
};
async function turn(session, text, steer) {
  const events = session.events();
  session.send({ type: 'prompt', text });
  for await (const event of events) {
    if (steer && event.type === 'tool_call') {
      steer = false;
      session.send({ type: 'steer', text: 'And be quick.' });
    }
    if (event.type === 'done') return event.finish;
  }
}
const { session } = await open(131072);
const finishes = new Set();
for (let n = 0; n < ${TURNS}; n++) {
  if (n % 10 === 3) session.send({ type: 'set', mode: 'plan' });
  if (n % 10 === 5) session.send({ type: 'set', mode: 'auto' });
  finishes.add(await turn(session, 'Prompt ' + n + '.', n % 7 === 2));
}
await session.close();
const said = ({ tools, messages }) => Buffer.from(JSON.stringify(tools) + JSON.stringify(messages).slice(0, -1));
let [kept, all] = [0, 0];
for (let at = 1; at < bodies.length; at++) {
  const [before, after] = [said(bodies[at - 1]), said(bodies[at])];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  kept += same;
  all += before.length;
}
const requests = bodies.length;
const text = JSON.stringify(bodies);
bodies.length = 0;
const small = await open(8192);
await turn(small.session, 'Say hi.');
await small.session.close();
const [{ tools, messages }] = bodies;
const fixed = Buffer.byteLength(JSON.stringify({ tools, messages: messages.filter(({ role }) => role === 'system') }));
server.close();
rmSync(root, { recursive: true, force: true });
console.log(JSON.stringify({
  requests, share: (kept / all) * 100, fixed, finishes: [...finishes],
  missing: ['Plan mode is on', 'Plan mode is off', 'And be quick.', 'Skill commit', 'items: ', 'printed'].filter((one) => !text.includes(one)),
}));
process.exit(0);
`;

export async function prefix({ ada, node, runs, environment, project }) {
  const { requests, share, fixed, finishes, missing } = await answerOf(node, 'prefix', program);
  if (missing.length || finishes.join() !== 'stop')
    throw new Error(`the session was not what it should be: ends ${finishes}; missing ${missing.join(', ')}`);
  const [first, least] = await firstRequests({ ada, node, runs: Math.min(runs, 7), environment, project });
  return [
    {
      figure: `prefix kept, ${requests} requests`,
      value: share,
      ruler: null,
      rulerName: null,
      unit: '%',
      limit: 100,
      least: true,
      rule: '100 %',
    },
    {
      figure: 'first request, small model',
      value: fixed,
      ruler: null,
      rulerName: null,
      unit: 'bytes',
      limit: 2500,
      rule: '2,500 bytes',
    },
    {
      figure: '-p to its first request',
      value: first,
      ruler: least,
      rulerName: 'node:http, one request',
      unit: 'ms',
      limit: least * 5,
      rule: '5 × ruler',
    },
  ];
}

/** Wall time in ms from the start of a process until its request arrives: of ada, and of a program that only asks. */
async function firstRequests({ ada, node, runs, environment, project }) {
  let arrived;
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/api/chat') {
      arrived?.(performance.now());
      const end = { message: { role: 'assistant', content: 'Hi.' }, done: true, done_reason: 'stop' };
      response.end(`${JSON.stringify(end)}\n`);
    } else
      response.end(
        JSON.stringify({
          models: [{ name: 'hi:latest', model: 'hi:latest' }],
          version: '0.20.0',
          model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 32_768 },
          capabilities: ['completion', 'tools'],
        }),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const env = { ...environment('hi'), OLLAMA_HOST: url };
  const time = async ([command, ...args]) => {
    const began = performance.now();
    const arrival = new Promise((resolve) => (arrived = resolve));
    const child = spawn(command, args, { env, cwd: project, stdio: 'ignore' });
    const gone = once(child, 'exit').then(() => {
      throw new Error(`${args.at(-1)} sent no request`);
    });
    gone.catch(() => {});
    const at = await Promise.race([arrival, gone]);
    if (child.exitCode === null) await once(child, 'exit');
    return at - began;
  };
  const asks = `require('node:http').request('${url}/api/chat', { method: 'POST' }, (r) => r.resume()).end('{}')`;
  const times = [[], []];
  for (let index = 0; index < runs; index += 1) {
    times[0].push(await time([...ada, '-p', 'say hi']));
    times[1].push(await time([...node, '-e', asks]));
  }
  server.close();
  return times.map(median);
}
