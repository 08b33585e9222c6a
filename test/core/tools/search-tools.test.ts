import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { globPattern } from '../../../core/tools/search/glob-pattern.ts';
import { testContext } from './tool-context.ts';

const context = testContext();
const call = async (name: string, input: unknown) => (await context.call(name, input)).output;

beforeAll(() => {
  for (const [path, content] of Object.entries({
    '.gitignore': 'ignored/\n*.log\n',
    'src/a.ts': 'const alpha = 1;\nconst beta = 2;\n',
    'src/deep/b.ts': 'alpha();\n// end\n',
    'src/deep/c.test.ts': 'alpha\n',
    'README.md': 'Alpha (beta\n',
    'ignored/d.ts': 'alpha\n',
    'x.log': 'alpha\n',
    '.github/w.yml': 'alpha: 1\n',
  })) {
    const file = join(context.project, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
  }
});

describe('ls', () => {
  it('lists, marks and sorts', async () => {
    symlinkSync('src', join(context.project, 'link'));
    expect(await call('ls', {})).toBe('.github/\n.gitignore\nREADME.md\nignored/\nlink@\nsrc/\nx.log');
    expect(await call('ls', { path: 'src/deep' })).toBe('b.ts\nc.test.ts');
    expect(await call('ls', { path: 'README.md' })).toContain('not a directory');
    expect(await call('ls', { path: 'scr' })).toContain('Did you mean src');
  });

  it('is bounded', async () => {
    mkdirSync(join(context.project, 'ignored/many'));
    for (let i = 0; i < 510; i++) writeFileSync(join(context.project, `ignored/many/${i}`), '');
    expect(await call('ls', { path: 'ignored/many' })).toContain('(10 more of 510 entries');
  });
});

describe('glob', () => {
  it('finds files by pattern, sorted, without the ignored ones', async () => {
    expect(await call('glob', { pattern: '**/*.ts' })).toBe('src/a.ts\nsrc/deep/b.ts\nsrc/deep/c.test.ts');
    expect(await call('glob', { pattern: '*.ts' })).toBe('src/a.ts\nsrc/deep/b.ts\nsrc/deep/c.test.ts');
    expect(await call('glob', { pattern: 'src/*.ts' })).toBe('src/a.ts');
    expect(await call('glob', { pattern: '*.{md,yml}' })).toBe('.github/w.yml\nREADME.md');
    expect(await call('glob', { pattern: '*.test.ts', path: 'src' })).toBe('src/deep/c.test.ts');
    expect(await call('glob', { pattern: join(context.project, 'src/deep/*.ts') })).toBe(
      'src/deep/b.ts\nsrc/deep/c.test.ts',
    );
    expect(await call('glob', { pattern: '*.log' })).toContain('No file fits');
    expect(await call('glob', { pattern: 'nowhere/*.ts' })).toContain('No file fits');
    expect(await context.call('glob', { pattern: '*', path: 'nowhere' })).toMatchObject({ isError: true });
  });
});

describe('grep', () => {
  it('finds lines, sorted, without ignored files', async () => {
    expect(await call('grep', { pattern: 'alpha' })).toBe(
      '.github/w.yml:1:alpha: 1\nsrc/a.ts:1:const alpha = 1;\nsrc/deep/b.ts:1:alpha();\nsrc/deep/c.test.ts:1:alpha',
    );
    expect(await call('grep', { pattern: '(?i)ALPHA', glob: '*.md' })).toBe('README.md:1:Alpha (beta');
    expect(await call('grep', { pattern: 'alpha', glob: 'src/deep/**' })).toBe(
      'src/deep/b.ts:1:alpha();\nsrc/deep/c.test.ts:1:alpha',
    );
    expect(await call('grep', { pattern: 'alpha', glob: '!*.test.ts', path: 'src' })).toBe(
      'src/a.ts:1:const alpha = 1;\nsrc/deep/b.ts:1:alpha();',
    );
    expect(await call('grep', { pattern: 'const', glob: '*.{ts,tsx}', limit: 1 })).toContain('src/a.ts:1:');
    expect(await call('grep', { pattern: 'alpha', glob: '*.log' })).toBe('No matches.');
    expect(await call('grep', { pattern: 'beta', path: 'src/a.ts' })).toBe('src/a.ts:2:const beta = 2;');
    expect(await call('grep', { pattern: 'const', path: 'src/a.ts', limit: 1 })).toBe(
      'src/a.ts:1:const alpha = 1;\n(the first 1 of at least 2 matches; narrow the search or raise limit)',
    );
  });

  it('shows lines around', async () => {
    expect(await call('grep', { pattern: 'beta', path: 'src', context: 1 })).toBe(
      'src/a.ts-1-const alpha = 1;\nsrc/a.ts:2:const beta = 2;',
    );
  });

  it('says plainly what is not there or not right', async () => {
    expect(await call('grep', { pattern: 'zzz' })).toBe('No matches.');
    expect(await call('grep', { pattern: 'Alpha (' })).toMatch(
      /^\(not a valid regular expression .*searched as plain text\)\nREADME.md:1:/,
    );
    expect(await call('grep', { pattern: 'alpha(?=\\(\\))' })).toBe('src/deep/b.ts:1:alpha();');
    expect(await context.call('grep', { pattern: 'x', path: 'nowhere' })).toMatchObject({ isError: true });
    execFileSync('mkfifo', [join(context.project, 'pipe')]);
    expect(await context.call('grep', { pattern: 'x', path: 'pipe' })).toMatchObject({ isError: true });
    expect(await call('grep', { pattern: '--help' })).toBe('No matches.');
  });

  it('is bounded', async () => {
    writeFileSync(join(context.project, 'many.txt'), `${'hit\n'.repeat(300_000)}${'x'.repeat(100_000)}\n`);
    const output = await call('grep', { pattern: 'hit', path: 'many.txt' });
    expect(output.split('\n').length).toBe(101);
    const wide = await call('grep', { pattern: 'xxx', path: 'many.txt' });
    expect(wide.length).toBeLessThan(600);
  });
});

describe('grep and secrets', () => {
  const files = testContext();
  const grep = async (input: unknown) => (await files.call('grep', input)).output;

  beforeAll(() => {
    mkdirSync(join(files.project, 'deploy', '.ssh'), { recursive: true });
    for (const [name, content] of Object.entries({
      '.env': 'TOKEN=abc-secret\n',
      '.env.example': 'TOKEN=\n',
      'deploy/server.pem': 'TOKEN abc-secret\n',
      'deploy/.ssh/config': 'TOKEN abc-secret\n',
      'app.ts': 'env.TOKEN\n',
    }))
      writeFileSync(join(files.project, name), content);
  });

  it('leaves the files that may hold them out, and says how many, whether or not they would fit', async () => {
    const left =
      '(3 files that may hold secrets were not searched: .env, deploy/.ssh/config, deploy/server.pem; to search one, give it as path)';
    expect(await grep({ pattern: 'TOKEN', context: 2 })).toBe(`.env.example:1:TOKEN=\napp.ts:1:env.TOKEN\n${left}`);
    for (const pattern of ['abc-secret', 'zzz']) expect(await grep({ pattern })).toBe(`No matches.\n${left}`);
    expect(await grep({ pattern: 'TOKEN', glob: '.env' })).toContain('No matches.\n(1 file that may hold');
    expect(await grep({ pattern: 'TOKEN', glob: '*.ts' })).toBe('app.ts:1:env.TOKEN');
    expect(await grep({ pattern: 'abc', glob: '!*.pem' })).toContain('(2 files');
    expect(await grep({ pattern: 'abc', path: 'deploy' })).toContain('(2 files');
  });

  it('searches one that is named itself, of which the permission engine hears', async () => {
    expect(await grep({ pattern: 'TOKEN', path: '.env' })).toBe('.env:1:TOKEN=abc-secret');
    expect(await grep({ pattern: 'TOKEN', path: 'deploy/.ssh' })).toBe('deploy/.ssh/config:1:TOKEN abc-secret');
  });

  it('ls and glob show their names', async () => {
    expect((await files.call('glob', { pattern: '**/*' })).output).toContain('deploy/server.pem');
    expect((await files.call('ls', {})).output).toContain('.env');
  });
});

it('patterns', () => {
  const rows: [string, string, boolean][] = [
    ['*.ts', 'a/b.ts', true],
    ['/*.ts', 'b.ts', true],
    ['a/*.ts', 'a/b/c.ts', false],
    ['a/**/c.ts', 'a/c.ts', true],
    ['a/**/c.ts', 'a/x/y/c.ts', true],
    ['**/x', 'x', true],
    ['a/**', 'a/b/c', true],
    ['a**b', 'axxb', true],
    ['?.c', 'ab.c', false],
    ['[ab].c', 'a.c', true],
    ['[!ab].c', 'a.c', false],
    ['[a-c]x', 'bx', true],
    ['{a,b/c}.ts', 'b/c.ts', true],
    ['a.b', 'axb', false],
    ['[x', '[x', true],
    ['a\\*', 'a*', true],
    ['src/', 'src/a/b', true],
    ['(x)+.ts', '(x)+.ts', true],
  ];
  for (const [pattern, path, fits] of rows) expect(globPattern(pattern)(path), `${pattern} ${path}`).toBe(fits);
});
