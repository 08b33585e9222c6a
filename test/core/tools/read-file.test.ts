import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testContext } from './tool-context.ts';

const context = testContext();
const at = (name: string) => join(context.project, name);
const read = async (input: Record<string, unknown>) => context.call('read_file', input);

it('numbers the lines and hides their ends and the byte order mark', async () => {
  writeFileSync(at('a.txt'), '\uFEFFone\r\ntwo\r\n\r\nfour');
  expect(await read({ path: 'a.txt' })).toEqual({ output: '1\tone\n2\ttwo\n3\t\n4\tfour' });
  expect((await read({ path: at('a.txt'), offset: 2, limit: 1 })).output).toBe(
    '2\ttwo\n(lines 2-2 of 4; go on with offset 3)',
  );
  expect((await read({ path: './a.txt', offset: 4, limit: 10 })).output).toBe('4\tfour');
  expect((await read({ path: 'a.txt', offset: 9 })).output).toContain('only 4 lines');
});

it('bounds lines and characters, and says how to go on', async () => {
  writeFileSync(at('long.txt'), Array.from({ length: 5000 }, (_, i) => `line ${i + 1}`).join('\n'));
  expect((await read({ path: 'long.txt' })).output).toMatch(
    /\n2000\tline 2000\n\(lines 1-2000 of 5000; go on with offset 2001\)$/,
  );
  writeFileSync(at('wide.txt'), `${'x'.repeat(5000)}\nshort\n`);
  expect((await read({ path: 'wide.txt' })).output).toMatch(/^1\tx{2000}… \(line of 5000 characters, cut\)\n2\tshort$/);
  writeFileSync(at('big.txt'), `${'y'.repeat(900)}\n`.repeat(400));
  const { output } = await read({ path: 'big.txt' });
  expect(output.length).toBeLessThan(52_000);
  expect(output).toMatch(/go on with offset \d+\)$/);
});

it('answers for what is no text', async () => {
  writeFileSync(at('empty'), '');
  expect((await read({ path: 'empty' })).output).toBe('(empty is empty)');
  writeFileSync(at('bin'), Buffer.from([1, 2, 0, 3]));
  expect(await read({ path: 'bin' })).toMatchObject({
    isError: true,
    output: expect.stringContaining('binary file of 4 bytes'),
  });
  mkdirSync(at('dir'));
  expect((await read({ path: 'dir' })).output).toContain('Use ls');
  execFileSync('mkfifo', [at('fifo')]);
  expect((await read({ path: 'fifo' })).output).toContain('named pipe');
  expect((await read({ path: '/dev/zero' })).output).toContain('device');
  symlinkSync('/dev/zero', at('zero'));
  expect((await read({ path: 'zero' })).output).toContain('device');
  const server = createServer().listen(at('socket'));
  await once(server, 'listening');
  expect((await read({ path: 'socket' })).output).toContain('is a socket');
  server.close();
  symlinkSync('nowhere', at('dangling'));
  expect(await read({ path: 'dangling' })).toMatchObject({
    isError: true,
    output: 'dangling is a symbolic link to nowhere, which does not exist or cannot be reached.',
  });
  symlinkSync('loop', at('loop'));
  expect(await read({ path: 'loop' })).toMatchObject({ isError: true });
  if (process.platform === 'linux')
    expect((await read({ path: '/proc/self/environ' })).output).toContain('does not open');
});

it('helps when the file is missing', async () => {
  expect(await read({ path: 'logn.txt' })).toMatchObject({
    isError: true,
    output: 'logn.txt does not exist. Did you mean long.txt in the same directory?',
  });
  expect((await read({ path: 'no/such/file' })).output).toContain('neither does its directory');
});

it('reads a few lines of a huge file without reading it whole', async () => {
  const fd = openSync(at('huge'), 'w');
  writeSync(fd, Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join(''));
  writeSync(fd, `${'z'.repeat(100_000)}\nend of text\n`);
  ftruncateSync(fd, 4 * 2 ** 30);
  closeSync(fd);
  const started = process.memoryUsage().rss;
  expect((await read({ path: 'huge', offset: 10, limit: 5 })).output).toBe(
    '10\tline 10\n11\tline 11\n12\tline 12\n13\tline 13\n14\tline 14\n(lines 10-14; go on with offset 15)',
  );
  expect((await read({ path: 'huge', offset: 31, limit: 1 })).output).toMatch(
    /^31\tz{2000}… \(line of \d+ characters, cut\)/,
  );
  expect((await read({ path: 'huge', offset: 32, limit: 1 })).output).toMatch(/^32\tend of text/);
  expect(process.memoryUsage().rss - started).toBeLessThan(300 * 2 ** 20);
});

it('shows the encoding of a huge file', async () => {
  const line = Buffer.from(`${'caf\xe9 '.repeat(40)}\n`, 'latin1');
  writeFileSync(at('hugelatin'), Buffer.concat(Array.from({ length: 45_000 }, () => line)));
  const { output } = await read({ path: 'hugelatin', offset: 44_000, limit: 1 });
  expect(output).toMatch(/^\(encoding: latin-1; edits keep it\)\n44000\tcafé café /);
  writeFileSync(at('hugewide'), Buffer.from(`\uFEFF${'a line\n'.repeat(700_000)}`, 'utf16le'));
  expect((await read({ path: 'hugewide' })).output).toContain('utf-16le text of');
});

it('shows other encodings', async () => {
  writeFileSync(at('latin'), Buffer.from('caf\xe9\n', 'latin1'));
  expect((await read({ path: 'latin' })).output).toBe('(encoding: latin-1; edits keep it)\n1\tcafé');
  writeFileSync(at('wide16'), Buffer.from('\uFEFFgrüß\r\nGott', 'utf16le'));
  expect((await read({ path: 'wide16' })).output).toBe('(encoding: utf-16le; edits keep it)\n1\tgrüß\n2\tGott');
  writeFileSync(at('damaged'), Buffer.concat([Buffer.from('äöü '), Buffer.from([0xff])]));
  expect((await read({ path: 'damaged' })).output).toContain('1\täöü \ufffd');
});

it('gives images as images', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  writeFileSync(at('dot.png'), png);
  const { images, output } = await read({ path: 'dot.png' });
  expect(output).toContain('image/png');
  expect(images).toEqual([
    { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: png.toString('base64') } },
  ]);
});
