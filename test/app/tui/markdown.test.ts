import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { allLines } from '../../../app/tui/blocks/pieces.ts';
import { LONG, SMALL } from '../../../app/tui/markdown/scan.ts';
import { loadMarkdown, renderMarkdown, settle, streamedMarkdown } from '../../../app/tui/markdown.ts';
import { width } from '../../../app/tui/text/cells.ts';
import { bare, expectGolden, fixture } from './golden-file.ts';

beforeAll(loadMarkdown);

const plain = (source: string, columns = 60): string[] => renderMarkdown(source, columns, 'none').map(bare);

/** Lines of a text that arrives in chunks and is at its end, or still being written. */
function streamed(chunks: Iterable<string>, columns: number, streaming = false) {
  let state: { settled: readonly string[]; tail: string } = { settled: [], tail: '' };
  let text = '';
  let longest = 0;
  for (const chunk of chunks) {
    text += chunk;
    state = settle(state.settled, state.tail + chunk);
    longest = Math.max(longest, state.tail.length - chunk.length);
  }
  expect(state.settled.join('') + state.tail).toBe(text);
  const lines = allLines(streamedMarkdown({ ...state, streaming }, columns, 'none'));
  return { ...state, longest, lines };
}

function* chunksOf(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

describe('Markdown', () => {
  it.each([40, 60, 80, 120])('at %i columns', (columns) => {
    expectGolden(`markdown-${columns}.txt`, columns, renderMarkdown(fixture('sample.md'), columns, 'dark'));
  });

  it('without colour', () => {
    expectGolden('markdown-none-60.txt', 60, renderMarkdown(fixture('sample.md'), 60, 'none'));
  });

  it('never gets wider than its pane, and holds no control characters but our styles', () => {
    const bits = fc.constantFrom(
      ...[
        '# ',
        '- ',
        '1. ',
        '> ',
        '```',
        '~~~js',
        '|',
        '|--|',
        '---',
        '**',
        '*',
        '`',
        '[x](',
        ')',
        '![',
        '<b>',
        '&#27;',
      ],
      ...[
        '\n',
        '\n\n',
        '    ',
        '\t',
        ' ',
        'word',
        '漢字',
        '👩‍💻',
        'é',
        '\x1b[2J',
        '&#x202e;',
        '&#10;',
        '&amp;',
        '`&#27;`',
        '[&#27;](&#27;)',
        '|&#27;|',
        '\x1b]52;c;x\x07',
        '\x9b31m',
        '\r',
        'longwordwithoutanyspaceinit',
      ],
    );
    const text = fc.array(bits, { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 4, max: 50 }),
        fc.constantFrom('dark', 'light', 'none' as const),
        (source, columns, theme) => {
          for (const line of renderMarkdown(source, columns, theme as 'dark')) {
            expect(width(line)).toBeLessThanOrEqual(columns);
            expect(bare(line)).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['nested quotes without end', '>'.repeat(9000)],
    ['brackets', '['.repeat(9000)],
    ['stars', '*a'.repeat(4000)],
    ['deep lists', Array.from({ length: 120 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
  ])('takes %s', (_, source) => {
    expect(plain(source, 40).length).toBeGreaterThan(0);
  });
});

describe('a table', () => {
  const table = '| a | some longer words in it |\n|---|---|\n| 1 | x |\n';

  it('keeps its natural widths where they fit', () => {
    expect(plain(table, 40)).toEqual(['a │ some longer words in it', '──┼────────────────────────', '1 │ x']);
  });

  it('gives the narrow column its width and wraps the wide one', () => {
    expect(plain(table, 16)).toEqual(['a │ some longer', '  │ words in it', '──┼─────────────', '1 │ x']);
  });

  it('becomes lists where columns would be too narrow', () => {
    const wide =
      '| first header | second header | third |\n|---|---|---|\n| aaaaaaaaaa | bbbbbbbbbb | c |\n| d | e | f |\n';
    expect(plain(wide, 20)).toEqual([
      ...['first header:', '  aaaaaaaaaa', 'second header:', '  bbbbbbbbbb', 'third: c', ''],
      ...['first header: d', 'second header: e', 'third: f'],
    ]);
  });
});

describe('an unfinished tail', () => {
  const tail = (text: string) => streamed([text], 60, true).lines.map(bare);
  it.each<[string, string, string[]]>([
    ['half bold', 'so **very imp', ['so very imp']],
    ['bold at its start', 'so **', ['so']],
    ['bold half closed', 'so **very*', ['so very']],
    ['half code', 'run `npm te', ['run `npm te`']],
    ['half a link', 'see [the page](https://exa', ['see the page']],
    ['an open fence', '```js\nlet x', ['  js', '  let x']],
    ['a fence about to close', '```js\nlet x\n``', ['  js', '  let x']],
    ['a fence about to open', 'text\n``', ['text']],
    ['no heading from a list sign', 'text\n-', ['text']],
    ['a header row', '| a | b |\n', ['a │ b', '──┼──']],
    ['half a delimiter row', '| a | b |\n|--', ['a │ b', '──┼──']],
    ['a row begun', '| a | b |\n|--|--|\n| 1', ['a │ b', '──┼──', '1 │']],
    ['an empty item', '- one\n- ', ['• one', '•']],
    ['a heading begun', 'text\n\n##', ['text']],
    ['snake_case and products', 'a_b * c and 2**3', ['a_b * c and 2**3']],
  ])('%s', (_, source, lines) => {
    expect(tail(source).map((line) => line.trimEnd())).toEqual(lines);
  });

  it('never throws, whatever is cut where', () => {
    const source = fixture('sample.md');
    for (let end = 0; end < source.length; end += 7) streamed([source.slice(0, end)], 50, true);
  });
});

describe('settle', () => {
  const sentence = 'Some words that make a paragraph of prose with a little length. ';
  const part = fc.oneof(
    fc.integer({ min: 1, max: 9 }).map((count) => sentence.repeat(count).trim()),
    fc.constantFrom('# Heading', '## Two\n\ntext', '---', '> quoted\n> more', 'Setext\n===', 'a line\nanother line'),
    fc.integer({ min: 1, max: 30 }).map((count) => Array.from({ length: count }, (_, i) => `- item ${i}`).join('\n')),
    fc
      .integer({ min: 1, max: 12 })
      .map((count) => Array.from({ length: count }, (_, i) => `${i + 1}. item\n\n   more`).join('\n\n')),
    fc.integer({ min: 1, max: 40 }).map((count) => `\`\`\`js\n${'let x = 1;\n\n'.repeat(count)}\`\`\``),
    fc
      .integer({ min: 1, max: 8 })
      .map((count) => `| a | b |\n|---|---|\n${'| one | two words |\n'.repeat(count).trim()}`),
    fc.constantFrom(
      '    indented\n\n    code',
      '<div>\nhtml\n</div>',
      '* star\n* list',
      '```\nopen\n~~~\n```',
      '1) one\n2) two',
    ),
  );
  // Two lists of one kind with only a blank line between are one list, loose: the same lines, as long as it is short.
  const text = fc
    .array(fc.tuple(part, fc.constantFrom('\n\n', '\n\n\n')), { minLength: 1, maxLength: 14 })
    .map((parts) =>
      parts
        .map(([body, gap]) => `${body}${gap}`)
        .join('')
        .trimEnd(),
    );

  it('gives the lines of the whole text, however it is chunked', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 90 }), (source, size) => {
        expect(streamed(chunksOf(source, size), 70).lines).toEqual(renderMarkdown(source, 70, 'none'));
      }),
      { numRuns: 300 },
    );
  });

  it('gives the lines of the sample', () => {
    const source = fixture('sample.md').repeat(6);
    for (const size of [1, 7, 50, source.length]) {
      const { settled, lines } = streamed(chunksOf(source, size), 70);
      expect(settled.length).toBeGreaterThan(10);
      expect(lines).toEqual(renderMarkdown(source, 70, 'none'));
    }
  });

  /** A stream is linear when the tail stays short and there are few pieces. */
  it.each([
    ['prose in one line', 'word '.repeat(20_000)],
    ['a word without end', 'x'.repeat(60_000)],
    ['short paragraphs', 'a\n\n'.repeat(20_000)],
    ['lines without blank ones', 'a line of text\n'.repeat(6000)],
    ['one list', '- an item of a list\n'.repeat(5000)],
    ['one quote', '> a quoted line\n'.repeat(5000)],
    ['indented code', '    code\n\n'.repeat(6000)],
    ['emoji', '👩‍💻'.repeat(9000)],
  ])('keeps the tail short in %s', (_, source) => {
    const { settled, longest } = streamed(chunksOf(source, 5), 60);
    expect(longest).toBeLessThanOrEqual(LONG + SMALL);
    expect(settled.length).toBeLessThan(source.length / SMALL + 1);
  });

  it('bounds even a single list item and a single line of code', () => {
    for (const source of [`- ${'  more of the item\n'.repeat(2500)}`, `\`\`\`\n${'x'.repeat(90_000)}`])
      expect(streamed(chunksOf(source, 9), 60).longest).toBeLessThan(40_000);
  });

  it('cuts a long fence between lines and colours the rest as code', () => {
    const code = Array.from({ length: 900 }, (_, i) =>
      i % 10 === 0 ? '' : `const line${i} = "# - not Markdown **";`,
    ).join('\n');
    const source = `before\n\n\`\`\`\`ts\n${code}\n\`\`\`\n\`\`\`\`\nafter **it**\n`;
    const { settled, lines } = streamed(chunksOf(source, 11), 70);
    expect(settled.length).toBeGreaterThan(5);
    expect(lines).toEqual(renderMarkdown(source, 70, 'none'));
  });

  it('goes on with the columns of a long table', () => {
    const rows = Array.from(
      { length: 400 },
      (_, i) => `| row ${100 + i} | ${i % 2 ? 'even more words' : 'few'} |`,
    ).join('\n');
    const source = `| name | text |\n|------|-----:|\n${rows}\n\nafter`;
    const { settled, lines } = streamed(chunksOf(source, 13), 70);
    expect(settled.length).toBeGreaterThan(2);
    expect(lines).toEqual(renderMarkdown(source, 70, 'none'));
  });

  it('comes back unchanged when nothing is finished', () => {
    const settled: readonly string[] = ['a\n'];
    const tail = sentence.repeat(10);
    expect(settle(settled, tail)).toEqual({ settled, tail });
    expect(settle(settled, tail).settled).toBe(settled);
  });

  it('keeps two texts apart that begin with the same array', () => {
    const none: readonly string[] = [];
    const one = settle(none, `${'one '.repeat(100)}\n\nx`);
    const two = settle(none, `${'two '.repeat(100)}\n\ny`);
    expect(one.settled[0]).toContain('one');
    expect(two.settled[0]).toContain('two');
    const left = settle(one.settled, `${'left '.repeat(100)}\n\nx`);
    const right = settle(one.settled, `${'right '.repeat(100)}\n\ny`);
    for (const { settled, tail } of [left, right]) {
      const lines = allLines(streamedMarkdown({ settled, tail, streaming: false }, 50, 'none'));
      expect(lines).toEqual(renderMarkdown(settled.join('') + tail, 50, 'none'));
    }
  });

  it('lays out pieces that it did not make', () => {
    const source = `\`\`\`js\n${'let x;\n'.repeat(900)}\`\`\`\n\n# end\n`;
    const { settled, tail, lines } = streamed([source], 60);
    const copy = [...settled];
    expect(allLines(streamedMarkdown({ settled: copy, tail, streaming: false }, 60, 'none'))).toEqual(lines);
  });
});
