import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isPieces } from '../../../app/tui/blocks/pieces.ts';
import { allLines, blockLines } from '../../../app/tui/blocks.ts';
import { loadMarkdown, settle } from '../../../app/tui/markdown.ts';
import { width } from '../../../app/tui/text/cells.ts';
import type { Block } from '../../../app/tui/types.ts';
import { bottom, visibleLines } from '../../../app/tui/window.ts';
import { bare, expectGolden, fixture } from './golden-file.ts';

beforeAll(loadMarkdown);

type Of<K extends Block['kind']> = Extract<Block, { kind: K }>;

const START = 1_000_000;
const NOW = START + 65_400;

const tool = (name: string, detail: string, more: Partial<Of<'tool'>> = {}): Block => ({
  ...{ kind: 'tool', id: '1', name, detail, state: 'done', startedAt: START, endedAt: START + 1234 },
  ...{ output: '', display: null, open: false },
  ...more,
});
const answer = (text: string): Block => ({ kind: 'answer', ...settle([], text), streaming: false });
const shown = (block: Block, columns = 60, now = NOW): string[] =>
  allLines(blockLines(block, columns, 'none', now)).map(bare);

const patch = fixture('sample.patch');
const transcript: Block[] = [
  {
    kind: 'user',
    text: 'Please repair the reader: it drops carriage returns.\n\nKeep 漢字 as they are.',
    steered: false,
  },
  { kind: 'reasoning', text: 'Look first.', streaming: false, startedAt: START, endedAt: START + 3200, open: false },
  answer('I look at the **reader** first.'),
  tool('read_file', 'src/parse.ts'),
  tool('bash', 'npm test -- --run a/rather/long/path/that/does/not/fit/into/a/narrow/pane.test.ts', {
    state: 'failed',
    endedAt: START + 12_600,
    display: { kind: 'terminal', command: 'npm test', output: 'out', exitCode: 1 },
  }),
  tool('edit_file', 'src/parse.ts', { display: { kind: 'diff', path: 'src/parse.ts', patch, added: 4, removed: 2 } }),
  tool('web_fetch', 'docs.example.com', { state: 'denied' }),
  tool('bash', 'rm -rf build', { state: 'waiting', endedAt: null }),
  tool('bash', 'sleep 90', { state: 'running', endedAt: null }),
  { kind: 'user', text: 'Also the writer.', steered: true },
  answer('Done:\n\n- reader\n- writer'),
  { kind: 'note', level: 'info', text: 'The mode is now auto.' },
  {
    kind: 'note',
    level: 'warning',
    text: 'The local model could not be reached; the next message goes to a hosted one.',
  },
  { kind: 'note', level: 'error', text: 'The connection broke.\nTry again.' },
  { kind: 'end', text: '1m 05s · 12,300 tokens · $0.02' },
];

const opened: Block[] = [
  {
    kind: 'reasoning',
    text: 'First the reader.\n\nThen a longer thought about what the writer does with line ends.',
    streaming: false,
    startedAt: START,
    endedAt: START + 3200,
    open: true,
  },
  tool('edit_file', 'src/parse.ts', {
    open: true,
    display: { kind: 'diff', path: 'src/parse.ts', patch, added: 4, removed: 2 },
  }),
  tool('bash', 'npm test', {
    ...{ open: true, state: 'failed' },
    display: {
      kind: 'terminal',
      command: 'npm test &&\necho ok',
      output: Array.from({ length: 50 }, (_, i) => `line ${i + 1}`).join('\n'),
      exitCode: 1,
    },
  }),
  tool('update_todos', '3 items', {
    open: true,
    display: {
      kind: 'todos',
      items: [
        { text: 'read', status: 'done' },
        { text: 'a todo whose text is longer than the narrowest pane is wide', status: 'active' },
        { text: 'test', status: 'pending' },
      ],
    },
  }),
  tool('spawn_agent', 'search', { open: true, display: { kind: 'agent', name: 'search', session: 's2' } }),
  tool('bash', 'make', {
    open: true,
    state: 'running',
    endedAt: null,
    output: Array.from({ length: 30 }, (_, i) => `step ${i + 1}`).join('\n'),
  }),
  tool('grep', 'x', { open: true, output: 'a.ts:1: x\n' }),
];

describe('blocks', () => {
  it.each([40, 60, 80, 120])('at %i columns', (columns) => {
    const lines = (blocks: readonly Block[]) =>
      blocks.flatMap((block) => allLines(blockLines(block, columns, 'dark', NOW)));
    expectGolden(`blocks-${columns}.txt`, columns, [...lines(transcript), '', ...lines(opened)]);
  });

  it('without colour', () => {
    const lines = [...transcript, ...opened].flatMap((block) => allLines(blockLines(block, 60, 'none', NOW)));
    expectGolden('blocks-none-60.txt', 60, lines);
    for (const line of lines) expect(line).not.toMatch(/\x1b\[[\d;]*[349]\d/);
  });

  it('never get wider than their pane, and show no control characters of others', () => {
    const text = fc
      .array(
        fc.constantFrom(
          'a',
          ' ',
          '漢',
          '👩‍💻',
          '\n',
          '\t',
          '\r',
          '\x1b[2J',
          '\x1b]52;c;x\x07',
          '\x9b31m',
          '**',
          '`',
          '\u202e',
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join(''));
    const display = fc.oneof(
      fc.constant(null),
      text.map((value) => ({ kind: 'text' as const, text: value })),
      fc.tuple(text, text).map(([command, output]) => ({ kind: 'terminal' as const, command, output, exitCode: null })),
      text.map((value) => ({
        kind: 'diff' as const,
        path: value,
        patch: `--- a\n+++ b\n@@ -1 +1 @@\n-${value}`,
        added: 0,
        removed: 1,
      })),
      text.map((value) => ({ kind: 'todos' as const, items: [{ text: value, status: 'active' as const }] })),
      fc.tuple(text, text).map(([name, session]) => ({ kind: 'agent' as const, name, session })),
    );
    const state = fc.constantFrom('waiting', 'running', 'done', 'failed', 'denied' as const);
    const block: fc.Arbitrary<Block> = fc.oneof(
      fc.tuple(text, fc.boolean()).map(([value, steered]) => ({ kind: 'user', text: value, steered }) as const),
      fc
        .tuple(text, text, fc.boolean())
        .map(([piece, tail, streaming]) => ({ kind: 'answer', settled: [piece], tail, streaming }) as const),
      text.map(
        (value) =>
          ({ kind: 'reasoning', text: value, streaming: true, startedAt: START, endedAt: null, open: true }) as const,
      ),
      fc
        .tuple(text, text, text, state, display)
        .map(([name, detail, output, how, what]) =>
          tool(name, detail, { output, open: true, display: what, state: how as 'done' }),
        ),
      text.map((value) => ({ kind: 'note', level: 'error', text: value }) as const),
      text.map((value) => ({ kind: 'end', text: value }) as const),
    );
    fc.assert(
      fc.property(block, fc.integer({ min: 6, max: 70 }), (one, columns) => {
        for (const line of allLines(blockLines(one, columns, 'light', NOW))) {
          expect(width(line)).toBeLessThanOrEqual(columns);
          expect(bare(line)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
        }
      }),
      { numRuns: 600 },
    );
  });
});

describe('lines of a block', () => {
  it('are kept by identity, width and theme', () => {
    const block = transcript[0]!;
    expect(blockLines(block, 60, 'dark', NOW)).toBe(blockLines(block, 60, 'dark', NOW + 99_000));
    expect(blockLines(block, 50, 'dark', NOW)).not.toBe(blockLines(block, 60, 'dark', NOW));
    expect(blockLines(block, 60, 'dark', NOW)).toBe(blockLines(block, 60, 'dark', NOW));
  });

  it('change once a second while the block runs', () => {
    const block = tool('bash', 'sleep 9', { state: 'running', endedAt: null });
    const at = (ms: number) => blockLines(block, 60, 'none', START + ms);
    expect(at(3000)).toBe(at(3999));
    expect(shown(block, 60, START + 3999)[0]).toMatch(/^… bash sleep 9 +3 s$/);
    expect(shown(block, 60, START + 4000)[0]).toMatch(/ 4 s$/);
    expect(shown(block, 60, START + 605_000)[0]).toMatch(/ 10m 05s$/);
  });
});

describe('a tool line', () => {
  it('cuts the detail first, leaves the outcome out next, and cuts the name last', () => {
    const block = tool('read_file', 'a/very/long/path/to/a/file.ts');
    expect(shown(block, 30)).toEqual(['✓ read_file a/very/lon…  1.2 s']);
    expect(shown(block, 20)).toEqual(['✓ read_file a/very/…']);
    expect(shown(block, 9)).toEqual(['✓ read_f…']);
  });

  it('keeps its time where there is no room for what came of it', () => {
    const display = { kind: 'terminal', command: 'make', output: '', exitCode: 2 } as const;
    const block = tool('bash', 'make everything', { state: 'failed', display });
    expect(shown(block, 40)[0]).toMatch(/^✗ bash make everything +exit 2 {2}1\.2 s$/);
    expect(shown(block, 24)[0]).toBe('✗ bash make ever…  1.2 s');
    expect(shown(tool('ls', '', { endedAt: START + 100 }), 20)[0]).toBe('✓ ls           0.1 s');
  });

  it('tells its state without colour', () => {
    const states = ['waiting', 'running', 'done', 'failed', 'denied'] as const;
    const lines = states.map((state) => shown(tool('bash', 'x', { state }), 30)[0]!.replace(/ +/g, ' '));
    expect(lines).toEqual([
      '… bash x waiting',
      '… bash x 1.2 s',
      '✓ bash x 1.2 s',
      '✗ bash x 1.2 s',
      '⊘ bash x denied',
    ]);
    expect(new Set(lines).size).toBe(5);
  });

  it('says nothing in a second line for an empty output', () => {
    expect(shown(tool('ls', '', { open: true, output: ' \n' }))).toHaveLength(1);
  });

  it('shows head and tail of a long output, and how much is left out', () => {
    const output = Array.from({ length: 5000 }, (_, i) => `row ${i}`).join('\n');
    const lines = shown(tool('bash', 'x', { open: true, output }));
    expect(lines).toHaveLength(32);
    expect(lines[15]).toBe('  row 14');
    expect(lines[16]).toBe('  … 4970 more lines …');
    expect(lines[17]).toBe('  row 4985');
    expect(lines.at(-1)).toBe('  row 4999');
  });

  it.each([1, 29, 30, 31])('loses no line of an output of %i', (count) => {
    const output = Array.from({ length: count }, (_, i) => `row ${i}`);
    const lines = shown(tool('bash', 'x', { open: true, output: output.join('\n') })).slice(1);
    if (count <= 30) expect(lines).toEqual(output.map((row) => `  ${row}`));
    else expect(lines[15]).toBe('  … 1 more line …');
  });

  it('shows a line without end in a few rows', () => {
    const lines = shown(tool('bash', 'x', { open: true, output: 'x'.repeat(1_000_000) }));
    expect(lines.length).toBeLessThan(10);
    expect(lines.at(-1)).toMatch(/…$/);
  });

  it('shows every byte of a command that was run', () => {
    const display = { kind: 'terminal' as const, command: 'echo \x1b[8mhidden', output: '', exitCode: 0 };
    expect(shown(tool('bash', 'x', { open: true, display }))).toEqual([expect.anything(), '  $ echo ␛[8mhidden']);
  });
});

describe('a note', () => {
  it('keeps the rows of a list under its words', () => {
    const text = 'Looked for:\n1. one place that is long\n   - and what it has there';
    expect(shown({ kind: 'note', level: 'info', text }, 20)).toEqual([
      '· Looked for:',
      '  1. one place that',
      '     is long',
      '     - and what it',
      '       has there',
    ]);
  });
});

describe('an answer', () => {
  it('of many thousand lines is laid out only where it is seen', () => {
    const text = Array.from(
      { length: 4000 },
      (_, i) => `Paragraph ${i} of a very long answer, with **weight**.\n\n`,
    ).join('');
    const block = answer(text);
    const lines = blockLines(block, 60, 'dark', NOW);
    expect(isPieces(lines) && lines.count).toBeGreaterThan(500);
    let asked = 0;
    const counted = isPieces(lines) && {
      count: lines.count,
      piece(index: number) {
        asked++;
        return lines.piece(index);
      },
    };
    expect(
      visibleLines([block], bottom, 30, () => counted || [])
        .map(bare)
        .at(-1),
    ).toContain('Paragraph 3999');
    expect(asked).toBeLessThan(60);
  });

  it('keeps what was laid out when it grows', () => {
    const text = 'A paragraph that is finished, and long enough to be one piece of its own. '.repeat(6);
    const first = settle([], `${text}\n\nSome`);
    const second = settle(first.settled, `${first.tail}${text}\n\nmore`);
    const piece = (state: typeof first) => {
      const lines = blockLines({ kind: 'answer', ...state, streaming: true }, 60, 'dark', NOW);
      return isPieces(lines) ? lines.piece(2) : [];
    };
    expect(second.settled).toHaveLength(2);
    expect(allLines(piece(second))).not.toEqual([]);
    expect(piece(second)).toBe(piece(settle(second.settled, `${second.tail} and`)));
  });

  it('without text takes no line', () => {
    expect(shown({ kind: 'answer', settled: [], tail: ' \n', streaming: true })).toEqual([]);
  });
});

describe('reasoning', () => {
  const reasoning = (text: string, open: boolean): Block => ({
    ...{ kind: 'reasoning', text, streaming: true, startedAt: START, endedAt: null, open },
  });

  it('is one line when folded', () => {
    expect(shown(reasoning('much\nthought', false), 60, START + 2500)).toEqual(['', '▸ thinking … 2 s']);
  });

  it('gives the same lines while it grows as when it is shown whole', () => {
    const text = 'First a thought.\n\nThen one that is so long that it goes on in the next row.\nAnd a last one';
    for (let end = 1; end <= text.length; end++) {
      const grown = shown(reasoning(text.slice(0, end), true), 40);
      // Another text in between takes the place of what was kept.
      shown(reasoning('other\ntext\nhere', true), 40);
      expect(shown(reasoning(text.slice(0, end), true), 40)).toEqual(grown);
    }
    expect(shown(reasoning(text, true), 40).slice(2)).toEqual([
      ...[
        '  First a thought.',
        '',
        '  Then one that is so long that it goes',
        '  on in the next row.',
        '  And a last one',
      ],
    ]);
  });
});

it('a long prompt is shown in part until it is unfolded', () => {
  const text = Array.from({ length: 5000 }, (_, n) => `line ${n}`).join('\n');
  const rows = (open: boolean) => allLines(blockLines({ kind: 'user', text, steered: false, open }, 60, 'none', 0));
  const folded = rows(false).map(bare).join('\n');
  expect(folded).toMatch(/line 19\n.*… 4975 more lines \(Ctrl\+O\) …\n.*line 4995\n/);
  expect(rows(true)).toHaveLength(5001);
});

it('shows a command that was allowed as it was shown when it was asked for', () => {
  const hidden = tool('bash', 'rm -rf src\recho done\x1b[2K\x1b]0;x\x07');
  expect(shown(hidden, 80)[0]).toContain('bash rm -rf src␍echo done␛[2K␛]0;x␇');
});
