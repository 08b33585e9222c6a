/**
 * Paints frames to the terminal: only rows that changed, each placed absolutely, the whole in one synchronised write.
 * No line feed and no scrolling, so the last cell of the last row is a cell like any other.
 */
import { RESET, tokens, width } from './text/line.ts';
import type { Line, Size } from './types.ts';

export interface Place {
  /** From 0. */
  column: number;
  row: number;
}

// DEC private modes: 2026 synchronised output, 25 cursor, 7 autowrap.
const BEGIN = '\x1b[?2026h\x1b[?25l\x1b[?7l';
const END = '\x1b[?7h';
const SHOW = '\x1b[?25h';
const HIDE = '\x1b[?25l';
const COMMIT = '\x1b[?2026l';
const ERASE_REST = '\x1b[K';
const at = (row: number, column: number): string => `\x1b[${row + 1};${column + 1}H`;

export class ScreenWriter {
  private readonly out: { write(text: string): void };
  private size: Size;
  /** The rows on the screen; undefined: unknown. */
  private shown: (Line | undefined)[] = [];
  /** The place of the cursor on the screen, null while hidden; undefined: unknown. */
  private cursor: Place | null | undefined;

  constructor(out: { write(text: string): void }, size: Size) {
    this.out = out;
    this.size = size;
  }

  /** Makes the screen show `lines` (missing ones are empty) and the cursor, hidden when null. One write, or none. */
  paint(lines: readonly Line[], cursor: Place | null): void {
    const { columns, rows } = this.size;
    let changed = '';
    for (let row = 0; row < rows; row++) {
      const line = lines[row] ?? '';
      if (line === this.shown[row]) continue;
      this.shown[row] = line;
      changed += at(row, 0) + rowOutput(line, columns);
    }
    const place = cursor && {
      row: Math.max(0, Math.min(cursor.row, rows - 1)),
      column: Math.max(0, Math.min(cursor.column, columns - 1)),
    };
    const seen = this.cursor;
    const stays = seen === place || (seen && place && seen.row === place.row && seen.column === place.column);
    if (changed === '' && stays) return;
    this.cursor = place;
    const end = place ? at(place.row, place.column) + (changed || !seen ? SHOW : '') : HIDE;
    this.out.write(changed ? BEGIN + RESET + changed + END + end + COMMIT : end);
  }

  /** The terminal has another size: the next frame is painted whole. */
  resize(size: Size): void {
    this.size = size;
    this.reset();
  }

  /** Something else has drawn on the screen: the next frame is painted whole. */
  reset(): void {
    this.shown = [];
    this.cursor = undefined;
  }
}

// Anything but text and SGR: the last gate before the terminal, whatever happened to a line on its way.
const FOREIGN = /[\x00-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\[[\d;:]*m)/g;

function rowOutput(line: Line, columns: number): string {
  const safe = line.replace(FOREIGN, '');
  const cells = width(safe);
  const text = anchored(safe);
  const styled = safe.includes('\x1b') && !safe.endsWith(RESET);
  return text + (styled ? RESET : '') + (cells < columns ? ERASE_REST : '');
}

const UNSURE = /\u200c|\u200d|\ufe0e|\ufe0f|[\p{Emoji_Presentation}\p{Regional_Indicator}\p{Emoji_Modifier}\p{Mc}]/u;

/**
 * Terminals differ in the cells of emoji sequences and spacing marks. Around such a grapheme the cells are blanked and
 * the column is set anew, so that a terminal that draws it narrower or wider moves nothing else.
 */
function anchored(line: Line): string {
  if (!UNSURE.test(line)) return line;
  const { texts, widths } = tokens(line);
  let output = '';
  let column = 0;
  for (const [index, text] of texts.entries()) {
    const cells = widths[index]!;
    if (cells < 0) {
      output += text;
      continue;
    }
    const unsure = text.length > 0 && text.charCodeAt(0) > 0x7e ? UNSURE.test(text) : text.length > 1;
    output += unsure ? `${' '.repeat(cells)}\x1b[${column + 1}G${text}\x1b[${column + cells + 1}G` : text;
    column += cells;
  }
  return output;
}
