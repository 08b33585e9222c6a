import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitize } from '../../../../app/tui/text/sanitize.ts';

const dangerous = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\p{Cs}]/u;

describe('sanitize', () => {
  it.each<[string, string, string]>([
    ['plain text', 'hello\nworld', 'hello\nworld'],
    ['other scripts', 'Grüße, 漢字, नमस्ते, سلام', 'Grüße, 漢字, नमस्ते, سلام'],
    ['colours', 'a \x1b[31;1mred\x1b[0m b', 'a red b'],
    ['clear and report', 'a\x1b[2J\x1b[6n\x1b[?1049hb', 'ab'],
    ['reset and keypad', 'a\x1bc\x1b=\x1b(Bb', 'ab'],
    ['clipboard', 'a\x1b]52;c;Y3VybA==\x07b', 'ab'],
    ['title, ended by ST', 'a\x1b]0;x\x1b\\b', 'ab'],
    ['a link', '\x1b]8;;http://evil.example\x07text\x1b]8;;\x07', 'text'],
    ['a device control string', 'a\x1bPq#0\x1b\\b', 'ab'],
    ['APC, PM, SOS', 'a\x1b_Gx\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\b', 'ab'],
    ['an unterminated string hides only its line', 'a\x1b]0;title\nb', 'a\nb'],
    ['an unterminated DCS at the end', 'a\x1bPabc', 'a'],
    ['a string broken off by another sequence', 'a\x1b]0;x\x1b[31mb', 'ab'],
    ['a string broken off by CAN', 'a\x1b]0;x\x18b', 'ab'],
    ['C1 CSI', 'a\x9b31mb', 'ab'],
    ['C1 OSC', 'a\x9d0;x\x9cb', 'ab'],
    ['C1 in text of a wrong encoding', 'caf\x9e and more', 'caf and more'],
    ['an ESC at the end', 'a\x1b', 'a'],
    ['an unfinished CSI', 'a\x1b[31', 'a'],
    ['an unfinished CSI before a line feed', 'a\x1b[31\nb', 'a\nb'],
    ['NUL, BEL, DEL', 'a\0b\x07c\x7fd', 'abcd'],
    ['CRLF', 'a\r\nb\r\r\nc', 'a\nb\nc'],
    ['a progress bar', '10%\r50%\r100%\ndone', '100%\ndone'],
    ['a progress bar that erases', '10% ....\r\x1b[K20%\r\x1b[K\nnext', '\nnext'],
    ['a progress bar of erase line and column', 'a\x1b[2K\x1b[1Gb\x1b[2K\x1b[Gc', 'c'],
    ['a CR at the end of a line leaves it', 'kept\r\x1b[0m\nnext\r', 'kept\nnext'],
    ['overstriking', 'N\x08NA\x08AM\x08ME\x08E _\x08x', 'NAME x'],
    ['vertical tab and form feed', 'a\x0bb\x0cc', 'a\nb\nc'],
    ['line separators', 'a\u2028b\u2029c', 'a\nb\nc'],
    ['tabs', 'a\tb\n\tc\nabcdefgh\td', 'a       b\n        c\nabcdefgh        d'],
    ['tabs after wide characters', '漢\tb', '漢      b'],
    ['direction overrides', 'a\u202eb\u2066c', 'a‹U+202E›b‹U+2066›c'],
    ['marks of direction', 'a\u200eb\u200fc\u061cd', 'abcd'],
    ['zero-width characters', 'r\u200bm\u2060 -\ufeffr\u00adf', 'rm -rf'],
    ['a joiner between ASCII letters', 'r\u200dm\u200c', 'rm'],
    ['a joiner in Persian', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['emoji sequences', '👩‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👩‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['selectors that hide data', 'a\ufe01\u{e0101}漢\u{e0101}', 'a漢\u{e0101}'],
    ['tags', 'a\u{e0041}', 'a‹U+E0041›'],
    ['lone surrogates', 'a\ud83d b\udc00', 'a\ufffd b\ufffd'],
    ['stacked marks', `a${'\u0301'.repeat(50)}b`, `a${'\u0301'.repeat(8)}b`],
  ])('%s', (_, text, expected) => {
    expect(sanitize(text)).toBe(expected);
    expect(sanitize(expected)).toBe(expected);
  });

  it('takes tab stops', () => {
    expect(sanitize('a\tb', { tabs: 4 })).toBe('a   b');
  });

  it.each<[string, string, string]>([
    ['a command before a CR', 'rm -rf ~ #\recho hi', 'rm -rf ~ #␍echo hi'],
    ['a command in a terminal string', 'echo\x1b]0;\n; rm x\x07', 'echo␛]0;\n; rm x␇'],
    ['backspaces', 'rm x\x08\x08\x08\x08ls', 'rm x␈␈␈␈ls'],
    ['zero-width characters', 'r\u200bm\u200d', 'r‹U+200B›m‹U+200D›'],
    ['C1', 'a\x9b31m', 'a‹U+009B›31m'],
    ['line ends and tabs', 'a\r\nb\tc', 'a\nb       c'],
    ['emoji', '👩‍👩‍👧 ❤️', '👩‍👩‍👧 ❤️'],
  ])('reveals %s', (_, text, expected) => {
    expect(sanitize(text, { reveal: true })).toBe(expected);
  });

  const pieces = fc.constantFrom(
    ...'\x1b [ ] P \\ \x07 \x9b \x9d \x9c \r \n \t \x08 ; 3 m K 2 a 漢 \u0301 \u202e \u200d 👩 \ud800 \udc00 \u{e0041} \x18 \x0b'.split(
      ' ',
    ),
  );

  it('lets nothing dangerous through, and nothing new on a second pass', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), fc.boolean(), (parts, reveal) => {
        const clean = sanitize(parts.join(''), { reveal });
        expect(clean).not.toMatch(dangerous);
        expect(sanitize(clean, { reveal })).toBe(clean);
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(sanitize(text)).not.toMatch(dangerous);
      }),
      { numRuns: 300 },
    );
  });

  it('is linear: the worst, repeated, comes back', () => {
    for (const unit of [
      '\x1b]',
      '\x9d',
      '\x1b[',
      'a\x08',
      'a\r',
      '\x1bP\x1b',
      '\t',
      '漢\u200d',
      '\u0301',
      'a\u200d',
      '\x9b1',
    ])
      expect(sanitize(unit.repeat(300_000 / unit.length))).not.toMatch(dangerous);
  });
});
