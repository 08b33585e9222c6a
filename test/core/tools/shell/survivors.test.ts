/** What a killed program's commands left is ended by the next one, and nobody else's processes are. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endJobs, endSurvivors } from '../../../../core/tools/index.ts';
import { testContext } from '../tool-context.ts';

let stateDir: string;
const started: ChildProcess[] = [];
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'ada-survivors-'));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(stateDir, { recursive: true, force: true });
});

const records = () => readdirSync(join(stateDir, 'shells'));
const sleepers = (seconds: string): number =>
  execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((row) => new RegExp(`^[^Z]\\S*\\s+sleep ${seconds}$`).test(row)).length;

function sleeper(seconds: string, mark: string): void {
  const env = { PATH: process.env.PATH, ADA_JOB: mark };
  started.push(spawn('sleep', [seconds], { env, stdio: 'ignore', detached: true }));
}

describe.runIf(process.platform === 'linux')('survivors', () => {
  it('of a program that is gone are ended; those of one that lives are not', async () => {
    const context = testContext();
    const own = join(context.stateDir, '..');
    const alive = `6${Date.now() % 1e7}.11`;
    await context.call('bash', { command: `sleep ${alive} & echo` });
    const [record = ''] = readdirSync(join(own, 'shells'));
    expect(await endSurvivors(own)).toBe(0);
    expect(sleepers(alive)).toBe(1);

    // The same program, had it started at another moment: its number was given to another.
    const [mark = '', start, where] = record.split('.');
    execFileSync('mkdir', [join(stateDir, 'shells')]);
    writeFileSync(join(stateDir, 'shells', `${mark.replace(/\w{4}$/, 'dead')}.${Number(start) - 5}.${where}`), '');
    const dead = `6${Date.now() % 1e7}.12`;
    sleeper(dead, `outer.1. ${mark.replace(/\w{4}$/, 'dead')}.3.`);
    sleeper(dead, `${mark.replace(/\w{4}$/, 'dead')}.11.`);
    await expect.poll(() => sleepers(dead)).toBe(2);
    expect(await endSurvivors(stateDir)).toBe(2);
    expect(sleepers(dead)).toBe(0);
    expect(sleepers(alive)).toBe(1);
    expect(records()).toEqual([]);
    await endJobs(context.memory);
    expect(readdirSync(join(own, 'shells'))).toEqual([]);
  });

  it('of another machine or container are left alone', async () => {
    execFileSync('mkdir', [join(stateDir, 'shells')]);
    const name = '4194305-abc-def.77.ffffffff-4026531836';
    writeFileSync(join(stateDir, 'shells', name), '');
    writeFileSync(join(stateDir, 'shells', 'no record'), '');
    const seconds = `6${Date.now() % 1e7}.13`;
    sleeper(seconds, '4194305-abc-def.1.');
    await expect.poll(() => sleepers(seconds)).toBe(1);
    expect(await endSurvivors(stateDir)).toBe(0);
    expect(sleepers(seconds)).toBe(1);
    expect(records()).toEqual([name, 'no record']);
  });

  it('are none where nothing was recorded', async () => {
    expect(await endSurvivors(join(stateDir, 'nowhere'))).toBe(0);
    expect(existsSync(join(stateDir, 'shells'))).toBe(false);
  });
});
