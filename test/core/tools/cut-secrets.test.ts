/** What is too long to be shown is cut beside a secret, never in it: a piece of one is not recognised any more. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cutBefore, cutBehind } from '../../../core/redact-cut.ts';
import { withoutSecrets } from '../../../core/redact-result.ts';
import { ClippedOutput } from '../../../core/tools/shell/clipped-output.ts';
import { JobOutput } from '../../../core/tools/shell/job.ts';
import { SpillFile } from '../../../core/tools/shell/spill-file.ts';
import { testContext } from './tool-context.ts';

const SECRET = 'hunter2secretvalue';
const context = testContext();
writeFileSync(join(context.project, '.env'), `DB_PASSWORD=${SECRET}\n`);

const shown = async (name: string, input: unknown) =>
  withoutSecrets(await context.call(name, input), context.project).output;

/** A line in which all but one character of the secret stand before the place of the cut. */
const line = (at: number, behind: number) => {
  const before = 'needle '.padEnd(at - SECRET.length, '.');
  return `${before} ${SECRET} ${'y'.repeat(behind)}`;
};

describe('no piece of a secret is shown', () => {
  it.each([2000, 1995, 2018])('by read_file, cut at 2000, secret until %d', async (at) => {
    writeFileSync(join(context.project, 'long.txt'), `${line(at, 5000)}\nnext\n`);
    const output = await shown('read_file', { path: 'long.txt' });
    expect(output).not.toContain('hunter2');
    expect(output).toMatch(/… \(line of \d+ characters, cut\)\n2\tnext/);
  });

  it('by read_file of a file that is too large to hold', async () => {
    writeFileSync(join(context.project, 'large.txt'), `${line(2000, 5000)}\n${'x\n'.repeat(5 << 20)}`);
    expect(await shown('read_file', { path: 'large.txt', limit: 2 })).not.toContain('hunter2');
  });

  it.each([100, 5000])('by grep, %d characters behind it', async (behind) => {
    writeFileSync(join(context.project, 'wide.txt'), `${line(300, behind)}\n`);
    const output = await shown('grep', { pattern: 'needle', path: 'wide.txt' });
    expect(output).toContain('wide.txt:1:needle');
    expect(output).toContain('[... omitted end of long line]');
    expect(output).not.toContain('hunter2');
  });

  it('by grep, where the word is longer than what is looked at', async () => {
    writeFileSync(join(context.project, 'word.txt'), `needle ${`sk-ant-${'aB3'.repeat(2000)}`.padStart(290, ' ')}\n`);
    expect(await shown('grep', { pattern: 'needle', path: 'word.txt' })).not.toContain('aB3aB3');
  });

  it('by the diff of an edit that does not fit', async () => {
    mkdirSync(join(context.project, 'd'));
    const text = `${'value '.padEnd(120 - SECRET.length + 1, '.')}${SECRET} and so on`;
    writeFileSync(join(context.project, 'd/e.txt'), `${text}\n`);
    await context.call('read_file', { path: 'd/e.txt' });
    const output = await shown('edit_file', { path: 'd/e.txt', old: text.replace('and so', 'but so'), new: 'x' });
    expect(output).toContain('nearest');
    expect(output).not.toContain('hunter2');
  });

  it('at the end of the head and at the start of the tail of an output of one line', () => {
    for (let before = 11_980; before < 12_000; before += 3) {
      const output = new ClippedOutput(join(context.project, '.state/out.txt'));
      output.write(`${'x'.repeat(before)} ${SECRET} ${'y'.repeat(20_000)} ${SECRET} ${'z'.repeat(before + 6001)}`);
      const text = withoutSecrets({ output: output.end() }, context.project).output;
      expect(text).toContain('are not shown here');
      expect(text).not.toMatch(/hunter2|secretv|value/);
    }
  });

  it('at the start of what is kept of a job', () => {
    const job = new JobOutput();
    for (let i = 0; i < 3000; i++) job.write(Buffer.from(`${SECRET} `));
    job.write(Buffer.from('\nend'));
    const { text } = job.tail();
    expect(withoutSecrets({ output: text }, context.project).output).not.toMatch(/value(?! \w)|hunter2/);
  });
});

it('the place of a cut moves out of a secret, to the wanted side', () => {
  const text = `abc ${SECRET} def`;
  expect([
    cutBefore(text, 2),
    cutBefore(text, 10),
    cutBehind(text, 10),
    cutBefore(text, 4),
    cutBehind(text, 22),
  ]).toEqual([2, 4, 22, 4, 22]);
  expect([cutBefore(text, 99), cutBehind(text, 0)]).toEqual([text.length, 0]);
});

it('a read that begins in a private key shows it from its first line on, so that it is hidden', async () => {
  const body = ['a', 'b', 'c'].map((letter) => `MIIE${letter.repeat(60)}`).join('\n');
  const text = `x: |\n-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----\ny: 1\nz: 2\n`;
  writeFileSync(join(context.project, 'config.yaml'), text);
  expect(await shown('read_file', { path: 'config.yaml', offset: 4 })).toMatch(
    /^2\t\[redacted: private key\]\n7\ty: 1\n8\tz: 2/,
  );
  expect(await shown('read_file', { path: 'config.yaml', offset: 4, limit: 1 })).toMatch(
    /^2\t\[redacted: private key\][\s\S]*\(1 secret/,
  );
  expect((await context.call('read_file', { path: 'config.yaml', offset: 4, limit: 1 })).output).toMatch(
    /^4\tMIIEb+\n\(lines 2-4 of \d+; go on with offset 5\)/m,
  );
  expect((await context.call('read_file', { path: 'config.yaml', offset: 7 })).output).toMatch(/^7\ty: 1/);
  expect((await context.call('read_file', { path: 'config.yaml', offset: 2, limit: 1 })).output).toMatch(
    /^2\t-----BEGIN/,
  );
});

it('an endless line goes into the file of the whole output without a secret cut in two', () => {
  const file = join(context.project, '.state/endless.txt');
  const spill = new SpillFile(file);
  const piece = `${'x'.repeat(4999)} ${SECRET} é`;
  for (let i = 0; i < 500; i++) spill.write(piece, i % 2 ? Buffer.from(piece) : undefined);
  expect(spill.end()).toBe(true);
  const written = readFileSync(file, 'utf8');
  expect(written).toBe(piece.replace(SECRET, '[redacted: DB_PASSWORD]').repeat(500));
});

it('what has no secret is written as it came, whatever its pieces', () => {
  const file = join(context.project, '.state/plain.txt');
  const spill = new SpillFile(file);
  let all = '';
  for (let i = 0; i < 3000; i++) {
    const piece =
      i % 7 === 0
        ? `half of a pair \ud83d`
        : i % 7 === 1
          ? '\ude00 and more'
          : `line ${i} é漢 of output${i % 3 ? '' : '\n'}`.repeat(20);
    spill.write(piece, Buffer.from(piece));
    all += piece;
  }
  expect(spill.end()).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(all);
});
