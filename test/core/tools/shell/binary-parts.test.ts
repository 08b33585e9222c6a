/** Binary parts of an output: what is shown of them, and where all of it lies. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it, test } from 'vitest';
import { BinaryParts } from '../../../../core/tools/shell/binary-parts.ts';
import { testContext } from '../tool-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'ada-binary-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function told(chunks: readonly (string | Buffer)[], addsReturns = false) {
  const file = join(folder, `${++files}.bin`);
  const shown: Buffer[] = [];
  const parts = new BinaryParts({ file, addsReturns }, (bytes) => shown.push(bytes));
  for (const chunk of chunks) parts.write(Buffer.from(chunk));
  const note = parts.end()?.replace(file, 'FILE');
  const whole = existsSync(file) ? readFileSync(file) : undefined;
  return { text: Buffer.concat(shown).toString(), note, whole, addsReturns: parts.addsReturns };
}

const BINARY = Buffer.from('fffefdfc0a', 'hex');
const mark = (bytes: number) => `[binary output not shown: ${bytes} bytes]\n`;

test('a long run of binary lines is one line, with the scraps of text between them', () => {
  const proper = 'a proper line of text that is longer than any scrap between two would be\n';
  const chunks = ['start\n', BINARY, 'ELF\n', BINARY, 'x\n', BINARY, proper];
  const { text, note, whole } = told(chunks);
  expect(text).toBe(`start\n${mark(21)}${proper}`);
  expect(note).toBe('(the output is 100 bytes, in part binary; all of it is in FILE)');
  expect(whole).toEqual(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))));
});

test('text behind binary lines is kept, however short', () => {
  expect(told([BINARY, 'done\n']).text).toBe(`${mark(5)}done\n`);
  expect(told([BINARY, 'exit 1']).text).toBe(`${mark(5)}exit 1`);
});

test('text with a few bytes of another encoding, or NULs between words, is text', () => {
  for (const bytes of ['caf\xe9 na\xefve\n', 'a/b.ts\0c/d.ts\0e.ts\0', 'p\0q\0r\0', 'h\0e\0l\0l\0o\0\n\0']) {
    const { text, note, whole } = told([Buffer.from(bytes, 'latin1')]);
    expect([text, note, whole]).toEqual([Buffer.from(bytes, 'latin1').toString(), undefined, undefined]);
  }
  const split = Buffer.from('ä€𝄞\n'.repeat(50));
  expect(told(Array.from(split, (byte) => Buffer.from([byte]))).text).toBe(split.toString());
});

test('binary parts far behind the beginning: the file begins with the piece in which they come', () => {
  const text = 'some text\n'.repeat(40_000);
  const { note, whole } = told([text, 'more\n', BINARY]);
  expect(note).toBe('(the output is 400010 bytes, in part binary; from byte 400006 on it is in FILE)');
  expect(whole).toEqual(BINARY);
});

test('where there is no place for the file, the size is told', () => {
  const parts = new BinaryParts({ file: '/dev/null/x', addsReturns: false }, () => {});
  parts.write(BINARY);
  expect(parts.end()).toBe('(the output is 5 bytes, in part binary)');
});

test('the carriage returns of the terminal are taken away, and no other byte', () => {
  const byte = fc.constantFrom(10, 13, 13, 0, 0x61, 0xff, 0xfe);
  const bytes = fc.array(byte, { maxLength: 200 });
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(200), { maxLength: 8 }), (some, places) => {
      const written = Buffer.concat([BINARY, Buffer.from(some)]);
      const seen = Buffer.from(written.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
      const cuts = [0, ...places.map((place) => 6 + place).sort((a, b) => a - b), seen.length];
      const pieces = cuts.slice(1).map((cut, i) => seen.subarray(cuts[i], cut));
      expect(told(pieces, true).whole?.toString('hex')).toBe(written.toString('hex'));
    }),
    { numRuns: 200 },
  );
  // A terminal that stopped to add them in the middle.
  const { whole, addsReturns } = told(['\0\0\0\0a\r\nb\nc\r\n', 'd\r\n'], true);
  expect([whole?.toString('latin1'), addsReturns]).toEqual(['\0\0\0\0a\nb\nc\r\nd\r\n', false]);
});

describe('bash', () => {
  it('says how many bytes there are, and where: byte for byte', async () => {
    const context = testContext();
    // The second time in a terminal that is raw since the first.
    for (let i = 0; i < 2; i++) {
      const { output } = await context.call('bash', { command: 'head -c 400000 /dev/urandom | tee copy' });
      const [, count, file] = /\(the output is (\d+) bytes, in part binary; all of it is in (.*\.bin)\)/.exec(output)!;
      expect(Number(count)).toBe(400_000);
      expect(readFileSync(file!).equals(readFileSync(join(context.project, 'copy')))).toBe(true);
      expect(output.length).toBeLessThan(1000);
    }
    const crlf = await context.call('bash', { command: "printf '\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\0\\0\\0\\n'" });
    const file = /in (\S+\.bin)\)/.exec(crlf.output)![1]!;
    expect(readFileSync(file, 'latin1')).toBe('\x89PNG\r\n\x1a\n\0\0\0\0\0\0\n');
  });

  it('shows the NULs between names', async () => {
    const { output } = await testContext().call('bash', { command: "printf 'src/a.ts\\0src/b.ts\\0'" });
    expect(output).toBe('src/a.ts␀src/b.ts␀');
  });
});
