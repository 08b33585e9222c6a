/** A small git repository for the tests of the runner. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { Instance } from '../../../bench/swebench/dataset.ts';
import { gitEnvironment } from '../../../bench/swebench/git.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'swebench-test-'));
  made.push(folder);
  return folder;
}

export function put(folder: string, files: Readonly<Record<string, string | Uint8Array>>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export interface Repository {
  folder: string;
  env: NodeJS.ProcessEnv;
  git(...args: string[]): string;
  commit(message: string): string;
}

export function makeRepository(files: Readonly<Record<string, string | Uint8Array>>): Repository {
  const folder = temporary();
  const env = gitEnvironment(temporary());
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  put(folder, files);
  git('init', '-q');
  const commit = (message: string) => {
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', message);
    return git('rev-parse', 'HEAD');
  };
  commit('start');
  return { folder, env, git, commit };
}

export function instance(fields: Partial<Instance>): Instance {
  return {
    instance_id: 'owner__name-1',
    repo: 'owner/name',
    base_commit: 'HEAD',
    problem_statement: 'It is broken.',
    test_patch: '',
    patch: '',
    FAIL_TO_PASS: [],
    PASS_TO_PASS: [],
    test_cmd: null,
    test_files: [],
    origin: '/',
    ...fields,
  };
}
