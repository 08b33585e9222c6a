import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, fit as fitted, graphemes, width, wrap } from '../../../../app/tui/text/cells.ts';
import { paint } from '../../../../app/tui/text/style.ts';

/** Characters that make text hard to measure, and plain ones; only what `sanitize` lets through. */
const signs =
  'a b c - . 1 # é が 漢 字 한 ᄒ ᅡ ᆫ กำ นิ क ् ष ि ि e\u0301 \u0301 👍 🏽 👩 \u200d 👧 🇩 🇪 ❤ \ufe0f \ufe0e 1\ufe0f\u20e3 ⌚ … ─ 。 （ ） ｱ \ufdfd'.split(
    ' ',
  );
const anySign = fc.constantFrom(...signs, ' ', ' ', 'word', '  ');
const anyText = fc.array(anySign, { maxLength: 40 }).map((parts) => parts.join(''));
const anyLine = fc
  .array(fc.tuple(anyText, fc.constantFrom('bold', 'code', 'added', null)), { maxLength: 5 })
  .map((parts) => parts.map(([text, style]) => (style ? paint(style, text, 'dark') : text)).join(''));
const bare = (line: string) => line.replace(/\x1b\[[\d;]*m/g, '');
/** Whether every grapheme has room in an indented row; a change of style may part what would be one. */
const hasRoom = (line: string, columns: number) =>
  line.split(/\x1b\[[\d;]*m/).every((run) => graphemes(run).every((text) => width(text) <= columns / 2));
const solid = (text: string) => bare(text).replaceAll(' ', '');

describe('graphemes', () => {
  it('are those of Intl.Segmenter', () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    const check = (text: string) => {
      expect(graphemes(text)).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment));
    };
    fc.assert(fc.property(anyText, check), { numRuns: 300 });
    fc.assert(fc.property(fc.string({ unit: 'binary' }), check), { numRuns: 300 });
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), check), { numRuns: 300 });
  });
});

describe('width', () => {
  it.each<[string, string, number]>([
    ['nothing', '', 0],
    ['ASCII', 'hello', 5],
    ['own styles', paint('heading', 'hello', 'dark'), 5],
    ['a precomposed letter', 'é', 1],
    ['a letter with a mark', 'e\u0301', 1],
    ['many marks', 'e\u0301\u0302\u0303', 1],
    ['an enclosing mark', 'a\u20dd', 1],
    ['Chinese', '漢字', 4],
    ['kana', 'がぎ', 4],
    ['kana with a combining mark', 'か\u3099', 2],
    ['halfwidth kana', 'ｶﾞ', 2],
    ['fullwidth letters', 'ＡＢ', 4],
    ['fullwidth space', '\u3000', 2],
    ['Hangul', '한글', 4],
    ['conjoining Jamo', '\u1112\u1161\u11ab', 2],
    ['a Jamo vowel alone', '\u1161', 1],
    ['Thai with marks above', 'ที่', 1],
    ['Thai sara am', 'กำ', 2],
    ['Devanagari, spacing vowel', 'का', 2],
    ['Devanagari conjunct', 'नमस्ते', 4],
    ['Tamil', 'நி', 2],
    ['Arabic', 'سلام', 4],
    ['Hebrew with points', 'שָׁלוֹם', 4],
    ['an emoji', '😀', 2],
    ['a skin tone', '👍🏽', 2],
    ['a skin tone on a sign with text presentation', '☝🏽', 2],
    ['a family', '👩‍👩‍👧‍👦', 2],
    ['a heart on fire', '❤️‍🔥', 2],
    ['a pirate flag', '🏴‍☠️', 2],
    ['a flag', '🇩🇪', 2],
    ['two flags', '🇩🇪🇫🇷', 4],
    ['a regional indicator alone', '🇩', 1],
    ['a flag made of tags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
    ['a keycap', '1️⃣', 2],
    ['a keycap without selector', '1⃣', 1],
    ['a heart as text', '❤', 1],
    ['a heart with VS15', '❤︎', 1],
    ['a heart with VS16', '❤️', 2],
    ['a watch', '⌚', 2],
    ['a watch with VS15', '⌚︎', 2],
    ['VS16 after a letter', 'a\ufe0f', 1],
    ['copyright', '©', 1],
    ['ellipsis, box drawing, blocks, Braille', '…─█⠋', 4],
    ['private use', '\ue0b0', 1],
    ['zero width space, joiner, BOM', '\u200b\u2060\ufeff', 0],
    ['a rare ideograph', '𠮷', 2],
    ['trigrams and hexagrams', '☰䷀', 4],
    ['control characters', '\x07\x9b', 0],
  ])('%s', (_, text, cells) => {
    expect(width(text)).toBe(cells);
  });
});

describe('fit', () => {
  it.each([
    ['abc', 5, 'abc  '],
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['漢字', 3, '漢…'],
    ['漢字', 2, ' …'],
    ['漢', 1, '…'],
    ['abc', 0, ''],
    ['\x1b[1mabcd\x1b[0m', 3, '\x1b[1mab…\x1b[0m'],
    ['\x1b[1mab', 3, '\x1b[1mab\x1b[0m '],
  ])('%j in %i', (line, columns, expected) => {
    expect(fitted(line, columns)).toBe(expected);
  });

  it('always has exactly the columns, and no style left open', () => {
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 1, max: 30 }), (line, columns) => {
        const row = fitted(line, columns);
        expect(width(row)).toBe(columns);
        expect(row.lastIndexOf('\x1b[')).toBe(row.lastIndexOf('\x1b[0m'));
      }),
    );
  });
});

describe('cut', () => {
  it.each([
    ['abcdef', 2, 3, 'cde'],
    ['abc', 2, 9, 'c'],
    ['abc', 5, 2, ''],
    ['漢字', 1, 2, '  '],
    ['漢字', 0, 3, '漢 '],
    ['漢字x', 1, 4, ' 字x'],
    ['e\u0301x', 0, 1, 'e\u0301'],
    ['\x1b[1mabc\x1b[0md', 1, 1, '\x1b[1mb\x1b[0m'],
    ['\x1b[1mabc\x1b[0md', 3, 1, 'd'],
  ])('%j from %i, %i', (line, from, columns, expected) => {
    expect(cut(line, from, columns)).toBe(expected);
  });

  it('takes exactly the cells that are there', () => {
    fc.assert(
      fc.property(anyLine, fc.nat(30), fc.nat(30), (line, from, columns) => {
        expect(width(cut(line, from, columns))).toBe(Math.max(0, Math.min(width(line) - from, columns)));
      }),
    );
  });

  it('in two places gives the whole', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(30), (text, from) => {
        const line = text.replace(/[^\x20-\x7e]/g, '');
        expect(cut(line, 0, from) + cut(line, from, line.length)).toBe(line);
      }),
    );
  });
});

describe('wrap', () => {
  it.each<[string, number, number, string[]]>([
    ['', 5, 0, ['']],
    ['one two', 9, 0, ['one two']],
    ['one two three', 9, 0, ['one two', 'three']],
    ['one   two', 5, 0, ['one', 'two']],
    ['onetwothree', 4, 0, ['onet', 'woth', 'ree']],
    ['a onetwothree', 4, 0, ['a', 'onet', 'woth', 'ree']],
    ['  indented words', 10, 0, ['  indented', 'words']],
    ['    indented', 8, 0, ['    inde', 'nted']],
    ['one two three', 9, 2, ['one two', '  three']],
    ['one twothreefour', 8, 2, ['one', '  twothr', '  eefour']],
    ['exact fits', 5, 0, ['exact', 'fits']],
    ['word     ', 4, 0, ['word']],
    ['          ', 4, 0, ['']],
    ['   漢', 4, 0, ['漢']],
    ['漢字仮名', 5, 0, ['漢字', '仮名']],
    ['漢字。仮名', 4, 0, ['漢', '字。', '仮名']],
    ['（漢字）', 4, 0, ['（漢', '字）']],
    ['abc漢字', 5, 0, ['abc漢', '字']],
    ['漢字', 1, 0, ['…', '…']],
    ['a\n\nb c', 2, 1, ['a', '', 'b', ' c']],
    ['\x1b[1mone two\x1b[0m x', 4, 0, ['\x1b[1mone\x1b[0m', '\x1b[1mtwo\x1b[0m', 'x']],
    ['👩‍👩‍👧👩‍👩‍👧', 3, 0, ['👩‍👩‍👧', '👩‍👩‍👧']],
  ])('%j in %i, indent %i', (line, columns, indent, rows) => {
    expect(wrap(line, columns, { indent })).toEqual(rows);
  });

  it('never gives a wider row, loses nothing but spaces, leaves no style open', () => {
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 4, max: 30 }), fc.nat(8), (line, columns, indent) => {
        fc.pre(hasRoom(line, columns));
        const rows = wrap(line, columns, { indent });
        for (const row of rows) {
          expect(width(row)).toBeLessThanOrEqual(columns);
          expect(row.lastIndexOf('\x1b[')).toBe(row.lastIndexOf('\x1b[0m'));
        }
        expect(solid(rows.join(''))).toBe(solid(line));
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps the style of every character', () => {
    const styles = (line: string): string[] => {
      const found: string[] = [];
      let active = '';
      for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
        if (part === '\x1b[0m') active = '';
        else if (part.startsWith('\x1b')) active += part;
        else for (const sign of part.replaceAll(' ', '')) found.push(active + sign);
      }
      return found;
    };
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 4, max: 20 }), (line, columns) => {
        fc.pre(hasRoom(line, columns));
        expect(wrap(line, columns).flatMap(styles)).toEqual(styles(line));
      }),
    );
  });
});

describe('paint', () => {
  it('nests, ends and has no colour without a theme', () => {
    expect(paint('error', 'x', 'dark')).toBe('\x1b[91mx\x1b[0m');
    expect(paint('bold', `a ${paint('code', 'b', 'dark')} c`, 'dark')).toBe(
      '\x1b[1ma \x1b[36mb\x1b[0m\x1b[1m c\x1b[0m',
    );
    expect(paint('code', 'x', 'none')).toBe('x');
    expect(paint('error', 'x', 'none')).toBe('\x1b[1mx\x1b[0m');
    expect(paint('bold', '', 'dark')).toBe('');
  });
});
