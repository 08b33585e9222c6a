import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recover } from '../../../app/lab/recover.ts';
import { foldRecovery } from '../../../providers/recovery/fold.ts';
import { LateRecovery } from '../../../providers/recovery/late-recovery.ts';
import { createRecovery, type RecoveryPiece } from '../../../providers/recovery/recovery.ts';

const tools = [
  { name: 'bash', parameters: { type: 'object', properties: { command: { type: 'string' } } } },
  { name: 'read_file' },
];

/** Words of every family and of ordinary text, to be thrown together. */
const WORDS = [
  '<tool_call>|</tool_call>|<function=bash>|<parameter=command>|</parameter>|</function>|<think>|</think>|<thinking>',
  '</thinking>|[THINK]|[/THINK]|[TOOL_CALLS]|[ARGS]|bash|read_file|{"command":"x"}|[{"name":"bash","arguments":{}}]',
  '{"name": "bash", "arguments": {"command": "ls"}}|{"name":"bash","arguments":{|<｜tool▁calls▁begin｜>|<｜tool▁call▁begin｜>',
  '<｜tool▁sep｜>|<｜tool▁call▁end｜>|<｜tool▁calls▁end｜>|<arg_key>|</arg_key>|<arg_value>|</arg_value>|<minimax:tool_call>',
  '<invoke name="bash">|<parameter name="command">|</invoke>|</minimax:tool_call>|<function_calls>|</function_calls>',
  'bash(command="ls")|[bash(command="ls")]|functools[|to=functions.bash|```|```json\n|`|~~~|\n|\n\n| |<|>|[|]|{|}|(|)|,',
  '<bash>\n|<bash><command>|\n<read_file>|<path>|</path>|</read_file>|</command>|</bash>|<command>ls</command>|</read',
  '.|: |"|- |é😀|The answer is |done.|ls -la\n|command=|>>>',
]
  .join('|')
  .split('|')
  // These have a bar of their own.
  .concat('<|python_tag|>', '<|channel|>analysis<|message|>', '<|end|>', '<|start|>assistant', '<|call|>', '<|im_end|>')
  .concat('<|channel|>commentary to=functions.bash<|message|>', '<|tool_call>', '<tool_call|>', '<|tool_call_start|>')
  .concat(
    'call:bash{command:<|"|>ls<|"|>}',
    '<|tool_call_end|>',
    '<|START_ACTION|>',
    '<|END_ACTION|>',
    '<|channel>thought\n',
  )
  .concat(
    '<channel|>',
    '<|tool_calls_section_begin|>',
    'assistantfinal',
    'assistantcommentary to=functions.bash json{"command":"ls"}',
    'analysisWe look.',
    'assistantcommentaryI look.',
    '<|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>',
  );

function cut(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length]!;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

const sizes = fc.array(fc.integer({ min: 1, max: 13 }), { minLength: 1, maxLength: 8 });

test('how a text is cut into deltas changes nothing', () => {
  const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(words, sizes, fc.boolean(), (parts, lengths, known) => {
      const text = parts.join('');
      const options = known ? { tools } : {};
      const whole = foldRecovery({ content: [text] }, options);
      expect(foldRecovery({ content: cut(text, lengths) }, options)).toEqual(whole);
      expect(foldRecovery({ content: text.split('') }, options)).toEqual(whole);
    }),
    { numRuns: 1_500 },
  );
});

test('the same in the thinking channel', () => {
  const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(words, sizes, (parts, lengths) => {
      const text = parts.join('');
      const whole = foldRecovery({ thinking: [text], content: [] }, { tools });
      expect(foldRecovery({ thinking: cut(text, lengths), content: [] }, { tools })).toEqual(whole);
    }),
    { numRuns: 700 },
  );
});

test('text without any markup comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab \n<>{}()"\'`.:/=|é&;') }), sizes, (text, lengths) => {
      expect(foldRecovery({ content: cut(text, lengths) }, { tools })).toMatchObject({ calls: [], content: text });
    }),
    { numRuns: 700 },
  );
});

describe('text flows on at once', () => {
  const given = (...deltas: string[]): string[] => {
    const recovery = createRecovery({ tools });
    return deltas.map((delta) => {
      const out: RecoveryPiece[] = [];
      recovery.content(delta, out);
      return out.map((piece) => ('delta' in piece ? piece.delta : piece.type)).join('');
    });
  };

  test.each<[string, string[], string[]]>([
    ['words', ['Hello', ', ', 'you'], ['Hello', ', ', 'you']],
    ['a sign that begins no tag', ['a < b', ' and <p', '>'], ['a < b', ' and <p', '>']],
    ['a tag that may begin', ['x <to', 'p>'], ['x ', '<top>']],
    ['talk about a tag', ['The <tool_call>', ' tag', ' is'], ['The ', '', '<tool_call> tag is']],
    ['a list', ['[a', ', b]'], ['[a', ', b]']],
    ['JSON that is no call', ['{"a', 'mount": 1'], ['', '{"amount": 1']],
    ['the name of something else', ['{"name": "', 'my-app', '", '], ['', '{"name": "my-app', '", ']],
    ['a code block that is no call', ['```js\n', 'let a', ' = 1'], ['', '```js\nlet a', ' = 1']],
    ['code', ['see `<tool_call>', '` there'], ['see `<tool_call>', '` there']],
    ['thinking', ['<think>a', 'b ', '<i>', '</think>', 'Yes'], ['a', 'b', ' <i>', '', 'Yes']],
  ])('%s', (_, deltas, expected) => {
    expect(given(...deltas)).toEqual(expected);
  });
});

const cases = new URL('../../../../shared/cases/toolcall-text.jsonl', import.meta.url);
describe.skipIf(!existsSync(cases))('texts gathered from the field', () => {
  interface Row {
    text: string;
    chunks?: string[];
    tools?: string[];
    family: string;
    kind: string;
    expected_calls: { name: string; arguments?: unknown }[];
  }
  const rows = existsSync(cases)
    ? readFileSync(cases, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row)
    : [];
  const read = ({ tools: names, family }: Row, chunks: string[]) =>
    recover({ chunks, family, ...(names && { tools: names }) }) as { calls: unknown[] };

  test('almost all calls are found', () => {
    const full = rows.filter((row) => row.kind === 'full' && row.expected_calls.length);
    const right = full.filter((row) => {
      try {
        expect(read(row, row.chunks ?? [row.text]).calls).toEqual(
          row.expected_calls.map(({ name, arguments: input }) => ({ name, arguments: input })),
        );
        return true;
      } catch {
        return false;
      }
    });
    // Not among them: two calls cut in the middle, one that needs a schema and one that needs the tools' names.
    expect(full.length - right.length).toBeLessThanOrEqual(4);
  });

  test('in every cutting the same', () => {
    for (const row of rows) {
      const text = row.chunks?.join('') ?? row.text;
      const whole = read(row, [text]);
      for (const lengths of [[1], [2, 5], [3, 1, 11, 7]]) expect(read(row, cut(text, lengths))).toEqual(whole);
    }
  });
});

/** What a message came to, whatever the pieces. */
function sums(pieces: readonly RecoveryPiece[]) {
  const text = (type: 'content' | 'reasoning') =>
    pieces.flatMap((piece) => (piece.type === type ? [piece.delta] : [])).join('');
  const rest = pieces.filter(({ type }) => type !== 'content' && type !== 'reasoning');
  return { content: text('content'), reasoning: text('reasoning'), rest };
}

test('parsers that are loaded late find the same', async () => {
  const openings = [
    'Hi',
    'Hi ',
    'Let me look. ',
    'The',
    'bash',
    'bash ',
    'call: ',
    'analysis',
    'analysisWe look.',
    'commentary',
    'assistant',
    'assistantfinal',
    'assistant to=functions.bash ',
    "I'll ",
    'read_file\n',
    ' ',
    '1. ',
  ];
  const words = fc.array(fc.constantFrom(...WORDS, ...openings), { maxLength: 7 });
  const message = fc.tuple(fc.constantFrom(...openings, ''), words).map(([first, more]) => [first, ...more].join(''));
  const ends = fc.constantFrom('whole', 'cut', 'broken' as const);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constant(''), message),
      message,
      sizes,
      ends,
      fc.boolean(),
      async (thinking, content, lengths, how, startsThinking) => {
        const options = { tools, startsThinking };
        const [early, late] = [createRecovery(options), new LateRecovery(options)];
        const [expected, given]: [RecoveryPiece[], RecoveryPiece[]] = [[], []];
        for (const delta of cut(thinking, lengths)) {
          early.thinking(delta, expected);
          await late.thinking(delta, given);
        }
        for (const delta of cut(content, lengths)) {
          early.content(delta, expected);
          await late.content(delta, given);
        }
        early.end(how, expected);
        late.end(how, given);
        expect(sums(given)).toEqual(sums(expected));
      },
    ),
    { numRuns: 2_000 },
  );
});
