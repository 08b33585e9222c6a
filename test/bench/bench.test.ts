import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const bench = join(import.meta.dirname, '../../bench');
const measure = await import(join(bench, 'measure.mjs'));

describe('measure', () => {
  // A worker of the test runner may end without the event that removes it.
  afterAll(() => rmSync(measure.scratch, { recursive: true, force: true }));

  /** A program that ends once it has used 100 ms of CPU by its own account. */
  const busy = 'while (process.cpuUsage().user + process.cpuUsage().system < 100_000);';

  it('counts the CPU of a program and of its children', async () => {
    const alone = await measure.runOnce([process.execPath, '-e', `${busy} console.log('done')`]);
    expect(alone.output).toBe('done\n');
    expect(alone.cpu).toBeGreaterThanOrEqual(0.09);
    const nested = `require('child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(busy)}]); ${busy}`;
    expect((await measure.runOnce([process.execPath, '-e', nested])).cpu).toBeGreaterThanOrEqual(0.18);
  });

  it('sees the peak of memory, though it is given back', async () => {
    const run = await measure.runOnce([process.execPath, '-e', 'Buffer.alloc(200 << 20, 1)'], { memory: true });
    expect(run.peak).toBeGreaterThan(200);
  });

  it('gives the program a clean environment', async () => {
    const { output } = await measure.runOnce([
      process.execPath,
      '-p',
      'Object.keys(process.env).filter((name) => !name.startsWith("ADA_BENCH")).sort().join()',
    ]);
    expect(
      output
        .trim()
        .split(',')
        .filter((name: string) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)),
    ).toEqual(['HOME', 'LANG', 'PATH']);
  });

  it('fails when the program does', async () => {
    await expect(measure.runOnce([process.execPath, '-e', 'console.error("why"); process.exit(3)'])).rejects.toThrow(
      /exit 3: why/,
    );
  });

  it.each([
    ['0m0.001s 0m0.002s\n0m0.027s 0m0.004s\n', 0.031],
    ['0m0,001s 0m0,002s\n1m2,500s 0m0,500s\n', 63],
  ])('reads times %j', (text, seconds) => {
    expect(measure.childSeconds(text)).toBeCloseTo(seconds, 6);
  });
});

describe('the model server and the rulers', () => {
  let server: ChildProcess;
  let url: string;
  beforeAll(async () => {
    server = spawn(process.execPath, [join(bench, 'model-server.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
    [url] = await once(createInterface({ input: server.stdout! }), 'line');
  });
  afterAll(async () => {
    server.stdin!.end();
    if (server.exitCode === null) await once(server, 'exit');
  });

  const chat = async (model: string, messages: object[] = []) => {
    const response = await fetch(`${url}/api/chat`, { method: 'POST', body: JSON.stringify({ model, messages }) });
    return (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  it('does what the name of the model says', async () => {
    const hi = await chat('hi:latest');
    expect(hi.map((line) => line.message.content).join('')).toBe('Hi there.');
    expect(hi.at(-1)).toMatchObject({ done: true, done_reason: 'stop' });
    expect((await chat('bash-20:latest'))[0].message.tool_calls[0].function).toEqual({
      name: 'bash',
      arguments: { command: 'true 0' },
    });
    const results = Array.from({ length: 20 }, () => ({ role: 'tool', content: '' }));
    expect((await chat('read-20', results.slice(1)))[0].message.tool_calls[0].function.arguments).toEqual({
      path: 'f19.txt',
    });
    expect((await chat('read-20', results))[0].message.content).toBe('Hi there.');
    expect(await chat('stream-20000')).toHaveLength(20_001);
    const first = (await (await fetch(`${url}/bench/first`)).json()) as Record<string, unknown>;
    expect(first['hi:latest']).toEqual({ bytes: Buffer.byteLength('{"model":"hi:latest","messages":[]}'), tools: 0 });
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
  });

  it('has rulers that do the same work', async () => {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [join(bench, 'rulers.mjs'), 'stream', url, 'stream-20000'], {
      maxBuffer: 1 << 20,
    });
    expect(stdout).toHaveLength(120_000);
    await run(process.execPath, [join(bench, 'rulers.mjs'), 'bash', '2']);
    await expect(run(process.execPath, [join(bench, 'rulers.mjs'), 'read', '20', url], { cwd: bench })).rejects.toThrow(
      /f0\.txt/,
    );
  });
});

describe.skipIf(!existsSync(join(bench, '../dist/main.js')))('npm run bench', () => {
  it('prints each figure beside its ruler', async () => {
    const run = promisify(execFile);
    // A busy machine may push a figure over its limit: exit code 1, with the same lines.
    const { stdout } = await run(process.execPath, [
      join(bench, 'run.mjs'),
      '--only',
      'version',
      '--runs',
      '1',
      '--json',
    ]).catch((error) => error);
    const rows = stdout
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    expect(rows.map((row: { figure: string }) => row.figure)).toEqual(['--version, CPU', '--version, memory']);
    for (const row of rows)
      expect(row).toEqual({
        bench: 'version',
        figure: expect.any(String),
        value: expect.any(Number),
        ruler: expect.any(Number),
        rulerName: 'node -e 0',
        unit: expect.any(String),
        limit: expect.any(Number),
        rule: expect.any(String),
        ok: row.value <= row.limit,
      });
  });

  it('names an unknown figure', async () => {
    await expect(
      promisify(execFile)(process.execPath, [join(bench, 'run.mjs'), '--only', 'speed']),
    ).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('no figure speed') });
  });
});
