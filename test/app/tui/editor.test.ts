import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Buffer, type EditAction, edit, editorPlace, editorRows } from '../../../app/tui/editor.ts';
import { graphemes, width } from '../../../app/tui/text/cells.ts';

/** A draft with its cursor as |. */
const draft = (marked: string): Buffer => ({ text: marked.replace('|', ''), cursor: marked.indexOf('|') });
const marked = ({ text, cursor }: Buffer) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
const family = '👩‍👩‍👧';

describe('edit', () => {
  it.each<[string, EditAction, string]>([
    ['a|b', { type: 'insert', text: 'x' }, 'ax|b'],
    ['a|', { type: 'insert', text: '\u0301' }, 'a\u0301|'],
    ['|\u0301', { type: 'insert', text: 'a' }, 'a\u0301|'],
    ['a|', { type: 'paste', text: 'x\r\ny\rz\t.\x1b[31m\u202e' }, 'ax\ny\nz\t.‹U+202E›|'],
    ['a|b', { type: 'newline' }, 'a\n|b'],
    [`a${family}|`, { type: 'move', to: 'left' }, `a|${family}`],
    [`|${family}b`, { type: 'move', to: 'right' }, `${family}|b`],
    ['a\n|b', { type: 'move', to: 'left' }, 'a|\nb'],
    ['a|\nb', { type: 'move', to: 'right' }, 'a\n|b'],
    ['one two|', { type: 'move', to: 'word-left' }, 'one |two'],
    ['one |two', { type: 'move', to: 'word-left' }, '|one two'],
    ['one\n  |two', { type: 'move', to: 'word-left' }, '|one\n  two'],
    ['one| two', { type: 'move', to: 'word-right' }, 'one two|'],
    ['one|\n\ntwo', { type: 'move', to: 'word-right' }, 'one\n\ntwo|'],
    ['src/größe_1.ts|', { type: 'move', to: 'word-left' }, 'src/größe_1.|ts'],
    ['src/größe_1|.ts', { type: 'move', to: 'word-left' }, 'src/|größe_1.ts'],
    ['ab\ncd|ef', { type: 'move', to: 'line-start' }, 'ab\n|cdef'],
    ['ab\n|cdef\ng', { type: 'move', to: 'line-end' }, 'ab\ncdef|\ng'],
    ['ab\nc|d', { type: 'move', to: 'start' }, '|ab\ncd'],
    ['a|b\ncd', { type: 'move', to: 'end' }, 'ab\ncd|'],
    ['abc\nde|f', { type: 'move', to: 'up' }, 'ab|c\ndef'],
    ['abc\nx\nde|f', { type: 'move', to: 'up' }, 'abc\nx|\ndef'],
    ['ab|c\nde', { type: 'move', to: 'down' }, 'abc\nde|'],
    ['漢|字\nabcd', { type: 'move', to: 'down' }, '漢字\nab|cd'],
    ['ab|cd\n漢字', { type: 'move', to: 'down' }, 'abcd\n漢|字'],
    ['abc|\n漢字', { type: 'move', to: 'down' }, 'abc\n漢|字'],
    ['abcdef|', { type: 'move', to: 'up', columns: 4 }, 'ab|cdef'],
    ['a|bcdef', { type: 'move', to: 'down', columns: 4 }, 'abcde|f'],
    [`a${family}|b`, { type: 'delete', what: 'back' }, 'a|b'],
    ['e\u0301|', { type: 'delete', what: 'back' }, '|'],
    ['🇩🇪|', { type: 'delete', what: 'back' }, '|'],
    [`|${family}b`, { type: 'delete', what: 'forward' }, '|b'],
    ['one two|', { type: 'delete', what: 'word-back' }, 'one |'],
    ['|one two', { type: 'delete', what: 'word-forward' }, '| two'],
    ['ab\ncd|e', { type: 'delete', what: 'to-line-start' }, 'ab\n|e'],
    ['ab\n|cd', { type: 'delete', what: 'to-line-start' }, 'ab|cd'],
    ['a|b\ncd', { type: 'delete', what: 'to-line-end' }, 'a|\ncd'],
    ['ab|\ncd', { type: 'delete', what: 'to-line-end' }, 'ab|cd'],
    ['🇩|x🇪', { type: 'delete', what: 'forward' }, '🇩🇪|'],
    ['a|b', { type: 'set', text: 'new' }, 'new|'],
    ['a|b', { type: 'set', text: `${family}x`, cursor: 1 }, `${family}|x`],
  ])('%j %j', (before, action, after) => {
    expect(marked(edit(draft(before), action))).toBe(after);
  });

  it.each<[string, EditAction]>([
    ['|ab', { type: 'move', to: 'left' }],
    ['ab|', { type: 'move', to: 'right' }],
    ['a|b\nc', { type: 'move', to: 'up' }],
    ['a\nb|c', { type: 'move', to: 'down' }],
    ['|ab', { type: 'delete', what: 'back' }],
    ['ab|', { type: 'delete', what: 'to-line-end' }],
    ['a|b', { type: 'insert', text: '' }],
    ['a|b', { type: 'yank' }],
  ])('gives the same draft back where it cannot do anything: %j %j', (before, action) => {
    const buffer = draft(before);
    expect(edit(buffer, action)).toBe(buffer);
  });

  it('yanks what was killed last', () => {
    const killed = edit(draft('one |two'), { type: 'delete', what: 'to-line-end' });
    const back = edit(edit(killed, { type: 'delete', what: 'back' }), { type: 'yank' });
    expect(marked(back)).toBe('onetwo|');
  });

  it('keeps the column through shorter lines, until another action', () => {
    const up = (buffer: Buffer) => edit(buffer, { type: 'move', to: 'up' });
    const first = up(up(draft('abcdef\nx\nabcd|ef')));
    expect(marked(first)).toBe('abcd|ef\nx\nabcdef');
    const moved = edit(up(draft('abcdef\nx\nabcd|ef')), { type: 'move', to: 'left' });
    expect(marked(up(moved))).toBe('|abcdef\nx\nabcdef');
  });

  const text = fc
    .array(
      fc.constantFrom(
        ...'a|b|漢|e\u0301|\u0301|\u200d|👩|👧|🏽|🇩|🇪|\ufe0f|❤|1|\u20e3|ᄒ|ᅡ|ᆫ|क|्|ष|ि|\n| |\t|\r\n|\u202e'.split('|'),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));
  const motions = [
    'left',
    'right',
    'word-left',
    'word-right',
    'line-start',
    'line-end',
    'up',
    'down',
    'start',
    'end',
  ] as const;
  const deletions = ['back', 'forward', 'word-back', 'word-forward', 'to-line-start', 'to-line-end'] as const;
  const action: fc.Arbitrary<EditAction> = fc.oneof(
    fc.record({ type: fc.constantFrom('insert' as const, 'paste' as const), text }),
    fc.record({ type: fc.constant('move' as const), to: fc.constantFrom(...motions) }),
    fc.record({
      type: fc.constant('move' as const),
      to: fc.constantFrom('up' as const, 'down' as const),
      columns: fc.integer({ min: 2, max: 9 }),
    }),
    fc.record({ type: fc.constant('delete' as const), what: fc.constantFrom(...deletions) }),
    fc.record({ type: fc.constant('set' as const), text, cursor: fc.nat(12) }),
    fc.constantFrom({ type: 'newline' as const }, { type: 'yank' as const }),
  );

  it('keeps the cursor at a grapheme boundary', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
        let buffer: Buffer = { text: '', cursor: 0 };
        for (const each of actions) {
          buffer = edit(buffer, each);
          const boundaries = new Set([0]);
          let at = 0;
          for (const grapheme of graphemes(buffer.text)) boundaries.add((at += grapheme.length));
          expect(boundaries).toContain(buffer.cursor);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('left undoes right', () => {
    fc.assert(
      fc.property(text, (typed) => {
        let buffer = edit({ text: '', cursor: 0 }, { type: 'set', text: typed, cursor: 0 });
        for (let next = buffer; ; buffer = next) {
          next = edit(buffer, { type: 'move', to: 'right' });
          if (next === buffer) break;
          expect(edit(next, { type: 'move', to: 'left' }).cursor).toBe(buffer.cursor);
        }
        expect(buffer.cursor).toBe(buffer.text.length);
      }),
    );
  });
});

describe('editorRows', () => {
  const shown = (text: string, columns: number) => editorRows(text, columns).map((row) => row.shown);

  it.each<[string, number, string[]]>([
    ['', 5, ['']],
    ['abc', 5, ['abc']],
    ['a\n\nb', 5, ['a', '', 'b']],
    ['one two', 5, ['one ', 'two']],
    ['abcdefg', 3, ['abc', 'def', 'g']],
    ['a\tb', 9, ['a    b']],
    ['漢字漢', 5, ['漢字', '漢']],
    // The cursor behind a full row has a row to stand in.
    ['abcde', 5, ['abcde', '']],
    ['one two', 3, ['one', ' ', 'two', '']],
  ])('%j in %i', (text, columns, rows) => {
    expect(shown(text, columns)).toEqual(rows);
  });

  it('give every cursor a place inside the columns, in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 6, max: 20 }), (typed, columns) => {
        const { text } = edit({ text: '', cursor: 0 }, { type: 'set', text: typed });
        const rows = editorRows(text, columns);
        expect(rows.map(({ start, end, goesOn }) => text.slice(start, end) + (goesOn ? '' : '\n')).join('')).toBe(
          `${text}\n`,
        );
        let last = -1;
        let at = 0;
        for (const grapheme of ['', ...graphemes(text)]) {
          at += grapheme.length;
          const { row, column } = editorPlace(rows, text, at);
          expect(column).toBeLessThan(columns);
          expect(row).toBeLessThan(rows.length);
          const order = row * columns + column;
          if (width(grapheme) > 0 || grapheme === '\n') expect(order).toBeGreaterThan(last);
          last = order;
        }
      }),
    );
  });
});
