/** Pagers that insist on a keyboard are paged through. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asksForKey } from '../../../../core/tools/shell/pager-prompt.ts';
import { testContext } from '../tool-context.ts';

const context = testContext();
const lines = Array.from({ length: 160 }, (_, i) => `line ${i + 1}`);
writeFileSync(join(context.project, 'f'), `${lines.join('\n')}\n`);
const has = (program: string) => ['/usr/bin', '/bin'].some((folder) => existsSync(join(folder, program)));

describe.skipIf(process.platform !== 'linux')('all of the file is shown and the command ends', () => {
  it.skipIf(!has('less')).each(['less f', 'cat f | less', 'less < f'])('%s', async (command) => {
    const { output, isError } = await context.call('bash', { command, timeout: 20 });
    expect(isError).toBeUndefined();
    expect(output.split('\n')).toEqual(lines);
  });

  it.skipIf(!has('more'))('more f', async () => {
    const { output } = await context.call('bash', { command: 'more f', timeout: 20 });
    expect(output.split('\n').map((line) => line.trim())).toEqual(expect.arrayContaining(lines));
    expect(output).not.toContain('timed out');
  });

  it('and the next command finds a terminal without what was typed', async () => {
    expect((await context.call('bash', { command: 'echo ok' })).output).toBe('ok');
  });
});

it.each([
  ['a\n:', true],
  ['\r:', true],
  ['x\n--More--(12%)', true],
  ['--More--', true],
  ['Password:', false],
  ['a:\n', false],
  ['--More-- of it', false],
])('%j', (text, expected) => expect(asksForKey(text)).toBe(expected));

it('the whole of a long output is stored without its secrets, for its owner alone', async () => {
  const token = `ghp_${'aB3dE6gH9jK2mN5pQ8rS'.repeat(2)}`;
  writeFileSync(
    join(context.project, 'key'),
    `-----BEGIN PRIVATE KEY-----\n${`${'ab12'.repeat(16)}\n`.repeat(20)}-----END PRIVATE KEY-----\n`,
  );
  const { output } = await context.call('bash', {
    command: `seq 1 20000; echo T=${token}; cat key; seq 1 30000; echo end`,
  });
  const file = /all of it is in (\S+)/.exec(output)![1]!;
  const stored = readFileSync(file, 'utf8');
  expect(stored).toContain('\nT=[redacted: GitHub token]\n[redacted: private key]\n1\n');
  expect(stored.endsWith('30000\nend\n')).toBe(true);
  expect(stored.split('\n').length).toBe(50_000 + 4);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('a command that would write a mark is not run', async () => {
  const { output, isError } = await context.call('bash', {
    command: "cat > conf <<'E'\nT=[redacted: GitHub token]\nE",
  });
  expect(isError).toBe(true);
  expect(output).toContain('not run');
  expect(existsSync(join(context.project, 'conf'))).toBe(false);
});
