import { expect, it } from 'vitest';
import { sanitize } from '../../../../app/lab/sanitize.ts';
import { width } from '../../../../app/lab/width.ts';
import { answerLine } from '../../../../app/lab.ts';

it('answers width and sanitize, one line each', async () => {
  expect(await answerLine(width, '{"text":"a漢👩‍👩‍👧"}')).toEqual({ width: 5, graphemes: ['a', '漢', '👩‍👩‍👧'] });
  expect(await answerLine(sanitize, '{"text":"a\\u001b[31mb\\u001b]52;c;eA==\\u0007"}')).toEqual({ text: 'ab' });
  expect(await answerLine(width, '{}')).toEqual({ error: 'text must be a string' });
  expect(await answerLine(sanitize, '{"text":3}')).toEqual({ error: 'text must be a string' });
});
