import { expect, test } from 'vitest';
import { oneLine, plainText } from '../../app/plain-text.ts';

test.each([
  ['plain\ttext\n', 'plain\ttext\n'],
  ['a\r\nb', 'a\nb'],
  ['\x1b[31mred\x1b[0m', 'red'],
  ['\x1b]0;title\x07x', 'x'],
  ['\x1b]52;c;Y3VybA==\x1b\\x', 'x'],
  ['\x1b]8;;http://a\x07link\x1b]8;;\x07', 'link'],
  ['\x1b]unfinished', ''],
  ['\x1bPq\x1b\\x', 'x'],
  ['\x1bc\x1b[2J\x1b[6nx', 'x'],
  ['\x9b31mx', 'x'],
  ['a\x00b\x07c\x7fd', 'abcd'],
  ['safe\u202egnp.exe', 'safegnp.exe'],
  ['grüße 日本 👩‍👧', 'grüße 日本 👩‍👧'],
])('%j', (text, expected) => expect(plainText(text)).toBe(expected));

test('one line, clipped', () => {
  expect(oneLine(' a\n\n  b\tc ')).toBe('a b c');
  expect(oneLine('abcdef', 4)).toBe('abc…');
});
