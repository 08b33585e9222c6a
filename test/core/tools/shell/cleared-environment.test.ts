/** What leaves its session and clears its environment is still known as the command's own. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { endJobs } from '../../../../core/tools/index.ts';
import { firstNumber, numbersOf } from '../../../../core/tools/shell/mark-number.ts';
import { testContext } from '../tool-context.ts';

const lives = (seconds: string): boolean =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').includes(`sleep ${seconds}`);
let count = 0;
const mark = () => `${7000 + ++count}.${process.pid}`;

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  it.each([
    ['a setsid in the background', (n: string) => `(setsid env -i sleep ${n} >/dev/null 2>&1 </dev/null &)`],
    ['a setsid -f', (n: string) => `env -i setsid -f sleep ${n}`],
    ['twice away', (n: string) => `env -i bash -c 'setsid bash -c "setsid -f sleep ${n}" & disown'; sleep 0.1`],
    ['by a shell of its own', (n: string) => `: ${'x'.repeat(3500)}; env -i setsid -f sleep ${n}`],
  ])('%s is listed and ends with the session', async (_name, command) => {
    const context = testContext();
    const seconds = mark();
    const { output } = await context.call('bash', { command: command(seconds) });
    expect(output).toMatch(/still running as job 1: \d+ sleep/);
    // The next command is not asked to answer for it.
    expect((await context.call('bash', { command: 'true' })).output).toBe('(no output)');
    await endJobs(context.memory);
    expect(lives(seconds)).toBe(false);
  });

  it('ends at the timeout', async () => {
    const context = testContext();
    const seconds = mark();
    const command = `(setsid -f env -u ADA_JOB sleep ${seconds}); env -i setsid -f sleep ${seconds}; sleep 30`;
    const { output } = await context.call('bash', { command, timeout: 1 });
    expect(output).toContain('with what was found of all that it started');
    expect(lives(seconds)).toBe(false);
  });
});

it('numbers of sessions and calls are apart', () => {
  const marks = ['1-a-b', '1-a-c', '12-a-b', '2-a-b'];
  expect(new Set(marks.map(firstNumber)).size).toBe(marks.length);
  const session = numbersOf('1-a-b.');
  for (const call of [1, 2, 1000]) {
    const { from, to } = numbersOf(`1-a-b.${call}.`);
    expect([from - firstNumber('1-a-b'), to - from]).toEqual([call, 1]);
    expect(from >= session.from && to <= session.to && Number.isSafeInteger(to)).toBe(true);
  }
});
