import { expect, test } from 'vitest';
import { ClippedOutput } from '../../../../core/tools/shell/clipped-output.ts';

const told = (...chunks: string[]): string => {
  const output = new ClippedOutput('/nonexistent/spill');
  for (const chunk of chunks) output.write(chunk);
  return output.end();
};
const BINARY = '\ufffd\ufffd\ufffd\ufffd\n';
const MARK = '[binary output not shown]\n';

test('a long run of binary lines is one line, with the scraps of text between them', () => {
  expect(
    told(
      `start\n${BINARY}ELF\n${BINARY}`,
      `x\n`,
      BINARY,
      'a proper line of text that is longer than any scrap between two would be\n',
    ),
  ).toBe(`start\n${MARK}a proper line of text that is longer than any scrap between two would be\n`);
});

test('text behind binary lines is kept, however short', () => {
  expect(told(BINARY, 'done\n')).toBe(`${MARK}done\n`);
  expect(told(`${BINARY}exit 1`)).toBe(`${MARK}exit 1`);
});
