import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fit as fitted } from '../../../app/tui/text/cells.ts';
import { paint } from '../../../app/tui/text/style.ts';
import { ScreenWriter } from '../../../app/tui/writer.ts';

type Cursor = { row: number; column: number } | null;

/** A writer on a terminal that can be read. */
function onTerminal(columns: number, rows: number) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 100 });
  const writes: string[] = [];
  const writer = new ScreenWriter({ write: (text) => writes.push(text) }, { columns, rows });
  let done = 0;
  const settle = async () => {
    const output = writes.slice(done).join('');
    done = writes.length;
    await new Promise<void>((resolve) => terminal.write(output, resolve));
  };
  const screen = async (): Promise<string[]> => {
    await settle();
    const buffer = terminal.buffer.active;
    return Array.from({ length: terminal.rows }, (_, row) =>
      buffer
        .getLine(buffer.baseY + row)!
        .translateToString(true)
        .trimEnd(),
    );
  };
  const cursor = () => ({ row: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX });
  return { terminal, writes, writer, screen, cursor, settle };
}

const trimmed = (lines: readonly string[], rows: number) =>
  Array.from({ length: rows }, (_, row) => (lines[row] ?? '').replace(/\x1b\[[\d;]*m/g, '').trimEnd());

describe('the screen writer', () => {
  it('paints in one write: synchronised, cursor hidden, no line feed, no wrapping', () => {
    const { writer, writes } = onTerminal(10, 2);
    writer.paint(['one', 'two'], { row: 1, column: 3 });
    expect(writes).toEqual([
      '\x1b[?2026h\x1b[?25l\x1b[?7l\x1b[0m\x1b[1;1Hone\x1b[K\x1b[2;1Htwo\x1b[K\x1b[?7h\x1b[2;4H\x1b[?25h\x1b[?2026l',
    ]);
  });

  it('writes only the rows that changed, and nothing when none did', () => {
    const { writer, writes } = onTerminal(10, 3);
    writer.paint(['one', 'two', 'three'], null);
    writer.paint(['one', 'two', 'three'], null);
    expect(writes.length).toBe(1);
    writer.paint(['one', 'TWO', 'three'], null);
    expect(writes[1]).toContain('\x1b[2;1HTWO');
    expect(writes[1]).not.toMatch(/one|three/);
  });

  it('moves the cursor alone, hides and shows it', async () => {
    const { writer, writes, screen, cursor } = onTerminal(10, 2);
    writer.paint(['one', 'two'], { row: 0, column: 1 });
    writer.paint(['one', 'two'], { row: 1, column: 2 });
    expect(writes[1]).toBe('\x1b[2;3H');
    await screen();
    expect(cursor()).toEqual({ row: 1, column: 2 });
    writer.paint(['one', 'two'], null);
    expect(writes[2]).toBe('\x1b[?25l');
    writer.paint(['one', 'two'], { row: 1, column: 2 });
    expect(writes[3]).toBe('\x1b[2;3H\x1b[?25h');
    writer.paint(['one', 'two'], { row: 1, column: 2 });
    expect(writes.length).toBe(4);
  });

  it('fills the last cell of the last row without scrolling', async () => {
    const { writer, screen, terminal } = onTerminal(4, 2);
    writer.paint(['abcd', 'efgh'], { row: 1, column: 3 });
    expect(await screen()).toEqual(['abcd', 'efgh']);
    expect(terminal.buffer.active.baseY).toBe(0);
  });

  it('paints everything after a resize, after a reset, and over what others wrote', async () => {
    const { writer, writes, screen, terminal } = onTerminal(10, 3);
    writer.paint(['one', 'two', 'three'], null);
    await screen();
    terminal.resize(12, 2);
    writer.resize({ columns: 12, rows: 2 });
    writer.paint(['one', 'two'], null);
    expect(await screen()).toEqual(['one', 'two']);
    await new Promise<void>((resolve) => terminal.write('\x1b[Hgarbage', resolve));
    writer.reset();
    writer.paint(['one', 'two'], null);
    expect(await screen()).toEqual(['one', 'two']);
    expect(writes.join('')).not.toMatch(/\x1b\[[23]?J/);
  });

  it('lets nothing but text and styles through', () => {
    const { writer, writes } = onTerminal(30, 1);
    writer.paint(['a\x1b]52;c;eA==\x07b\x1b[2Jc\nd\re\x9bf\x1b[1mg'], null);
    expect(writes[0]).toContain('\x1b[1;1Ha]52;c;eA==b[2Jcdef\x1b[1mg\x1b[0m\x1b[K');
  });

  it('keeps columns right where the terminal knows other widths', async () => {
    // This terminal draws the sequence in more cells than two, and the heart in one.
    const { writer, screen, terminal } = onTerminal(20, 2);
    writer.paint(['a👩‍👩‍👧b', '❤️x❤️y'], null);
    await screen();
    const cell = (row: number, column: number) => terminal.buffer.active.getLine(row)!.getCell(column)!.getChars();
    expect([cell(0, 0), cell(0, 3), cell(1, 2), cell(1, 5)]).toEqual(['a', 'b', 'x', 'y']);
    writer.paint(['abcdefgh', ''], null);
    expect(await screen()).toEqual(['abcdefgh', '']);
  });

  it('shows exactly the frames, whatever was there before', async () => {
    const sign = fc.constantFrom(...'a b c漢字한é─…กी'.split(''), 'e\u0301', ' ', ' ');
    const styled = fc.tuple(fc.array(sign, { maxLength: 8 }), fc.constantFrom('bold', 'selected', 'code', null));
    const line = fc
      .array(styled, { maxLength: 3 })
      .map((parts) =>
        parts.map(([text, style]) => (style ? paint(style, text.join(''), 'dark') : text.join(''))).join(''),
      );
    const cursor: fc.Arbitrary<Cursor> = fc.option(fc.record({ row: fc.nat(5), column: fc.nat(11) }));
    const frame = fc.record({ lines: fc.array(line, { maxLength: 6 }), cursor, padded: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 6 }), async (frames) => {
        const { writer, screen, cursor: place, terminal, writes } = onTerminal(12, 6);
        for (const { lines, cursor: wanted, padded } of frames) {
          const rows = lines.map((each) => (padded ? fitted(each, 12) : fitted(each, 12).replace(/ +$/, '')));
          writer.paint(rows, wanted);
          expect(await screen()).toEqual(trimmed(rows, 6));
          if (wanted) expect(place()).toEqual(wanted);
        }
        expect(terminal.buffer.active.baseY).toBe(0);
        expect(writes.join('')).not.toContain('\n');
      }),
      { numRuns: 100 },
    );
  });
});
