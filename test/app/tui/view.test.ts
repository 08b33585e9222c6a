/** Whole frames as files: a change of the screen is a change of one of them. `UPDATE_GOLDEN=1` rewrites them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadMarkdown } from '../../../app/tui/markdown.ts';
import { trustMenu } from '../../../app/tui/trust-question.ts';
import { assistant, call, done, ScreenDriver, usage } from './screen-driver.ts';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../fixtures/tui/frames');

/** As a person sees it, with ¦ at both sides and the cursor's place below. */
function expectFrame(name: string, screen: ScreenDriver, styled = false): void {
  const { lines, cursor } = screen.frame();
  const shown = lines.map((line) => (styled ? line.replaceAll('\x1b', '␛') : line.replace(/\x1b\[[\d;]*m/g, '')));
  const place = cursor ? `cursor: row ${cursor.row}, column ${cursor.column}` : 'no cursor';
  const text = `${shown.map((line) => `¦${line}¦`).join('\n')}\n${place}\n`;
  const file = join(folder, `${name}.txt`);
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, 'utf8'));
}

const patch = `--- a/src/sum.ts
+++ b/src/sum.ts
@@ -1,5 +1,6 @@
 export function sum(values: readonly number[]): number {
   let total = 0;
-  for (let i = 1; i < values.length; i++) total += values[i];
+  for (const value of values) total += value;
+  // An empty list sums to 0.
   return total;
 }
`;
const diff = { kind: 'diff', path: 'src/sum.ts', patch, added: 2, removed: 1 } as const;

const asked = (screen: ScreenDriver): ScreenDriver =>
  screen.stored(
    { type: 'user', text: 'The sum of a list is wrong. Find out why and repair it.' },
    assistant(['I will look at `src/sum.ts` and run the tests first.'], { usage: usage(3100, 40) }),
  );

const SCENES: Record<string, (screen: ScreenDriver) => ScreenDriver> = {
  empty: (screen) => screen,
  streaming: (screen) => {
    screen.stored({ type: 'user', text: 'How do the parts fit together?' });
    screen.reasoning('The person wants an overview.', 0).wait(2300);
    const answer =
      '## The parts\n\nA **session** takes commands and gives events:\n\n- the loop asks a *model*\n- tools run through permissions\n\n```ts\nconst session = open(log);\nsession.send({ type: "prompt" });\n```\n\n| room | what |\n|---|---|\n| core | the agent |\n| app | the doors |\n\nEvery door is one of th';
    for (let at = 0; at < answer.length; at += 7) screen.text(answer.slice(at, at + 7), at);
    return screen.wait(1200).act({ type: 'tick', now: screen.now });
  },
  'tool-running': (screen) => {
    asked(screen).stored(call('1', 'bash', 'npm test', { command: 'npm test' }));
    screen.wait(3000).progress('1', 'PASS test/add.test.ts\nFAIL test/sum.test.ts\n  expected 6, got 5\n');
    return screen.act({ type: 'tick', now: screen.now });
  },
  'approve-command': (screen) => {
    asked(screen).stored(call('1', 'bash', 'git push origin main', { command: 'git push origin main' }), {
      type: 'approval_request',
      id: '1',
      name: 'bash',
      summary: 'git push origin main (reaches the network)',
      input: { command: 'git push origin main' },
      rule: 'bash(git push origin main)',
    });
    return screen.wait(1000).act({ type: 'tick', now: screen.now });
  },
  'approve-danger': (screen) => {
    const command = 'rm -rf build && git reset --hard HEAD~3 && git clean -fdx --exclude node_modules';
    asked(screen).stored(call('1', 'bash', command, { command }), {
      type: 'approval_request',
      id: '1',
      name: 'bash',
      summary: `${command} (deletes build; throws work away)`,
      input: { command },
      danger: 'deletes build; throws work away',
    });
    return screen.wait(1000).press('n', 'use git stash first');
  },
  'approve-diff': (screen) => {
    asked(screen).stored(call('1', 'edit_file', 'src/sum.ts', { path: 'src/sum.ts' }), {
      type: 'approval_request',
      id: '1',
      name: 'edit_file',
      summary: 'src/sum.ts (changes src/sum.ts)',
      input: { path: 'src/sum.ts', old: '…', new: '…' },
      rule: 'edit_file(src/sum.ts)',
      preview: diff,
    });
    return screen.wait(1000).act({ type: 'tick', now: screen.now });
  },
  question: (screen) =>
    asked(screen)
      .stored(call('1', 'ask_user', 'Which database?', {}), {
        type: 'question',
        id: 'q',
        text: 'Which database should the new service use? It decides how the tests are run.',
        options: [
          'Postgres, as the other services do',
          'SQLite: no server to start',
          'Leave it open behind an interface',
        ],
      })
      .wait(1000)
      .press('Down'),
  search: (screen) =>
    screen
      .act({
        type: 'recalled',
        prompts: ['Explain the parser', 'Write tests for the parser\nand run them'],
        wanted: 'search',
      })
      .press('parser'),
  trust: (screen) =>
    screen.act({
      type: 'overlay',
      overlay: trustMenu(
        { project: '/home/me/shop', adaHome: '/home/me/.ada', file: '/home/me/shop/.ada/settings.json', text: '{}' },
        screen.now,
      ),
    }),
  'todos-and-diffs': (screen) => {
    asked(screen).stored(
      {
        type: 'todos',
        items: [
          { text: 'Run the tests', status: 'done' },
          { text: 'Repair the loop in src/sum.ts, which leaves the first value out', status: 'active' },
          { text: 'Run the tests again', status: 'pending' },
        ],
      },
      call('1', 'bash', 'npm test', { command: 'npm test' }),
    );
    screen.wait(1900).stored(
      {
        type: 'tool_result',
        id: '1',
        name: 'bash',
        output: 'expected 6, got 5\n(exit code 1)',
        isError: true,
        display: {
          kind: 'terminal',
          command: 'npm test',
          output: 'FAIL test/sum.test.ts\n  expected 6, got 5',
          exitCode: 1,
        },
      },
      call('2', 'edit_file', 'src/sum.ts', { path: 'src/sum.ts' }),
    );
    return screen.wait(12).stored(
      {
        type: 'tool_result',
        id: '2',
        name: 'edit_file',
        output: 'Edited src/sum.ts (+2 -1).',
        isError: false,
        display: diff,
      },
      assistant(['The loop began at 1. It is repaired, and an empty list now has a sum.'], {
        usage: usage(4200, 160),
      }),
      done({ turns: 3, usage: usage(7300, 200), durationMs: 6100 }),
    );
  },
  keys: (screen) => asked(screen).press('?'),
  picker: (screen) =>
    screen.act({
      type: 'overlay',
      overlay: {
        kind: 'pick',
        title: 'Conversations',
        items: Array.from({ length: 40 }, (_, n) => ({
          label: n === 2 ? '修理: 合計が間違っている' : `Repair number ${n}`,
          detail: `${n + 1} h ago · ${n * 3 + 2} messages`,
          value: `id-${n}`,
        })),
        filter: '',
        selected: 3,
        command: 'resume',
      },
    }),
  menu: (screen) => screen.press('/mod', 'Down'),
  draft: (screen) =>
    screen
      .press('日本語のとても長い下書きです。途中で折り返しても、カーソルは正しい場所に立ちます。')
      .press('Ctrl+J')
      .press('👩‍👩‍👧‍👦 🇩🇪 café — and a last line', 'Left', 'Left', 'Left', 'Left'),
  'first-run': (screen) =>
    screen.act({
      type: 'say',
      level: 'warning',
      text: 'No model can be reached. Looked for:\n- Ollama at http://127.0.0.1:11434: nothing answers there. Get it from ollama.com, then "ollama pull qwen3:8b".\n- A remote backend: ADA_BACKEND_URL is not set.\n- Keys: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY and others are not set.\nThe demonstration needs none of them: ada demo',
    }),
};

beforeAll(() => loadMarkdown());

describe('frames', () => {
  const sizes = [
    [60, 20],
    [80, 24],
    [120, 40],
  ] as const;
  it.each(Object.keys(SCENES).flatMap((name) => sizes.map(([columns, rows]) => [name, columns, rows] as const)))(
    '%s at %d×%d',
    (name, columns, rows) => {
      expectFrame(`${name}-${columns}x${rows}`, SCENES[name]!(new ScreenDriver({ size: { columns, rows } })));
    },
  );

  it.each(['streaming', 'approve-diff', 'todos-and-diffs', 'keys', 'draft'])(
    '%s where there is little room',
    (name) => {
      expectFrame(`${name}-40x10`, SCENES[name]!(new ScreenDriver({ size: { columns: 40, rows: 10 } })));
    },
  );

  it.each(['dark', 'light'] as const)('in colours: %s', (theme) => {
    const screen = new ScreenDriver({ size: { columns: 80, rows: 24 }, theme });
    expectFrame(`approve-diff-${theme}`, SCENES['approve-diff']!(screen), true);
  });

  it('have no colours without a theme', () => {
    const { lines } = SCENES['approve-diff']!(new ScreenDriver()).frame();
    const parameters = lines.flatMap((line) =>
      [...line.matchAll(/\x1b\[([\d;]*)m/g)].flatMap((found) => found[1]!.split(';')),
    );
    expect([...new Set(parameters)].filter((one) => Number(one) >= 30)).toEqual([]);
  });

  it('say what is missing where nothing useful can be drawn', () => {
    const screen = new ScreenDriver({ size: { columns: 30, rows: 5 } }).press('x');
    expect(screen.screen()).toBe(`ada needs 20×6 cells${'\n'.repeat(4)}`);
    expect(screen.resize(5, 1).screen()).toBe('ada …');
  });
});
