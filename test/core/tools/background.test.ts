import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { coreTools, endJobs, lateTools, listJobs } from '../../../core/tools/index.ts';
import { testContext } from './tool-context.ts';

const tools = [...coreTools(), ...lateTools({})];
const make = () => testContext(tools);
const sleepMark = () => `6${Math.floor(Math.random() * 1e6)}.${Math.floor(Math.random() * 1e6)}2`;
const sleepers = (mark: string): number =>
  execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((row) => new RegExp(`^[^Z]\\S*\\s+sleep ${mark}$`).test(row)).length;

describe('background', () => {
  it('starts a job, shows its output as it comes, and stops its whole tree', async () => {
    const context = make();
    const mark = sleepMark();
    const command = `echo begun; setsid sleep ${mark} & sleep 1; printf '10 %%\\r100 %%\\n'; sleep ${mark}`;
    const started = await context.call('background', { action: 'start', command });
    expect(started).toMatchObject({ output: expect.stringMatching(/^job 1, running for \d s, \d+.*: echo begun/) });
    expect(started.output).toContain('\nbegun');
    expect((await context.call('background', { action: 'list' })).output).toMatch(/^job 1, running for /);
    await expect
      .poll(async () => (await context.call('background', { action: 'output', id: 1 })).output, { timeout: 5000 })
      .toMatch(/^job 1, running .*\nbegun\n100 %$/);
    expect(sleepers(mark)).toBe(2);
    // Other commands go on beside it.
    expect((await context.call('bash', { command: 'echo next' })).output).toBe('next');
    expect((await context.call('background', { action: 'stop' })).output).toMatch(/^Stopped: job 1, ended after /);
    expect(sleepers(mark)).toBe(0);
    expect((await context.call('background', { action: 'output' })).output).toMatch(/^job 1, ended .*\nbegun\n100 %$/);
  });

  it('starts nothing in a directory that has vanished, and hides nothing of a command in the list', async () => {
    const context = make();
    context.cwd = join(context.project, 'gone');
    const { output, isError } = await context.call('background', { action: 'start', command: 'touch made' });
    expect({ output, isError }).toEqual({
      output: expect.stringMatching(/gone has vanished\. Nothing/),
      isError: true,
    });
    expect(context.cwd).toBe(context.project);
    const started = await context.call('background', { action: 'start', command: 'true rm -rf x #\recho hi\u200b' });
    expect(started.output).toMatch(/: true rm -rf x #␍echo hi‹U\+200B›$/);
  });

  it('tells at once of a job that fails at once', async () => {
    const context = make();
    const { output, isError } = await context.call('background', {
      action: 'start',
      command: 'echo no such port; exit 4',
    });
    expect(output).toBe('job 1, ended after 0 s, exit code 4: echo no such port; exit 4\nno such port');
    expect(isError).toBe(true);
  });

  it('lists what bash left running, with what it writes from then on', async () => {
    const context = make();
    const mark = sleepMark();
    const left = await context.call('bash', { command: `(sleep 0.4; echo later; sleep ${mark}) & echo now` });
    expect(left.output).toMatch(/^now\n\(still running as job 1: /);
    await expect
      .poll(async () => (await context.call('background', { action: 'output' })).output, { timeout: 5000 })
      .toMatch(/\nlater$/);
    await context.call('background', { action: 'stop', id: 1 });
    expect(sleepers(mark)).toBe(0);
  });

  it('tells with the next command that a job has ended', async () => {
    const context = make();
    await context.call('background', { action: 'start', command: 'sleep 0.9; exit 3' });
    await expect.poll(async () => (await listJobs(context.memory)).length, { timeout: 5000 }).toBe(0);
    expect((await context.call('bash', { command: 'echo x' })).output).toMatch(
      /^x\n\(job 1, ended after \d s, exit code 3: sleep 0.9; exit 3\)$/,
    );
    expect((await context.call('bash', { command: 'echo x' })).output).toBe('x');
  });

  it('ends every job with the session', async () => {
    const context = make();
    const mark = sleepMark();
    await context.call('background', { action: 'start', command: `trap '' TERM HUP; sleep ${mark}; sleep ${mark}` });
    await context.call('bash', { command: `env -u ADA_JOB sleep ${mark} & echo ok` });
    expect(sleepers(mark)).toBe(2);
    await endJobs(context.memory);
    expect(sleepers(mark)).toBe(0);
  });

  it('keeps only the end of much output', async () => {
    const context = make();
    await context.call('background', { action: 'start', command: 'seq 1 100000; sleep 60' });
    const read = async () => (await context.call('background', { action: 'output' })).output;
    const output = await vi.waitFor(
      async () => {
        const text = await read();
        expect(text.trimEnd().endsWith('\n100000')).toBe(true);
        return text;
      },
      { timeout: 20_000 },
    );
    expect(output).toMatch(/only the last lines are kept/);
    expect(output.length).toBeLessThan(40_000);
  });

  it('says what is missing', async () => {
    const context = make();
    const say = async (input: object) => (await context.call('background', input)).output;
    expect(await say({ action: 'list' })).toBe('There are no jobs.');
    expect(await say({ action: 'stop' })).toBe('There is no job.');
    expect(await say({ action: 'output', id: 7 })).toBe('There is no job 7.');
    expect(await say({ action: 'start' })).toContain('`command` is missing');
    await say({ action: 'start', command: 'sleep 50' });
    await say({ action: 'start', command: 'sleep 51' });
    expect(await say({ action: 'stop' })).toMatch(/^Which job\?\njob 1, .*\njob 2, /);
  });

  it('is judged as a command when it starts one, and touches nothing else', () => {
    const background = tools.find(({ name }) => name === 'background')!;
    const gate = (input: object) => background.gate(input, { cwd: '/here' });
    expect(gate({ action: 'start', command: 'rm -rf /' })).toEqual({
      kind: 'command',
      command: 'rm -rf /',
      cwd: '/here',
    });
    for (const action of ['list', 'output', 'stop']) expect(gate({ action, id: 1 })).toEqual({ kind: 'none' });
  });
});
