/** Counts that a person reads are true: of left-out lines, of changes, of stored conversations. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outputLines } from '../../../app/tui/blocks/output-lines.ts';
import { changesOf } from '../../../app/tui/changes.ts';
import { keptDraft } from '../../../app/tui/draft-file.ts';
import { DraftKeeper } from '../../../app/tui/draft-keeper.ts';
import { farewell } from '../../../app/tui/farewell.ts';
import { eventLines } from '../../../app/tui/plain-lines.ts';
import { sessionFacts } from '../../../app/tui/session-facts.ts';
import { emptyState } from '../../../core/state.ts';
import { call, ScreenDriver } from './screen-driver.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ada-left-out-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const rows = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name} ${index}\n`).join('');
const output = (text: string, part: { head: number; tail: number }) =>
  outputLines(text, 80, 'none', part).map((line) => line.replace(/\x1b\[\d*m/g, ''));
const clipped = (where: string) =>
  `${rows('head', 20)}[… 123456 bytes in 5000 lines are not shown here${where} …]\n${rows('tail', 30)}`;

describe('left-out lines', () => {
  it('count those too that the tool itself left out, and tell where they are', () => {
    const lines = output(clipped('; all of it is in /x/out.txt'), { head: 15, tail: 15 });
    expect(lines[15]).toBe('… 5020 more lines; all of it is in /x/out.txt …');
    expect(output(clipped(''), { head: 15, tail: 15 })[15]).toBe('… 5020 more lines …');
  });

  it('are told once where the tool says so in what is shown', () => {
    const lines = output(clipped(''), { head: 30, tail: 10 });
    expect(lines.join('\n')).toContain('5000 lines are not shown here');
    expect(lines).toContain('… 11 more lines …');
  });

  it('of a running command count what is no longer kept', () => {
    const screen = new ScreenDriver().stored({ type: 'user', text: 'go' }, call('1', 'bash', 'seq'));
    for (let part = 0; part < 10; part++) screen.progress('1', rows(`row ${part}`, 500));
    screen.press('Ctrl+O');
    expect(screen.screen()).toContain('… 4988 more lines …');
    expect(screen.screen()).toContain('row 9 499');
  });

  it('count in plain lines too', () => {
    const display = { kind: 'terminal' as const, command: 'x', output: clipped(''), exitCode: 0 };
    const result = { type: 'tool_result' as const, id: '1', name: 'bash', output: '', isError: false, display };
    expect(eventLines({ ...result, seq: 1, time: 1 })[0]).toBe('… 5030 lines');
  });
});

describe('changes', () => {
  const diff = { kind: 'diff' as const, path: 'a/empty.txt', patch: '', added: 0, removed: 0 };
  it('hold a new file without content, and nothing that changed nothing', () => {
    expect(changesOf(diff, 'Created a/empty.txt (0 lines, 0 bytes).')).toMatchObject([
      { path: 'a/empty.txt', patch: '--- /dev/null\n+++ a/empty.txt\n' },
    ]);
    expect(changesOf(diff, 'Wrote a/empty.txt')).toEqual([]);
    expect(changesOf(null, 'Created x')).toEqual([]);
  });
});

describe('a stored conversation', () => {
  it('is told from others by age, size and what it is a copy of', () => {
    const file = join(folder, 'x.jsonl');
    writeFileSync(file, 'x'.repeat(12_345));
    const one = { id: 'aa', file, title: 'Fix the tests', mtime: 1_000_000 };
    const copy = { ...one, id: 'bb', parent: 'aa' };
    expect(sessionFacts(one, [one, copy], 1_000_000 + 5 * 60_000)).toBe('5 min ago · 13 kB');
    expect(sessionFacts(copy, [one, copy], 1_000_000)).toBe('now · 13 kB · copy of “Fix the tests” aa');
    expect(sessionFacts(copy, [copy], 1_000_000)).toContain('copy of aa');
  });
});

describe('a draft', () => {
  it('is kept a second after it was typed, and no timer runs when it did not change', async () => {
    let text = 'half';
    const keeper = new DraftKeeper(() => ({ stateDir: folder, text }));
    keeper.seen(text);
    text = 'half a thought';
    keeper.seen(text);
    expect(keptDraft(folder)).toBe('');
    await expect.poll(() => keptDraft(folder), { timeout: 5000 }).toBe('half a thought');
    keeper.seen(text);
    text = '';
    keeper.seen(text);
    keeper.keep();
    expect(keptDraft(folder)).toBe('');
  });

  it('of a conversation in which nothing was said has its way back', () => {
    const state = emptyState();
    const file = process.execPath;
    expect(farewell({ id: 'x', file, state }, 'half')).toBe('To go on with this draft: ada -r x\n');
    expect(farewell({ id: 'x', file, state }, '')).toBe('');
    expect(farewell({ id: 'x', file, state: { ...state, title: 'said' } }, 'half')).toContain('ada -r x');
    // A conversation in memory.
    expect(farewell({ id: 'x', file: '/nonexistent/x.jsonl', state: { ...state, title: 'said' } }, 'half')).toBe('');
  });
});
