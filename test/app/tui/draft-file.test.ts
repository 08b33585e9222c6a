/** Unsent drafts on disk: a session's own, and what processes without a session left behind. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepDraft, keptDraft, takeLostDraft, unboundDraft } from '../../../app/tui/draft-file.ts';
import { DraftKeeper } from '../../../app/tui/draft-keeper.ts';
import { processStart } from '../../../core/log-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ada-draft-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process id that nobody has any more. */
const ended = (): number => spawnSync(process.execPath, ['-e', '']).pid;

function left(pid: number, start: string, text: string, second: number): void {
  const file = join(folder, `draft-${pid}-${start}.txt`);
  writeFileSync(file, text);
  utimesSync(file, second, second);
}

it('a lost draft is the newest of a process that has ended, and is had once', () => {
  left(ended(), '1', 'older', 10);
  left(ended(), '2', 'newer', 20);
  keepDraft(folder, 'of a session');
  expect(takeLostDraft(folder)).toBe('newer');
  expect(keptDraft(folder, unboundDraft())).toBe('newer');
  expect(takeLostDraft(folder)).toBe('older');
  expect(takeLostDraft(folder)).toBe('');
  expect(keptDraft(folder)).toBe('of a session');
  expect(takeLostDraft(join(folder, 'nowhere'))).toBe('');
});

it('what a living process writes is left alone, its own included', () => {
  const other = spawn('sleep', ['30'], { stdio: 'ignore' });
  try {
    left(other.pid!, processStart(other.pid!) ?? '', 'live text', 20);
    keepDraft(folder, 'mine', unboundDraft());
    expect(takeLostDraft(folder)).toBe('');
    expect(readdirSync(folder)).toHaveLength(2);
  } finally {
    other.kill('SIGKILL');
  }
});

it.skipIf(processStart(process.pid) === undefined)('a process id that is used again holds nothing', () => {
  left(process.ppid, '1', 'of an earlier process', 20);
  expect(takeLostDraft(folder)).toBe('of an earlier process');
});

it('the keeper keeps nothing once its session is let go of', () => {
  let text = 'half a thought';
  const keeper = new DraftKeeper(() => ({ stateDir: folder, text }));
  keeper.end();
  expect(keptDraft(folder)).toBe('half a thought');
  text = 'elsewhere';
  keeper.seen(text);
  keeper.keep();
  expect(keptDraft(folder)).toBe('half a thought');
});
