/** The text of a terminal is what xterm shows of the same bytes, for what programs write that redraw. */
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TerminalText } from '../../../../core/tools/shell/terminal-text.ts';

/** Without trailing blanks: an erased cell and a written blank look alike. */
const trimmed = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();

function folded(chunks: readonly string[]): string {
  let text = '';
  const terminal = new TerminalText((piece) => (text += piece));
  for (const chunk of chunks) terminal.write(chunk);
  terminal.end();
  return trimmed(text);
}

async function shown(text: string): Promise<string> {
  // What is erased as a whole was shown, and stays above.
  const more = { scrollOnEraseInDisplay: true, scrollback: 5000, allowProposedApi: true };
  const terminal = new xterm.Terminal({ cols: 200, rows: 50, ...more });
  const fromHome = text.replaceAll(/(\x1b\[[01]?(?:;[01]?)?[Hf]\x1b\[\??)0?J/g, '$12J');
  // As a terminal's driver turns line feeds into carriage return and line feed.
  await new Promise<void>((resolve) => terminal.write(fromHome.replaceAll(/\r?\n/g, '\r\n'), resolve));
  const { normal } = terminal.buffer;
  const rows = Array.from({ length: normal.length }, (_, at) => normal.getLine(at)!);
  const parts = rows.map((row, at) => {
    const goesOn = rows[at + 1]?.isWrapped ?? false;
    const whole = row.translateToString(!goesOn);
    // A wide character that found no room leaves the last cell of a row empty.
    const [before, last] = [row.getCell(198)!, row.getCell(199)!];
    const isFull = before.getChars() !== '' || before.getWidth() === 0;
    const isShort = goesOn && isFull && last.getChars() === '' && last.getWidth() === 1;
    const full = isShort ? whole.slice(0, -1) : whole;
    return `${row.isWrapped || at === 0 ? '' : '\n'}${full}`;
  });
  terminal.dispose();
  return trimmed(parts.join(''));
}

const small = fc.integer({ min: 0, max: 12 });
const word = fc.stringMatching(/^[a-z0-9 .:#=>-]{1,18}$/);
const csi = (final: string, ...counts: fc.Arbitrary<number>[]) =>
  fc.tuple(...counts).map((numbers) => `\x1b[${numbers.map((n) => (n === 0 ? '' : n)).join(';')}${final}`);
const motion = fc.oneof(
  ...[...'ABCDEFGdPX@LMST'].map((final) => csi(final, small)),
  ...['J', 'K', '?K'].map((final) =>
    csi(final.slice(-1), fc.integer({ min: 0, max: 2 })).map((text) =>
      final.length > 1 ? text.replace('[', '[?') : text,
    ),
  ),
  csi('H', fc.integer({ min: 0, max: 55 }), fc.integer({ min: 0, max: 210 })),
  csi('b', fc.integer({ min: 1, max: 9 })),
  fc.constantFrom('\x1b7', '\x1b8', '\x1bM', '\x1bD', '\x1bE', '\x1b[s', '\x1b[u', '\x1b[?25l', '\x1b[?25h'),
  fc.constantFrom('\x1b[1;32m', '\x1b[0m', '\x1b[38;5;214m', '\x1b]0;a title\x07', '\x1b[?2004h', '\x1b(B', '\x1b[>0q'),
);
const region = fc
  .tuple(fc.integer({ min: 1, max: 25 }), fc.integer({ min: 26, max: 50 }))
  .map(([top, bottom]) => `\x1b[${top};${bottom}r`);
const alternate = fc.constantFrom('\x1b[?1049h', '\x1b[?1049l');
const long = fc.integer({ min: 150, max: 650 }).map((length) => 'abcdefghij'.repeat(65).slice(0, length));
const wide = fc.constantFrom('日本語', 'é', 'e\u0301x', '한글', '中', '│├─', '⠋ ', 'ａ');
const piece = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 3, arbitrary: fc.constantFrom('\n', '\r\n', '\r', '\b', '\n\n') },
  { weight: 4, arbitrary: motion },
  { weight: 1, arbitrary: long },
  { weight: 1, arbitrary: wide },
  { weight: 1, arbitrary: fc.constantFrom('\n'.repeat(30), '\x1b[?7l', '\x1b[?7h') },
);
const runs = { numRuns: 400 };

describe('the fold of a terminal', () => {
  it('is what xterm shows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        expect(folded([pieces.join('')])).toBe(await shown(pieces.join('')));
      }),
      runs,
    );
  });

  it('is what xterm shows also with regions that scroll and the alternate screen', async () => {
    const more = fc.oneof({ weight: 8, arbitrary: piece }, { weight: 1, arbitrary: region }, alternate);
    await fc.assert(
      fc.asyncProperty(fc.array(more, { maxLength: 50 }), async (pieces) => {
        // What is drawn on the alternate screen goes with it.
        const drawn = pieces.join('').replaceAll(/\x1b\[\??2J/g, '');
        const text = `${drawn}\x1b[?1049l`;
        expect(folded([text])).toBe(await shown(text));
      }),
      runs,
    );
  });

  it('does not depend on how the bytes arrive', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        (pieces, sizes) => {
          const text = pieces.join('');
          const chunks: string[] = [];
          for (let at = 0, i = 0; at < text.length; i++) chunks.push(text.slice(at, (at += sizes[i % sizes.length]!)));
          expect(folded(chunks)).toBe(folded([text]));
        },
      ),
      runs,
    );
  });
});

describe('progress', () => {
  it('of several lines ends as its last frame', () => {
    const frame = (n: number) => ['base', 'app', 'db'].map((name) => `\x1b[2K${name}: ${n} %\r\n`).join('');
    const frames = Array.from({ length: 101 }, (_, n) => (n === 0 ? '' : '\x1b[3A') + frame(n));
    expect(folded(['pulling\n', ...frames, 'done\n'])).toBe('pulling\nbase: 100 %\napp: 100 %\ndb: 100 %\ndone');
  });

  it('of a bar, a spinner and a line that is cleared', () => {
    expect(folded(['\r 10 %\r 50 %\r100 %\nok'])).toBe('100 %\nok');
    expect(folded(['⠋ work\x1b[1G⠙ work\x1b[1G\x1b[0K✓ work\n'])).toBe('✓ work');
    expect(folded(['a long line of status\r\x1b[Kshort'])).toBe('short');
  });

  it.each(['\x1b[2J\x1b[3J\x1b[H', '\x1b[H\x1b[2J', '\x1b[1;1H\x1b[0J', '\x1b[H\x1b[J', '\x1bc'])(
    'of a screen that is cleared by %j keeps what was shown before',
    (clear) => {
      expect(folded(['first run\nfailed\n', clear, 'second run\npassed\n']).replaceAll(/\n+/g, '\n')).toBe(
        'first run\nfailed\nsecond run\npassed',
      );
      const lines = Array.from({ length: 300 }, (_, i) => `line ${i}\n`).join('');
      expect(folded([lines, clear, 'done\n']).replaceAll(/\n+/g, '\n')).toBe(`${lines}done`);
    },
  );

  it('of a program that was ended while it drew on the alternate screen', () => {
    expect(folded(['$ edit\n\x1b[?1049h\x1b[2J\x1b[1;1Hthe file\x1b[2;1H~'])).toBe('$ edit\nthe file\n~');
  });
});

describe('text', () => {
  it('keeps tabs, long lines and lone line feeds as they are', () => {
    const row = 'a\tb\t\tc'.repeat(60);
    expect(folded([`${row}\n\tindented\n`])).toBe(`${row}\n\tindented`);
    expect(folded([`${'x'.repeat(5000)}\ny`])).toBe(`${'x'.repeat(5000)}\ny`);
    expect(folded([`${'漢'.repeat(333)}\nend`])).toBe(`${'漢'.repeat(333)}\nend`);
    expect(folded(['one\ntwo'])).toBe('one\ntwo');
    expect(folded(['👩‍💻 👍🏽 done'])).toBe('👩‍💻 👍🏽 done');
  });

  it('is bounded in memory and time', () => {
    let length = 0;
    const terminal = new TerminalText((text) => (length += text.length));
    const chunk = 'y\n'.repeat(30_000);
    for (let i = 0; i < 40; i++) terminal.write(chunk);
    expect(terminal.view().length).toBeLessThan(1000);
    terminal.write('x'.repeat(2_000_000));
    terminal.write('\x1b[1000A\x1b[1000L\x1b[1000S\x1b[100000b'.repeat(50));
    terminal.end();
    expect(length).toBeGreaterThan(3_000_000);
  });
});

it('a wide character that finds no room takes along what stood in the last cell', async () => {
  const row = 'abcdefghij'.repeat(20);
  for (const from of [190, 192, 194, 195]) {
    const text = `${row}${row.slice(0, from)}\x1b[Taaa-a日本語`;
    expect(folded([text])).toBe(await shown(text));
  }
});

it('a line feed in the last row, below what scrolls, leaves that row as it is', async () => {
  const text = '\x1b[1;26r\x1b[49;198H:  >\n';
  expect(folded([text])).toBe(await shown(text));
});
