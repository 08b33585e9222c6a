/** Puts states on the terminal: the view's lines, those that stand still as Ink draws them once Ink is there. */
import type { Mounted } from './app.tsx';
import type { TextField } from './text-field.tsx';
import type { Line, Size, State } from './types.ts';
import { searchLine } from './view/draft.ts';
import { layout } from './view/layout.ts';
import { view } from './view.ts';
import { ScreenWriter } from './writer.ts';

export class Screen {
  readonly #writer: ScreenWriter;
  #size: Size;
  #ink: Mounted | undefined;
  #field: TextField | undefined;
  #loading = false;
  /** What Ink was last given, and what it made of it. */
  #still: readonly Line[] = [];
  #drawn: readonly Line[] = [];

  constructor(out: { write(text: string): void }, size: Size) {
    this.#writer = new ScreenWriter(out, size);
    this.#size = size;
  }

  /** Loads React and Ink. They take longer to load than all else, so the first pictures do without. */
  async mount(state: State): Promise<void> {
    const { mount } = await import('./app.tsx');
    this.#ink = mount(this.#still, state.size.columns);
  }

  show(state: State): void {
    const { size } = state;
    if (size.columns !== this.#size.columns || size.rows !== this.#size.rows) {
      this.#size = size;
      this.#writer.resize(size);
      // Widths that Ink has seen are no longer those of the screen.
      this.#still = [];
    }
    if (state.composer.search) this.#wantField();
    const { lines, cursor } = view(state);
    this.#writer.paint(this.#ink ? this.#withInk(this.#ink, state, lines) : lines, cursor);
  }

  /** A line of text after more was typed at its end, by its field as soon as that is there. */
  type(value: string, text: string): string {
    return this.#field?.type(value, text) ?? value + text;
  }

  /** What the terminal shows is unknown: the next picture is painted whole. */
  reset(): void {
    this.#writer.reset();
  }

  unmount(): void {
    this.#ink?.unmount();
    this.#field?.unmount();
  }

  /** The field is loaded with the first search; what is typed until then needs none. */
  #wantField(): void {
    if (!this.#ink || this.#loading) return;
    this.#loading = true;
    import('./text-field.tsx').then(
      ({ TextField }) => {
        this.#field = new TextField();
      },
      () => {},
    );
  }

  #withInk(ink: Mounted, state: State, lines: readonly Line[]): readonly Line[] {
    const places = stillRows(state);
    const still = places.map((row) => lines[row]!);
    if (!sameLines(still, this.#still)) {
      this.#still = still;
      this.#drawn = ink.show(still, state.size.columns);
    }
    const picture = [...lines];
    for (const [index, row] of places.entries()) picture[row] = this.#drawn[index] ?? lines[row]!;
    const search = this.#field && !state.overlay ? searchLine(state) : null;
    const { columns } = state.size;
    if (search)
      picture[layout(state).composer.row] = this.#field!.draw(search.label, search.value, search.hint, columns);
    return picture;
  }
}

/** The rows around the panes, the draft and what is asked: the tab bar and the status line. */
export function stillRows(state: State): readonly number[] {
  const { arrangement, tabs, status } = layout(state);
  if (arrangement === 'tiny') return [];
  return [state.overlay ? null : tabs, status].filter((row) => row !== null);
}

const sameLines = (a: readonly Line[], b: readonly Line[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);
