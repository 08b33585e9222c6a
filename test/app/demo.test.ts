import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RECORDING } from '../../app/demo/recording.ts';
import { countTests, runTests } from '../../app/demo/run-tests.ts';
import { SAMPLE } from '../../app/demo/sample.ts';
import { stepLines } from '../../app/demo/steps.ts';
import type { StoredBody, StoredEvent } from '../../core/types.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ada-demo-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function lay(files: Readonly<Record<string, string>>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const env = { ...process.env };
delete env.NODE_TEST_CONTEXT;

test('the sample is red, and the recorded edit makes it green', async () => {
  lay(SAMPLE);
  expect(await runTests(folder, env)).toEqual({ green: false, passed: 6, failed: 2 });
  const calls = RECORDING.trim()
    .split('\n')
    .flatMap((line) => JSON.parse(line).toolCalls ?? []);
  const { path, old, new: fresh } = calls.find((call) => call.name === 'edit_file').input;
  expect(SAMPLE[path]!.split(old)).toHaveLength(2);
  lay({ [path]: SAMPLE[path]!.replace(old, () => fresh) });
  expect(await runTests(folder, env)).toEqual({ green: true, passed: 8, failed: 0 });
});

test('a folder without tests is not green', async () => {
  expect(await runTests(folder, env)).toMatchObject({ green: false, passed: 0 });
});

test.each([
  ['# tests 3\n# pass 2\n# fail 1\n', 2, 1],
  ['ℹ tests 3\nℹ pass 3\nℹ fail 0\n', 3, 0],
  ['nothing', 0, 0],
])('counts of %j', (output, passed, failed) => expect(countTests(output)).toEqual({ passed, failed }));

describe('steps', () => {
  const lines = (body: StoredBody, colour = false) => stepLines({ ...body, seq: 1, time: 0 } as StoredEvent, colour);
  const diff = { kind: 'diff' as const, path: 'a.js', patch: '--- a.js\n+++ a.js\n-old\n+new\n', added: 1, removed: 1 };
  test('a test run is its exit code and its counts', () => {
    const display = {
      kind: 'terminal' as const,
      command: 'node --test',
      output: '\x1b[34mℹ pass 1\x1b[39m\nℹ fail 2\n',
      exitCode: 1,
    };
    expect(lines({ type: 'tool_result', id: 'a', name: 'bash', output: '', isError: true, display })).toEqual([
      '           exit 1: 1 passed, 2 failed',
    ]);
  });
  test('an edit is its diff', () => {
    const result: StoredBody = {
      type: 'tool_result',
      id: 'a',
      name: 'edit_file',
      output: '',
      isError: false,
      display: diff,
    };
    expect(lines(result)).toEqual([
      '           a.js: 1 added, 1 removed',
      '           --- a.js',
      '           +++ a.js',
      '           -old',
      '           +new',
    ]);
    expect(lines(result, true).at(-1)).toBe('           \x1b[32m+new\x1b[0m');
  });
  test('denials and failures are lines', () => {
    expect(lines({ type: 'approval', id: 'a', decision: 'no', by: 'headless', reason: 'why' })).toEqual([
      '           denied: why',
    ]);
    expect(lines({ type: 'error', code: 'internal', message: 'a\nb', retryable: false })).toEqual(['error      a b']);
  });
});

// `npm test` builds first.
const program = fileURLToPath(new URL('../../app/ada.cjs', import.meta.url));

test.skipIf(!existsSync(program))('ada demo --print ends green and leaves nothing behind', () => {
  const clean = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'demo', '--print'], {
    env: clean,
    encoding: 'utf8',
    cwd: folder,
  });
  expect(stderr).toBe('');
  expect(stdout).toContain('red: 6 passed, 2 failed');
  expect(stdout).toContain('exit 1: 6 passed, 2 failed');
  expect(stdout).toContain('-  const share = Math.round(total / people);');
  expect(stdout).toContain('exit 0: 8 passed, 0 failed');
  expect(stdout).toContain('green: 8 passed, 0 failed');
  expect(stdout).toContain('red before, green after');
  expect(stdout).not.toContain('\x1b');
  expect(status).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});
