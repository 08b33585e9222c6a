/** Programs that the repository's own settings let git run while it only looks. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';

let project: string;
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'ada-own-settings-')));
  git('init', '-q');
  writeFileSync(join(project, 'a.txt'), 'x\n');
});
afterEach(() => rmSync(project, { recursive: true, force: true }));
const git = (...args: string[]) => execFileSync('git', ['-C', project, ...args], { stdio: 'ignore' });
const plan = async (command: string) =>
  (await judgeCommand(command, { cwd: project, project, home: '/nonexistent', mode: 'plan' })).verdict;

test.each([
  ['core.fsmonitor', 'touch x;false'],
  ['diff.external', './x'],
  ['diff.odt.textconv', 'odt2txt'],
  ['diff.x.command', './x'],
  ['filter.x.clean', './x'],
  ['filter.a b.process', './x'],
  ['include.path', '../x'],
  ['includeIf.gitdir:/.path', '../x'],
  ['gpg.program', './x'],
  ['gpg.ssh.program', './x'],
])('%s = %s', async (key, value) => {
  expect(await plan('git status')).toBe('allow');
  git('config', key, value);
  for (const command of ['git status --short', 'git diff', 'git log -p -1', 'cd . && git show'])
    expect(await plan(command)).toBe('deny');
  expect(await plan('git rev-parse HEAD')).toBe('allow');
});

test.each([
  ['core.fsmonitor', 'true'],
  ['filter.lfs.clean', 'git-lfs clean -- %f'],
  ['filter.lfs.process', 'git-lfs filter-process'],
  ['core.hooksPath', '.husky/_'],
  ['user.name', 'x'],
  ['remote.origin.url', 'https://example.com/x'],
  ['alias.st', 'status'],
])('%s = %s is no program that runs', async (key, value) => {
  git('config', key, value);
  for (const command of ['git status', 'git diff']) expect(await plan(command)).toBe('allow');
});

test('a hook for when the index changes', async () => {
  git('config', 'core.hooksPath', 'own');
  mkdirSync(join(project, 'own'));
  expect(await plan('git status')).toBe('allow');
  writeFileSync(join(project, 'own/post-index-change'), '#!/bin/sh\n');
  expect(await plan('git status')).toBe('deny');
});

test('settings of a submodule, and of a repository that was added as a file', async () => {
  const inner = join(project, 'inner');
  mkdirSync(inner);
  execFileSync('git', ['-C', inner, 'init', '-q']);
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
  execFileSync('git', ['-C', inner, ...who, 'commit', '-q', '--allow-empty', '-m', 'x']);
  git('add', 'inner', 'a.txt');
  expect(await plan('git status')).toBe('allow');
  execFileSync('git', ['-C', inner, 'config', 'core.fsmonitor', './x']);
  for (const command of ['git status', 'git diff', 'git submodule status', 'git -C . status'])
    expect(await plan(command)).toBe('deny');
});
