import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRepository, makeWorkspace } from '../../../bench/swebench/workspace.ts';
import { instance, makeRepository, put, temporary } from './repository.ts';

describe('makeWorkspace', () => {
  it('has the base commit and what came before, and nothing of what came after', async () => {
    const repository = makeRepository({ 'a.txt': '1\n' });
    put(repository.folder, { 'a.txt': '2\n' });
    const base = repository.commit('second');
    put(repository.folder, { 'a.txt': 'the solution\n' });
    const later = repository.commit('third');
    repository.git('tag', 'v1');
    const repos = temporary();
    execFileSync('git', ['clone', '-q', '--mirror', repository.folder, join(repos, 'owner__name.git')], {
      stdio: 'ignore',
    });

    const folder = join(temporary(), 'work');
    const workspace = await makeWorkspace(instance({ base_commit: base }), { folder, repos, env: repository.env });
    expect(workspace.base).toBe(base);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('2\n');
    const inside = (...args: string[]) =>
      execFileSync('git', args, { cwd: folder, env: repository.env, encoding: 'utf8' }).trim();
    expect(inside('log', '--all', '--format=%s')).toBe('second\nstart');
    expect(inside('tag')).toBe('');
    expect(inside('remote')).toBe('');
    expect(() => execFileSync('git', ['cat-file', '-e', later], { cwd: folder, stdio: 'ignore' })).toThrow();
    expect(inside('status', '--porcelain')).toBe('');
    // A second time starts afresh.
    put(folder, { 'left-over.txt': 'x' });
    await makeWorkspace(instance({ base_commit: base.slice(0, 10) }), { folder, repos, env: repository.env });
    expect(existsSync(join(folder, 'left-over.txt'))).toBe(false);
  });

  it('says what is missing', async () => {
    const repository = makeRepository({ 'a.txt': '1\n' });
    const options = { folder: join(temporary(), 'work'), repos: null, env: repository.env };
    await expect(
      makeWorkspace(instance({ repo: repository.folder, base_commit: 'f'.repeat(40) }), options),
    ).rejects.toThrow(/has no commit ffff/);
    await expect(makeWorkspace(instance({ repo: repository.folder, base_commit: '--all' }), options)).rejects.toThrow(
      /has no commit --all/,
    );
    await expect(makeWorkspace(instance({}), options)).rejects.toThrow(/owner\/name is not a local repository/);
    await expect(makeWorkspace(instance({}), { ...options, repos: temporary() })).rejects.toThrow(
      /no mirror of owner\/name/,
    );
  });
});

describe('findRepository', () => {
  it.each(['owner/name', 'owner/name.git', 'owner__name.git', 'owner+name/ab12.git', 'name', 'owner__name-1'])(
    '%s',
    (path) => {
      const repos = temporary();
      execFileSync('git', ['init', '-q', '--bare', join(repos, path)], { stdio: 'ignore' });
      expect(findRepository(instance({}), repos)).toBe(join(repos, path));
    },
  );

  it('takes a path relative to the data set', () => {
    const repository = makeRepository({ 'a.txt': '1\n' });
    expect(findRepository(instance({ repo: '.', origin: repository.folder }), null)).toBe(repository.folder);
  });
});
