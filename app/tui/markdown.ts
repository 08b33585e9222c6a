/**
 * Markdown as lines, whole or while it is streamed. A streamed text is kept as finished pieces and a growing tail:
 * each piece is laid out once, and a new frame costs only the tail.
 */
import { joined, type Pieces } from './blocks/pieces.ts';
import { markdownReady } from './markdown/lexer.ts';
import { type PieceLines, pieceLines } from './markdown/piece.ts';
import { type History, historyOf } from './markdown/settled.ts';
import { finished } from './markdown/unfinished.ts';
import type { Line, State } from './types.ts';

export { loadMarkdown, markdownReady } from './markdown/lexer.ts';
export { settle } from './markdown/settled.ts';

type Theme = State['theme'];

/** Lines of a whole text, each at most `columns` cells. Outside text is sanitized here. */
export function renderMarkdown(source: string, columns: number, theme: Theme): Line[] {
  return withoutFirstBlank(pieceLines(source, null, columns, theme).lines) as Line[];
}

/** A text as it streams: laid out piece by piece, each when it is first asked for. */
export function streamedMarkdown(
  { settled, tail, streaming }: { settled: readonly string[]; tail: string; streaming: boolean },
  columns: number,
  theme: Theme,
): Pieces {
  const history = historyOf(settled);
  const layout = layoutOf(history, columns, theme);
  const piecesBefore: Pieces = {
    count: settled.length,
    piece: (index) => (index === 0 ? withoutFirstBlank(layout.piece(0).lines) : layout.piece(index).lines),
  };
  if (tail === '') return piecesBefore;
  let lines: readonly Line[] | undefined;
  const tailPiece = { count: 1, piece: () => (lines ??= tailLines(settled.length, tail, streaming, history, layout)) };
  return joined([piecesBefore, tailPiece]);
}

function tailLines(count: number, tail: string, streaming: boolean, history: History, layout: Layout): readonly Line[] {
  const open = history.opens[count]!;
  const text = streaming ? finished(tail, open?.kind === 'fence' ? open.marker : null) : tail;
  const { lines } = layout.lay(text, open);
  return count === 0 ? withoutFirstBlank(lines) : lines;
}

const withoutFirstBlank = (lines: readonly Line[]): readonly Line[] => (lines[0] === '' ? lines.slice(1) : lines);

/** The pieces of one text at one width and theme. */
class Layout {
  readonly columns: number;
  readonly theme: Theme;
  readonly ready = markdownReady();
  readonly #history: History;
  readonly #pieces: (PieceLines | undefined)[] = [];

  constructor(history: History, columns: number, theme: Theme) {
    this.#history = history;
    this.columns = columns;
    this.theme = theme;
  }

  piece(index: number): PieceLines {
    const { texts, opens } = this.#history;
    return (this.#pieces[index] ??= this.lay(texts[index]!, opens[index]!));
  }

  lay(text: string, open: History['opens'][number]): PieceLines {
    const given = open?.kind === 'table' ? this.piece(open.origin).widths : undefined;
    return pieceLines(text, open, this.columns, this.theme, given);
  }
}

/** Two panes may show a text at the same time; more layouts than that are old. */
const LAYOUTS = 2;
const layouts = new WeakMap<History, Layout[]>();

function layoutOf(history: History, columns: number, theme: Theme): Layout {
  const known = layouts.get(history) ?? [];
  const ready = markdownReady();
  let layout = known.find((one) => one.columns === columns && one.theme === theme && one.ready === ready);
  if (!layout) {
    layout = new Layout(history, columns, theme);
    layouts.set(history, [layout, ...known].slice(0, LAYOUTS));
  }
  return layout;
}
