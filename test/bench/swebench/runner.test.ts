import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { evaluate, testCommand } from '../../../bench/swebench/evaluate.ts';
import { swebench } from '../../../bench/swebench/main.ts';
import { instance, makeRepository, put, temporary } from './repository.ts';

/** A program in ada's place: it does what the issue text says and ends as it says. */
const AGENT = `
import { readFileSync, writeFileSync } from 'node:fs';
if (process.argv[2] === '--version') { console.log('0.0.0'); process.exit(0); }
const event = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
const issue = /<issue>\\n([\\s\\S]*)\\n<\\/issue>/.exec(readFileSync(0, 'utf8'))[1];
const { pid, edit, code = 0, finish = 'stop', error, wait = 0, count, good } = JSON.parse(issue);
if (pid) writeFileSync(pid, String(process.pid));
if (count) writeFileSync(count, readFileSync(count, 'utf8') + 'x');
event({ type: 'session', seq: 1, time: 0, id: 's', args: process.argv.slice(2) });
event({ type: 'text', delta: 'a', at: 0 });
if (edit) for (const [path, text] of Object.entries(edit)) writeFileSync(path, text);
await new Promise((resolve) => setTimeout(resolve, wait));
const healed = good && readFileSync(count, 'utf8').length >= good;
if (error && !healed) event({ type: 'error', seq: 2, time: 0, ...error });
if (code < 2 || code > 3) event({ type: 'done', seq: 3, time: 0, finish: healed ? 'stop' : finish, turns: 2, denials: [], usage: null });
if (code && !healed) console.error('ada: the last line');
process.exitCode = healed ? 0 : code;
`;

const ADD = 'export const add = (a, b) => a - b;\n';
const FIXED = 'export const add = (a, b) => a + b;\n';
const TESTS = `import { add } from '../add.mjs';
const check = (name, ok) => console.log((ok ? 'PASSED' : 'FAILED') + ' tests/add.py::' + name);
check('zero', add(0, 0) === 0);
`;
const TEST_PATCH = `diff --git a/tests/run.mjs b/tests/run.mjs
--- a/tests/run.mjs
+++ b/tests/run.mjs
@@ -1,3 +1,4 @@
 import { add } from '../add.mjs';
 const check = (name, ok) => console.log((ok ? 'PASSED' : 'FAILED') + ' tests/add.py::' + name);
 check('zero', add(0, 0) === 0);
+check('sum', add(1, 2) === 3);
`;
const GOLD = `diff --git a/add.mjs b/add.mjs
--- a/add.mjs
+++ b/add.mjs
@@ -1 +1 @@
-${ADD.trimEnd()}
+${FIXED.trimEnd()}
`;

function setUp(issues: Readonly<Record<string, object>>, more: object = {}) {
  const repository = makeRepository({ 'add.mjs': ADD, 'tests/run.mjs': TESTS });
  const folder = temporary();
  const rows = Object.entries(issues).map(([instance_id, issue]) => ({
    instance_id,
    repo: repository.folder,
    base_commit: repository.git('rev-parse', 'HEAD'),
    problem_statement: JSON.stringify(issue),
    test_patch: TEST_PATCH,
    patch: GOLD,
    test_cmd: 'node {test_files}',
    FAIL_TO_PASS: ['tests/add.py::sum'],
    PASS_TO_PASS: ['tests/add.py::zero'],
    ...more,
  }));
  put(folder, { 'agent.mjs': AGENT, 'data.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join('') });
  const out = join(folder, 'out');
  const lines = (name: string) =>
    existsSync(join(out, name))
      ? readFileSync(join(out, name), 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  const run = async (...flags: string[]) => {
    let stdout = '';
    let stderr = '';
    const code = await swebench(['--dataset', 'data.jsonl', '--model', 'm', '--out', 'out', ...flags], {
      ada: join(folder, 'agent.mjs'),
      env: process.env,
      cwd: folder,
      pauseMs: 10,
      out: (text) => (stdout += text),
      err: (text) => (stderr += text),
    });
    return { code, stdout, stderr };
  };
  const statuses = () =>
    Object.fromEntries(
      JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')).instances.map(
        (line: { instance_id: string; status: string }) => [line.instance_id, line.status],
      ),
    );
  return { repository, folder, out, run, lines, statuses, rows };
}

describe('swebench', () => {
  it('keeps the outcomes apart, scores, and writes the official form', async () => {
    const { run, lines, statuses, out } = setUp({
      right: { edit: { 'add.mjs': FIXED, 'tests/run.mjs': 'process.exit(0)\n', 'repro.py': 'x' } },
      wrong: { edit: { 'add.mjs': 'export const add = () => 0;\n' } },
      nothing: {},
      limited: { edit: { 'other.txt': 'half\n' }, finish: 'limit', code: 4 },
      late: { edit: { 'add.mjs': FIXED }, finish: 'limit', code: 4 },
      broken: {
        code: 1,
        finish: 'error',
        error: { code: 'provider', message: 'the provider said no', retryable: false },
      },
    });
    const { code, stdout, stderr } = await run('--evaluate', '--max-turns', '7');
    expect(code).toBe(0);
    expect(statuses()).toEqual({
      right: 'resolved',
      wrong: 'unresolved',
      nothing: 'empty_patch',
      limited: 'limit',
      late: 'resolved',
      broken: 'error',
    });
    expect(stdout).toContain('resolved 2 of 5 attempted');
    expect(stderr).toContain('broken: error (the provider said no)');

    const predictions = lines('predictions.jsonl');
    expect(predictions.map((line) => line.instance_id).sort()).toEqual([
      'late',
      'limited',
      'nothing',
      'right',
      'wrong',
    ]);
    for (const line of predictions)
      expect(Object.keys(line)).toEqual(['instance_id', 'model_name_or_path', 'model_patch']);
    const right = predictions.find((line) => line.instance_id === 'right');
    expect(right.model_name_or_path).toBe('m');
    expect(right.model_patch).toContain('+export const add = (a, b) => a + b;');
    expect(right.model_patch).not.toContain('run.mjs');
    expect(readFileSync(join(out, 'trajectories/right.full.patch'), 'utf8')).toContain('repro.py');
    const meta = lines('meta.jsonl').find((line) => line.instance_id === 'right');
    expect(meta).toMatchObject({
      status: 'submitted',
      turns: 2,
      attempts: 1,
      files: ['add.mjs'],
      settings: { model: 'm', maxTurns: 7, timeoutSeconds: 1200, ada: '0.0.0' },
    });
    expect(meta.stripped.sort()).toEqual(['repro.py', 'tests/run.mjs']);

    const trajectory = readFileSync(join(out, 'trajectories/right.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(trajectory.map((event) => event.type)).toEqual(['session', 'done']);
    expect(trajectory[0].args).toEqual([
      '--model',
      'm',
      '--mode',
      'auto',
      '--output-format',
      'stream-json',
      '--timeout',
      '1200',
      '--max-turns',
      '7',
      '-p',
    ]);
  });

  it('resumes without repeating what is done', async () => {
    const { run, lines, folder, statuses } = setUp({});
    const count = join(folder, 'count');
    writeFileSync(count, '');
    const fixed = setUp({ a: { count, edit: { 'add.mjs': FIXED } }, b: { count } });
    await fixed.run('--limit', '1');
    expect(fixed.statuses()).toEqual({ a: 'submitted' });
    const second = await fixed.run();
    expect(second.stderr).toContain('1 done before');
    expect(readFileSync(count, 'utf8')).toBe('xx');
    expect(fixed.statuses()).toEqual({ a: 'submitted', b: 'empty_patch' });
    // What was run before can be scored later.
    await fixed.run('--evaluate', '--instances', 'a');
    expect(fixed.statuses()).toEqual({ a: 'resolved' });
    expect(readFileSync(count, 'utf8')).toBe('xx');
    expect(fixed.lines('predictions.jsonl')).toHaveLength(2);
    // A data set without instances is a usage error.
    expect((await run()).code).toBe(2);
    expect(lines('predictions.jsonl')).toEqual([]);
    expect(() => statuses()).toThrow();
  });

  it('tries again what may succeed later, and no more than twice', async () => {
    const count = join(temporary(), 'count');
    const error = { code: 'network', message: 'the line is down', retryable: true };
    writeFileSync(count, '');
    const heals = setUp({ a: { count, error, code: 1, finish: 'error', good: 3, edit: { 'add.mjs': FIXED } } });
    await heals.run();
    expect(heals.statuses()).toEqual({ a: 'submitted' });
    expect(heals.lines('meta.jsonl')[0]).toMatchObject({ attempts: 3 });
    writeFileSync(count, '');
    const stays = setUp({ a: { count, error, code: 1, finish: 'error' } });
    const { stderr } = await stays.run();
    expect(stderr).toContain('a: error (the line is down)');
    expect(readFileSync(count, 'utf8')).toBe('xxx');
    expect(stays.lines('predictions.jsonl')).toEqual([]);
  });

  it('ends at once when no instance could fare better', async () => {
    const { run, lines, statuses } = setUp({ a: { code: 3 }, b: {}, c: {} });
    const { code, stderr } = await run('--concurrency', '1');
    expect(code).toBe(3);
    expect(stderr).toContain('stopped, since every instance would end the same way: ada: the last line');
    expect(statuses()).toEqual({ a: 'error', b: 'not_run', c: 'not_run' });
    expect(lines('predictions.jsonl')).toEqual([]);
  });

  it('reports what cannot be run here as such', async () => {
    const { run, lines, statuses } = setUp({ a: {} }, { base_commit: 'f'.repeat(40) });
    const { code, stderr } = await run();
    expect(code).toBe(1);
    expect(statuses()).toEqual({ a: 'not_run' });
    expect(stderr).toContain('has no commit');
    expect(lines('predictions.jsonl')).toEqual([]);
  });

  it.each([
    [['--frobnicate'], /Unknown option '--frobnicate'/],
    [['--limit', '0'], /--limit wants a whole number above 0, not 0/],
    [['--instances', 'x'], /no instance x/],
    [['--dataset', 'none.jsonl'], /none\.jsonl cannot be read/],
    [['--model', ''], /--model is missing/],
  ])('%j is a usage error', async (flags, message) => {
    const { run } = setUp({ a: {} });
    const { code, stderr, stdout } = await run(...flags);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
  });

  it('shows help', async () => {
    const { run } = setUp({ a: {} });
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    expect(stdout).toContain('--concurrency');
  });

  it('leaves no process behind when it is interrupted', async () => {
    const pid = join(temporary(), 'pid');
    const { folder, lines } = setUp({ a: { wait: 60_000, pid } });
    const stop = new AbortController();
    const ended = swebench(['--dataset', 'data.jsonl', '--model', 'm', '--out', 'out'], {
      ada: join(folder, 'agent.mjs'),
      env: process.env,
      cwd: folder,
      signal: stop.signal,
      out: () => {},
      err: () => {},
    });
    while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await sleep(20);
    stop.abort();
    expect(await ended).toBe(130);
    expect(lines('meta.jsonl')).toEqual([]);
    expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH');
  });
});

describe('evaluate', () => {
  const set = () => {
    const { rows, repository } = setUp({ a: {} });
    const item = instance({ ...rows[0]!, base_commit: repository.git('rev-parse', 'HEAD') });
    const score = (patch: string, more: Partial<typeof item> = {}) =>
      evaluate({ ...item, ...more }, patch, {
        scratch: temporary(),
        repos: null,
        env: repository.env,
        timeoutSeconds: 20,
      });
    return { score };
  };

  it.each<[string, string, object, string, RegExp | null]>([
    ['the reference', GOLD, {}, 'resolved', null],
    ['a patch without a last newline', GOLD.trimEnd(), {}, 'resolved', null],
    ['a patch that does not fit', GOLD.replace('a - b', 'a * b'), {}, 'unresolved', /does not apply/],
    ['a patch that breaks the program', GOLD.replace('a + b', 'a +'), {}, 'unresolved', /no test ran/],
    ['nothing to compare with', GOLD.replace('a + b', 'a +'), { patch: '' }, 'not_run', /no test ran/],
    [
      'a reference that fails here',
      GOLD.replace('a + b', 'a * b'),
      { patch: GOLD.replace('a + b', '7') },
      'not_run',
      /reference patch fails here too/,
    ],
    [
      'a runner that is missing',
      GOLD,
      { test_cmd: 'no-such-runner-anywhere' },
      'not_run',
      /reference patch fails here too/,
    ],
    ['no tests', GOLD, { FAIL_TO_PASS: [] }, 'not_run', /names no FAIL_TO_PASS/],
    ['no command', GOLD, { test_cmd: null, FAIL_TO_PASS: ['x (y.Z)'] }, 'not_run', /no test_cmd/],
  ])('%s', async (_, patch, more, verdict, reason) => {
    const { score } = set();
    const result = await score(patch, more);
    expect(result.verdict).toBe(verdict);
    if (reason) expect(result.reason).toMatch(reason);
    else expect(result).toMatchObject({ reason: null, failed: [], passed: 2 });
  });

  it('does not count tests that the reference fails too', async () => {
    const { score } = set();
    const result = await score(GOLD, { PASS_TO_PASS: ['tests/add.py::zero', 'tests/add.py::needs-network'] });
    expect(result).toMatchObject({ verdict: 'resolved', passed: 2 });
    expect(result.reason).toMatch(/^1 of the tests fail with the reference patch too/);
  });
});

describe('testCommand', () => {
  it('fills in the files, quoted', () => {
    expect(testCommand(instance({ test_cmd: 'run {test_files}', test_files: ["a b's.py"] }))).toBe(
      `run 'a b'\\''s.py'`,
    );
    expect(testCommand(instance({ test_cmd: 'npx jest {test_files}', test_patch: TEST_PATCH }))).toBe(
      "npx jest 'tests/run.mjs' --verbose",
    );
    expect(testCommand(instance({ FAIL_TO_PASS: ['t/a.py::b'], test_files: ['t/a.py'] }))).toMatch(
      /^python -m pytest .* 't\/a\.py'$/,
    );
  });
});

const packed = join(import.meta.dirname, '../../../dist/swebench.js');
describe.skipIf(!existsSync(packed))('the packed runner', () => {
  it('lets the packed ada fix an issue with a recorded model, and scores it', async () => {
    const { folder, out, statuses } = setUp({ a: {} });
    const turns = [
      { text: 'Looking.', toolCalls: [{ name: 'read_file', input: { path: 'add.mjs' } }] },
      { toolCalls: [{ name: 'edit_file', input: { path: 'add.mjs', old: 'a - b', new: 'a + b' } }] },
      { text: 'Fixed the operator.' },
    ];
    put(folder, { 'model.jsonl': turns.map((turn) => `${JSON.stringify(turn)}\n`).join('') });
    const child = spawn(
      process.execPath,
      [packed, '--dataset', 'data.jsonl', '--model', 'replay:model.jsonl', '--out', 'out', '--evaluate'],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(output).toContain('resolved 1 of 1 attempted');
    expect(code).toBe(0);
    expect(statuses()).toEqual({ a: 'resolved' });
    const kept = readFileSync(join(out, 'trajectories/a.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(kept[0]).toBe('session');
    expect(kept.at(-1)).toBe('done');
    expect(readdirSync(folder)).not.toContain('.ada');
    rmSync(out, { recursive: true });
  });
});
