/** Whatever happens, in any order, at any size: nothing throws, frames fit, and no foreign sequence gets through. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyTable } from '../../../app/tui/keys.ts';
import type { Overlay } from '../../../app/tui/types.ts';
import type { StoredBody } from '../../../core/types.ts';
import { assistant, call, done, ScreenDriver } from './screen-driver.ts';

const HOSTILE = [
  '\x1b]52;c;Y3VybA==\x07',
  '\x1b[2J\x1b[H',
  '\x9b31m',
  '\x1b]8;;http://example.com\x07link',
  'a\tb\rc\x00\x7f',
  '\u202egnirts',
  '\ud800',
  '日本語のテキスト',
  '👩‍👩‍👧‍👦🇩🇪',
  'e\u0301\u0301\u0301',
  '# head\n\n- a\n- b\n\n```ts\nconst x = 1;\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  'word '.repeat(60),
  'x'.repeat(300),
  '\n\n\n',
  '',
];
const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ maxLength: 40, unit: 'grapheme' }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const id = fc.constantFrom('1', '2', '3');
const patch = text.map((line) => `--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n ${line}\n-old\n+new\n`);
const display = fc.oneof(
  fc.record({ kind: fc.constant('diff' as const), path: text, patch, added: fc.nat(9), removed: fc.nat(9) }),
  fc.record({
    kind: fc.constant('terminal' as const),
    command: text,
    output: text,
    exitCode: fc.constantFrom(0, 1, null),
  }),
  fc.record({ kind: fc.constant('text' as const), text }),
  fc.constant(undefined),
);
const request = fc.tuple(id, text, text, fc.boolean(), fc.option(text, { nil: undefined }), display);

const stored: fc.Arbitrary<StoredBody> = fc.oneof(
  text.map((value): StoredBody => ({ type: 'user', text: value })),
  text.map((value): StoredBody => ({ type: 'user', text: value, steered: true })),
  fc.tuple(text, text).map(([reasoning, answer]) => assistant([{ type: 'reasoning', text: reasoning }, answer])),
  fc.tuple(id, text, text).map(([call_, name, detail]) => call(call_, name, detail)),
  request.map(
    ([call_, name, summary, danger, rule, preview]): StoredBody => ({
      type: 'approval_request',
      id: call_,
      name,
      summary,
      input: { command: summary, path: name },
      ...(danger ? { danger: summary } : {}),
      ...(rule === undefined ? {} : { rule }),
      ...(preview === undefined ? {} : { preview }),
    }),
  ),
  fc
    .tuple(id, fc.constantFrom('yes', 'no', 'all'))
    .map(([call_, decision]): StoredBody => ({ type: 'approval', id: call_, decision: decision as 'yes', by: 'user' })),
  fc.tuple(id, text, fc.boolean(), display).map(
    ([call_, output, isError, shown]): StoredBody => ({
      type: 'tool_result',
      id: call_,
      name: 'x',
      output,
      isError,
      ...(shown === undefined ? {} : { display: shown }),
    }),
  ),
  fc.array(text, { maxLength: 6 }).map(
    (items): StoredBody => ({
      type: 'todos',
      items: items.map((item, at) => ({ text: item, status: at % 2 ? 'done' : 'active' })),
    }),
  ),
  text.map((value): StoredBody => ({ type: 'model', value })),
  text.map((value): StoredBody => ({ type: 'notice', level: 'warning', text: value })),
  fc.boolean().map((discard): StoredBody => ({ type: 'retry', reason: 'x', attempt: 2, delayMs: 10, discard })),
  fc.constant(done()),
);

const overlay: fc.Arbitrary<Overlay | null> = fc.oneof(
  fc.constant(null),
  fc.constant<Overlay>({ kind: 'keys' }),
  fc
    .tuple(text, text, fc.constantFrom('plain', 'markdown', 'diff'))
    .map(
      ([title, body, format]): Overlay => ({ kind: 'text', title, text: body, offset: 0, format: format as 'plain' }),
    ),
  fc.array(text, { maxLength: 30 }).map(
    (labels): Overlay => ({
      kind: 'pick',
      title: 'T',
      items: labels.map((label) => ({ label, detail: label, value: label })),
      filter: '',
      selected: 0,
      command: 'model',
    }),
  ),
);

type Step = (screen: ScreenDriver) => unknown;
const keys = keyTable.flatMap((row) => row.keys);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...keys).map(
      (key): Step =>
        (screen) =>
          screen.press(key),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('/', '/mo', 'x', 'y', '日', ' ').map(
      (key): Step =>
        (screen) =>
          screen.press(key),
    ),
  },
  {
    weight: 6,
    arbitrary: stored.map(
      (body): Step =>
        (screen) =>
          screen.stored(body),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(text, fc.nat(2)).map(
      ([delta, at]): Step =>
        (screen) =>
          screen.text(delta, at),
    ),
  },
  {
    weight: 1,
    arbitrary: text.map(
      (delta): Step =>
        (screen) =>
          screen.reasoning(delta, 0),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(id, text).map(
      ([call_, out]): Step =>
        (screen) =>
          screen.progress(call_, out),
    ),
  },
  {
    weight: 1,
    arbitrary: text.map(
      (value): Step =>
        (screen) =>
          screen.paste(value),
    ),
  },
  {
    weight: 1,
    arbitrary: overlay.map(
      (value): Step =>
        (screen) =>
          screen.act({ type: 'overlay', overlay: value }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(50, 400, 1500, 2500).map(
      (ms): Step =>
        (screen) =>
          screen.wait(ms),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(-3, 3), fc.nat(140), fc.nat(50)).map(
      (at): Step =>
        (screen) =>
          screen.wheel(...at),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 140 }), fc.integer({ min: 1, max: 45 })).map(
      ([columns, rows]): Step =>
        (screen) =>
          screen.resize(columns, rows),
    ),
  },
);

describe('any run of actions', () => {
  it('throws nothing, and every frame fits', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.constantFrom('dark', 'light', 'none'), (steps, theme) => {
        const screen = new ScreenDriver({ theme: theme as 'dark' });
        for (const take of steps) {
          take(screen);
          const { lines, panes } = screen.frame();
          for (const line of lines) {
            const plain = line.replace(/\x1b\[[\d;]*m/g, '');
            expect(plain).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u);
          }
          const { columns, rows } = screen.state.size;
          for (const box of panes) {
            expect(box.column + box.columns).toBeLessThanOrEqual(columns);
            expect(box.row + box.rows).toBeLessThanOrEqual(rows);
          }
          const { text: draft, cursor } = screen.state.composer;
          expect(cursor).toBeGreaterThanOrEqual(0);
          expect(cursor).toBeLessThanOrEqual(draft.length);
        }
      }),
      { numRuns: 250 },
    );
  });

  it('never answers an approval within 300 ms after it came up', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...keys, 'y', 'n', 'a', 'r', 'p'), { maxLength: 25 }), (pressed) => {
        const screen = new ScreenDriver().stored({ type: 'user', text: 'go' }, call('1', 'bash', 'ls'), {
          type: 'approval_request',
          id: '1',
          name: 'bash',
          summary: 'ls',
          input: { command: 'ls' },
          rule: 'bash(ls)',
        });
        screen.press(...pressed);
        expect(screen.take().filter((effect) => effect.type === 'send' && effect.command.type === 'approve')).toEqual(
          [],
        );
      }),
      { numRuns: 200 },
    );
  });
});
