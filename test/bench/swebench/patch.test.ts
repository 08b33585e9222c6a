import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extractPatch } from '../../../bench/swebench/patch.ts';
import { makeWorkspace, type Workspace } from '../../../bench/swebench/workspace.ts';
import { instance, makeRepository, put, type Repository, temporary } from './repository.ts';

const START = {
  'src/a.txt': 'one\ntwo\nthree\n',
  'src/gone.txt': 'gone\n',
  'naïve name.txt': 'x\n',
  'crlf.txt': 'a\r\nb\r\n',
  'run.sh': 'true\n',
  'tests/test_a.txt': 'old test\n',
  'logo.bin': new Uint8Array([0, 1, 2, 3]),
  '.gitignore': 'build/\n',
};

async function setUp(files: Readonly<Record<string, string | Uint8Array>> = START) {
  const repository = makeRepository(files);
  const folder = join(temporary(), 'work');
  const workspace = await makeWorkspace(instance({ repo: repository.folder }), {
    folder,
    repos: null,
    env: repository.env,
  });
  const inside = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      env: repository.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const extract = (testFiles: string[] = []) => extractPatch(workspace, { env: repository.env, testFiles });
  return { repository, workspace, inside, extract };
}

/** Applies the patch to a fresh checkout and gives its folder. */
async function applied(repository: Repository, workspace: Workspace, patch: string): Promise<string> {
  const folder = join(temporary(), 'fresh');
  await makeWorkspace(instance({ repo: repository.folder, base_commit: workspace.base }), {
    folder,
    repos: null,
    env: repository.env,
  });
  execFileSync('git', ['apply', '-'], {
    cwd: folder,
    env: repository.env,
    input: patch,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return folder;
}

describe('extractPatch', () => {
  it('holds what is modified, new, deleted and binary, committed or not, and nothing of our own', async () => {
    const { repository, workspace, inside, extract } = await setUp();
    const { folder } = workspace;
    put(folder, {
      'src/a.txt': 'one\n2\nthree\n',
      'src/new file.txt': 'no newline at the end',
      'crlf.txt': 'a\r\nB\r\n',
      'naïve name.txt': 'y\n',
    });
    inside('add', '-A');
    inside('commit', '-q', '-m', 'half of it');
    rmSync(join(folder, 'src/gone.txt'));
    chmodSync(join(folder, 'run.sh'), 0o755);
    put(folder, {
      'logo.bin': new Uint8Array([0, 9, 9, 9, 255]),
      'build/output.txt': 'ignored\n',
      'node_modules/x/index.js': 'installed\n',
      '__pycache__/a.pyc': 'cache\n',
      '.ada/sessions/s.jsonl': 'ours\n',
      '.ada/.gitignore': '/sessions/\n',
    });
    const { patch, full, stripped, files } = await extract();
    expect([...files].sort()).toEqual([
      'crlf.txt',
      'logo.bin',
      'naïve name.txt',
      'run.sh',
      'src/a.txt',
      'src/gone.txt',
      'src/new file.txt',
    ]);
    expect(stripped).toEqual([]);
    expect(full).toBe(patch);
    expect(patch).toContain('naïve name.txt');

    const fresh = await applied(repository, workspace, patch);
    for (const path of ['src/a.txt', 'src/new file.txt', 'crlf.txt', 'naïve name.txt', 'logo.bin']) {
      expect(readFileSync(join(fresh, path))).toEqual(readFileSync(join(folder, path)));
    }
    expect(existsSync(join(fresh, 'src/gone.txt'))).toBe(false);
    expect(patch).toContain('old mode 100644\nnew mode 100755');
  });

  it('is not spoilt by configuration, and touches neither index nor head', async () => {
    const { workspace, inside, extract } = await setUp();
    put(workspace.folder, { 'src/a.txt': 'one\n2\nthree\n', 'crlf.txt': 'a\r\nB\r\n', 'src/new.txt': 'new\n' });
    const clean = await extract();
    put(workspace.folder, { order: 'src/new.txt\n', ignore: '*.txt\n', driver: '*.txt diff=loud\n' });
    for (const [key, value] of [
      ['diff.external', 'false'],
      ['diff.loud.command', 'false'],
      ['diff.loud.textconv', 'false'],
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['diff.context', '0'],
      ['diff.orderFile', 'order'],
      ['diff.renames', 'copies'],
      ['color.ui', 'always'],
      ['core.autocrlf', 'true'],
      ['core.fileMode', 'false'],
      ['core.quotepath', 'on'],
      ['core.excludesFile', join(workspace.folder, 'ignore')],
      ['core.attributesFile', join(workspace.folder, 'driver')],
    ] as const) {
      inside('config', key, value);
    }
    inside('update-index', '--assume-unchanged', 'src/a.txt');
    for (const name of ['order', 'ignore', 'driver']) rmSync(join(workspace.folder, name));
    const index = readFileSync(join(workspace.folder, '.git/index'));
    const head = inside('rev-parse', 'HEAD');
    expect((await extract()).patch).toBe(clean.patch);
    expect(readFileSync(join(workspace.folder, '.git/index'))).toEqual(index);
    expect(inside('rev-parse', 'HEAD')).toBe(head);
  });

  it('leaves out tests that the scoring replaces and scratch files, and keeps them apart', async () => {
    const { repository, workspace, extract } = await setUp();
    put(workspace.folder, {
      'src/a.txt': 'one\n2\nthree\n',
      'tests/test_a.txt': 'new test\n',
      'tests/test_b.txt': 'mine\n',
      'repro.py': 'print(1)\n',
      'src/repro.py': 'kept\n',
    });
    const { patch, full, stripped, files } = await extract(['tests/test_a.txt']);
    expect([...stripped].sort()).toEqual(['repro.py', 'tests/test_a.txt']);
    expect([...files].sort()).toEqual(['src/a.txt', 'src/repro.py', 'tests/test_b.txt']);
    expect(patch).not.toContain('test_a');
    const fresh = await applied(repository, workspace, full);
    expect(readFileSync(join(fresh, 'repro.py'), 'utf8')).toBe('print(1)\n');
    expect(readFileSync(join(fresh, 'tests/test_a.txt'), 'utf8')).toBe('new test\n');
  });

  it('is empty when nothing changed', async () => {
    const { extract } = await setUp();
    expect(await extract()).toEqual({ patch: '', full: '', stripped: [], files: [] });
  });

  it('carries text that is not UTF-8 without loss', async () => {
    const latin = (text: string) => Buffer.from(text, 'latin1');
    const { repository, workspace, extract } = await setUp({
      'latin[1].txt': latin('caf\u00e9\nzwei\n'),
      'b.txt': 'b\n',
    });
    put(workspace.folder, { 'latin[1].txt': latin('caf\u00e9\ndrei\n'), 'b.txt': 'c\n' });
    const { patch } = await extract();
    const fresh = await applied(repository, workspace, JSON.parse(JSON.stringify(patch)));
    expect(readFileSync(join(fresh, 'latin[1].txt'))).toEqual(latin('caf\u00e9\ndrei\n'));
    expect(patch).toContain('-b\n+c\n');
  });

  it('goes on when there is a repository inside', async () => {
    const { workspace, extract } = await setUp();
    for (const name of ['empty', 'full']) {
      mkdirSync(join(workspace.folder, name));
      execFileSync('git', ['init', '-q'], { cwd: join(workspace.folder, name) });
    }
    put(workspace.folder, { 'full/x.txt': 'x\n', 'src/a.txt': 'changed\n', 'zz.txt': 'new\n' });
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'x'], {
      cwd: join(workspace.folder, 'full'),
    });
    expect([...(await extract()).files].sort()).toEqual(['src/a.txt', 'zz.txt']);
  });

  it('fails when the work tree lost its repository, rather than take one around it', async () => {
    const { workspace, extract } = await setUp();
    rmSync(join(workspace.folder, '.git'), { recursive: true });
    await expect(extract()).rejects.toThrow(/not a git repository/);
  });
});
