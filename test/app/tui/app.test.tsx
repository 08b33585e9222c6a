/** What Ink draws is what the view said, to the cell. */
import { render } from 'ink-testing-library';
import { describe, expect, it } from 'vitest';
import { Frame, mount } from '../../../app/tui/app.tsx';
import { stillRows } from '../../../app/tui/screen.ts';
import { fit } from '../../../app/tui/text/cells.ts';
import { paint } from '../../../app/tui/text/style.ts';
import { TextField } from '../../../app/tui/text-field.tsx';
import type { State } from '../../../app/tui/types.ts';
import { initialState } from '../../../app/tui/update.ts';
import { view } from '../../../app/tui/view.ts';

const plain = (line: string): string => line.replace(/\x1b\[[\d;]*m/g, '').trimEnd();

describe('the frame', () => {
  it.each([40, 80, 120])('keeps lines of wide and joined characters at %i columns', (columns) => {
    const lines = [
      'plain',
      '日本語 👩‍👩‍👧 é ●',
      '─'.repeat(columns),
      paint('selected', fit('chosen', columns), 'dark'),
    ].map((line) => fit(line, columns));
    const { lastFrame } = render(<Frame lines={lines} columns={columns} />);
    expect(lastFrame()!.split('\n').map(plain)).toEqual(lines.map(plain));
  });

  it('is drawn anew with other lines and widths', () => {
    const mounted = mount([fit('one', 30)], 30);
    expect(mounted.show([fit('two', 50), fit('three', 50)], 50).map(plain)).toEqual(['two', 'three']);
    expect(mounted.show([], 50).map(plain)).toEqual(['']);
    expect(mounted.show([fit('four', 20)], 20).map(plain)).toEqual(['four']);
    mounted.unmount();
  });
});

describe('the rows that stand still', () => {
  const start = (columns: number, rows: number): State =>
    initialState({ size: { columns, rows }, theme: 'dark', model: 'ollama/x' });

  it.each([
    ['80×24', start(80, 24), [23]],
    ['120×40', start(120, 40), [39]],
    ['too small', start(10, 4), []],
  ])('at %s', (_name, state, rows) => {
    expect(stillRows(state)).toEqual(rows);
    for (const row of stillRows(state))
      expect(view(state).lines[row]).toContain(row === state.size.rows - 1 ? 'ollama/x' : '');
  });
});

describe('the text field', () => {
  it('loses no key that comes in a burst, and no part of a character', () => {
    const field = new TextField();
    let value = '';
    for (const text of ['f', 'ix the parser', ' quickly: 日本', '👩‍👩‍👧é🇫🇷', 'return', 'AbC[A', '  x']) {
      value = field.type(value, text);
      expect(plain(field.draw('search: ', value, 'hint', 80))).toMatch(/^search: [\s\S]*hint$/);
    }
    expect(value).toBe('fix the parser quickly: 日本👩‍👩‍👧é🇫🇷returnAbC[A  x');
    // What was taken away elsewhere is gone, and what is typed then stands at the end.
    expect(field.type('fix 日', 'ab')).toBe('fix 日ab');
    expect(field.type('', 'neu')).toBe('neu');
    expect(plain(field.draw('search: ', 'neu', '', 12))).toBe('search: neu');
    field.unmount();
  });
});
