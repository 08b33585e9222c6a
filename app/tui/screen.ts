/** Puts states on the terminal: the view's lines, with Ink's picture under them once Ink is there. */
import type { Mounted, Region } from './app.tsx';
import type { Line, Size, State } from './types.ts';
import { view } from './view.ts';
import { layout } from './view/layout.ts';
import { ScreenWriter } from './writer.ts';

export class Screen {
  readonly #writer: ScreenWriter;
  #size: Size;
  #ink: Mounted | undefined;
  #regions: readonly Region[] = [];
  #picture: readonly Line[] = [];

  constructor(out: { write(text: string): void }, size: Size) {
    this.#writer = new ScreenWriter(out, size);
    this.#size = size;
  }

  /** Loads React and Ink and mounts the frame. They take longer to load than all else, so the first pictures do without. */
  async mount(state: State): Promise<void> {
    const { mount } = await import('./app.tsx');
    this.#regions = regionsOf(state, view(state).lines);
    this.#ink = mount(this.#regions, state.size);
    this.#picture = this.#ink.show(this.#regions, state.size);
  }

  show(state: State): void {
    const { size } = state;
    if (size.columns !== this.#size.columns || size.rows !== this.#size.rows) {
      this.#size = size;
      this.#writer.resize(size);
    }
    const { lines, cursor } = view(state);
    this.#writer.paint(this.#ink ? this.#overlaid(this.#ink, state, lines) : lines, cursor);
  }

  /** What the terminal shows is unknown: the next picture is painted whole. */
  reset(): void {
    this.#writer.reset();
  }

  unmount(): void {
    this.#ink?.unmount();
  }

  #overlaid(ink: Mounted, state: State, lines: readonly Line[]): readonly Line[] {
    const regions = regionsOf(state, lines);
    if (!sameRegions(regions, this.#regions)) {
      this.#regions = regions;
      this.#picture = ink.show(regions, state.size);
    }
    if (this.#picture.length > lines.length) return lines;
    const rows = [...lines];
    let row = 0;
    for (const region of regions) {
      if (region.lines) for (let at = row; at < row + region.rows; at++) rows[at] = this.#picture[at] ?? '';
      row += region.rows;
    }
    return rows;
  }
}

/** The screen from top to bottom: what Ink draws, and what it only leaves room for. */
export function regionsOf(state: State, lines: readonly Line[]): readonly Region[] {
  const { arrangement, tabs, rule, status, main } = layout(state);
  const { rows } = state.size;
  // An overlay covers the panes, and a tiny screen is one line of its own.
  if (arrangement === 'tiny' || rule === null) return [{ name: 'all', rows, lines: null }];
  const regions: Region[] = [];
  let row = 0;
  const add = (name: string, until: number, drawn: boolean) => {
    if (until > row) regions.push({ name, rows: until - row, lines: drawn ? lines.slice(row, until) : null });
    row = Math.max(row, until);
  };
  if (tabs !== null && !state.overlay) add('tabs', tabs + 1, true);
  add('panes', main.row + main.rows, false);
  add('questions', rule, false);
  add('rule', rule + 1, true);
  add('draft', status, false);
  add('status', rows, true);
  return regions;
}

function sameRegions(a: readonly Region[], b: readonly Region[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((region, index) => {
    const other = b[index]!;
    if (region.name !== other.name || region.rows !== other.rows) return false;
    return region.lines === other.lines || (region.lines?.every((line, at) => line === other.lines?.[at]) ?? false);
  });
}
