/** Much text that only adds lines passes the screen by; nobody may see that it did. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { ClippedOutput } from '../../../../core/tools/shell/clipped-output.ts';
import { Feed } from '../../../../core/tools/shell/feed.ts';
import { TerminalText } from '../../../../core/tools/shell/terminal-text.ts';
import { testContext } from '../tool-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'ada-flood-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Seen {
  text: string;
  /** Calls of the sink: text that passes the screen by comes in few. */
  pieces: number;
}

/** `asked`: after each chunk for what is on the screen, so that every character must go there. */
function folded(chunks: Iterable<string>, asked: boolean): Seen {
  const seen = { text: '', pieces: 0 };
  const terminal = new TerminalText((piece) => {
    seen.text += piece;
    seen.pieces++;
  });
  for (const chunk of chunks) {
    terminal.write(chunk);
    if (asked) terminal.view();
  }
  terminal.end();
  return seen;
}

function* cut(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + size);
    if (/[\ud800-\udbff]/.test(text[end - 1]!)) end++;
    yield text.slice(at, end);
    at = end;
  }
}

const line = fc.oneof(
  fc.stringMatching(/^[a-z0-9 .:-]{0,90}$/),
  fc.constantFrom('y', '', '\tindented\tby tabs', '漢字 and more', '\u0301lost accent', '\ufeffmark', '👩‍💻 e\u0301'),
  fc.integer({ min: 190, max: 900 }).map((length) => 'abcdefghij'.repeat(90).slice(0, length)),
  fc.integer({ min: 90, max: 120 }).map((count) => `x${'漢'.repeat(count)}\tend`),
  fc.constantFrom(
    '\x1b[32mgreen\x1b[0m',
    '\x1b[1;31mred',
    '\x1b[Kback \x1b[m\x1b[K',
    `${'x'.repeat(200)}\x1b[K\x1b[mnext`,
  ),
);
const flood = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 300, max: 4000 }),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([lines, times, end]) => {
    const unit = lines.map((text) => text + end).join('');
    return unit.repeat(Math.min(times, Math.ceil(110_000 / unit.length)));
  });
const redraw = fc.constantFrom(
  ...[
    '\r',
    '\b\b',
    '\x1b7',
    '\x1b8',
    '\x1b[s',
    '\x1b[u',
    '\x1b[A',
    '\x1b[2A',
    '\x1b[30A',
    '\x1b[99A',
    '\x1b[H',
    '\x1b[2J',
    '\x1b[K',
  ],
  ...['\x1b[3b', '\x1b[5;40r', '\x1b[r', '\x1b[?7l', '\x1b[?7h', '\x1b[?1049h', '\x1b[?1049l', '\x1b[3L', '\x1b[3M'],
  ...['\x1bM', '\x1b[J', '\x1b[10B', '\x1b[20C', '\r 10 %\r 90 %', '\x1b]0;title\x07', '\x1b]open', '\x1bc'],
);
const small = fc.oneof(redraw, redraw, line, fc.constantFrom('\n', '\n\n'));
const mixture = fc
  .array(fc.tuple(fc.array(small, { maxLength: 2 }), flood), { minLength: 2, maxLength: 3 })
  .chain((parts) => fc.tuple(fc.constant(parts), fc.array(small, { maxLength: 6 })))
  .map(([parts, rest]) => [...parts.flatMap(([few, many]) => [...few, many]), ...rest]);

test('a terminal gives the same text whether or not it was looked at all the time', () => {
  fc.assert(
    fc.property(mixture, fc.constantFrom(undefined, 997, 4095, 65_536, 400_000), (parts, size) => {
      const text = parts.join('');
      const chunks = size === undefined ? parts : cut(text, size);
      const [fast, slow] = [folded(chunks, false), folded(cut(text, 700), true)];
      expect(fast.text === slow.text || firstDifference(fast.text, slow.text)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

/** Two long texts are not to be printed. */
function firstDifference(one: string, other: string): unknown {
  let at = 0;
  while (one[at] === other[at] && at < one.length) at++;
  return { at, one: one.slice(at - 60, at + 60), other: other.slice(at - 60, at + 60) };
}

test('plain lines pass the screen by, coloured ones too', () => {
  for (const text of [
    'y\n',
    'y\r\n',
    '\tvalue\n',
    '漢字\n',
    '\x1b[32m\x1b[Kgreen\x1b[0m\n',
    'a longer line of text\n',
  ]) {
    const much = text.repeat(Math.ceil(1_000_000 / text.length));
    expect(folded(cut(much, 65_536), false).pieces).toBeLessThan(40);
  }
});

test('a progress bar before, in and after a flood ends as its last frame', () => {
  const bar = Array.from({ length: 101 }, (_, n) => `\r${n} %`).join('');
  const many = 'line\n'.repeat(40_000);
  const { text } = folded(
    cut(`${bar}\n${many}${bar}${many}three\ntwo\n\x1b[2A\x1b[2KTHREE\n\x1b[2KTWO\n${bar}`, 4095),
    false,
  );
  expect(text === `100 %\n${many}100 %${many}THREE\nTWO\n100 %`).toBe(true);
});

test('head, tail, counts and the file do not depend on how the text comes', () => {
  let run = 0;
  const told = (chunks: Iterable<string>) => {
    const file = join(folder, `spill-${run++}`);
    const output = new ClippedOutput(file);
    for (const chunk of chunks) output.write(chunk);
    const text = output.end().replaceAll(file, 'FILE');
    return [text, text.includes('FILE') ? readFileSync(file, 'utf8') : text];
  };
  fc.assert(
    fc.property(
      fc.array(fc.oneof(flood, line, fc.constant('\n')), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 100, max: 100_000 }),
      (parts, size) => {
        const text = parts.join('');
        const [shown, whole] = told(cut(text, size));
        expect([shown, whole]).toEqual(told([text]));
        expect(whole === text).toBe(true);
        const [, head, bytes, lines, tail] =
          /^([\s\S]*)\[… (\d+) bytes in (\d+) lines are not shown here; all of it is in FILE …\]\n([\s\S]*)$/.exec(
            shown!,
          ) ?? [];
        if (head === undefined) return;
        const isCutInLine = !text.startsWith(head);
        const kept = isCutInLine ? head.slice(0, -1) : head;
        expect(Number(bytes)).toBe(Buffer.byteLength(text) - Buffer.byteLength(kept + tail!));
        expect(Number(lines)).toBe(text.split('\n').length - (kept + tail!).split('\n').length);
      },
    ),
    { numRuns: 40 },
  );
});

test('bytes in pieces of any size are decoded as one, up to the marker', async () => {
  const text = 'ä€𝄞 \x1b[31mred\x1b[m\n'.repeat(9000);
  const bytes = Buffer.from(text);
  for (const size of [1, 7, 4095, 65_536]) {
    let seen = '';
    const feed = new Feed(new TerminalText((piece) => (seen += piece)), () => {}, {
      file: '/nonexistent/x',
      addsReturns: true,
    });
    const half = bytes.length >> 1;
    for (let at = 0; at < half; at += size) feed.take(bytes.subarray(at, Math.min(half, at + size)));
    const marker = Buffer.from('\x1b]ada;end\x07');
    const found = feed.awaitMarker(marker);
    const rest = Buffer.concat([bytes.subarray(half), marker]);
    for (let at = 0; at < rest.length; at += size) feed.take(rest.subarray(at, at + size));
    expect(await found).toBe(true);
    feed.end();
    expect(seen === 'ä€𝄞 red\n'.repeat(9000)).toBe(true);
  }
});

test('a flood through a real terminal is counted exactly, and the next command finds all as it was', async () => {
  const context = testContext();
  const { output } = await context.call('bash', {
    command: 'yes | head -c 3000000; for i in $(seq 400); do printf "\\rstep %d" $i; done; echo; echo THE-END; exit 3',
  });
  const [, bytes, lines, file] = /\[… (\d+) bytes in (\d+) lines are not shown here; all of it is in (\S+) …\]/.exec(
    output,
  )!;
  const whole = `${'y\n'.repeat(1_500_000)}step 400\nTHE-END\n`;
  expect(readFileSync(file!, 'utf8') === whole).toBe(true);
  expect(output.endsWith('y\nstep 400\nTHE-END\n(exit code 3)')).toBe(true);
  const [head, tail] = output.replace('(exit code 3)', '').split(/\[… .* …\]\n/) as [string, string];
  expect(Number(bytes)).toBe(whole.length - head.length - tail.length);
  expect(Number(lines)).toBe(whole.split('\n').length - (head + tail).split('\n').length);
  expect((await context.call('bash', { command: 'printf "one\\ntwo\\r\\nthree\\rT"' })).output).toBe('one\ntwo\nThree');
});

test('a flood through a real terminal stays in order, also where it comes in gusts', async () => {
  const context = testContext();
  const { output } = await context.call('bash', {
    command: 'seq 1 200000; sleep 0.05; for i in $(seq 2000); do echo "slow $i"; done; seq 200001 400000',
  });
  const file = /all of it is in (\S+) …\]/.exec(output)![1]!;
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\n`).join('');
  const slow = Array.from({ length: 2000 }, (_, i) => `slow ${i + 1}\n`).join('');
  expect(readFileSync(file, 'utf8') === numbers(1, 200_000) + slow + numbers(200_001, 400_000)).toBe(true);
});

test('a flood is stopped at once', async () => {
  const context = testContext();
  const running = context.call('bash', { command: 'yes' });
  await expect.poll(() => context.shown.length).toBeGreaterThan(2);
  context.abort.abort();
  expect((await running).output).toMatch(
    /\n\(interrupted by the user after [\d.]+ s; it was ended, with what was found of all that it started\)$/,
  );
});
