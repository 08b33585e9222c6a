import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeLines } from '../../../core/checkpoint/merge-lines.ts';

const merge = async (...texts: [base: string, ours: string, theirs: string]) =>
  (await mergeLines(...(texts.map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer])))?.toString();

describe('two changes of one text', () => {
  it.each([
    ['apart', 'a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\n', 'A\nb\nc\nD\n'],
    ['a line more in each', 'a\nb\nc\n', 'new\na\nb\nc\n', 'a\nb\nc\nnew\n', 'new\na\nb\nc\nnew\n'],
    ['a line less in each', 'a\nb\nc\nd\n', 'b\nc\nd\n', 'a\nb\nc\n', 'b\nc\n'],
    ['only one of them', 'a\nb\n', 'a\nb\n', 'a\nB\n', 'a\nB\n'],
    ['the same in both', 'a\nb\n', 'a\nB\n', 'a\nB\n', 'a\nB\n'],
    ['without an end of the last line', 'a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC'],
  ])('come together: %s', async (_what, base, ours, theirs, merged) => {
    expect(await merge(base, ours, theirs)).toBe(merged);
    expect(await merge(base, theirs, ours)).toBe(merged);
  });

  it.each([
    ['the same line', 'a\nb\nc\n', 'a\nX\nc\n', 'a\nY\nc\n'],
    ['neighbouring lines', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nB\nc\n'],
    ['two lines more at one place', 'a\nb\n', 'a\nX\nb\n', 'a\nY\nb\n'],
  ])('do not where they touch %s', async (_what, base, ours, theirs) => {
    expect(await merge(base, ours, theirs)).toBeUndefined();
  });

  it('keep every byte of either', async () => {
    const line = fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10)));
    const part = fc.array(line, { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(part, part, part, line, line, async (head, middle, tail, x, y) => {
        const text = (...lines: Buffer[]) => Buffer.concat(lines.flatMap((one) => [one, Buffer.from('\n')]));
        const [ours, theirs] = [Buffer.concat([x, Buffer.from('ours')]), Buffer.concat([y, Buffer.from('theirs')])];
        const base = text(...head, ...middle, ...tail);
        const merged = await mergeLines(
          base,
          text(...head, ours, ...middle, ...tail),
          text(...head, ...middle, theirs, ...tail),
        );
        expect(merged?.equals(text(...head, ours, ...middle, theirs, ...tail))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
