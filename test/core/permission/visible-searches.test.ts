/** Searches that leave out what is hidden and ignored, and the ways by which they reach secrets all the same. */
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';
import { testContext } from '../tools/tool-context.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function project(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ada-visible-')));
  made.push(folder);
  for (const [name, text] of Object.entries({
    'src/a.ts': 'x\n',
    'conf.json': '{}\n',
    '.git/HEAD': 'ref: x\n',
    ...files,
  })) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
const judge = async (folder: string, command: string) =>
  (await judgeCommand(command, { cwd: folder, project: folder, home: '/nonexistent', mode: 'plan' })).verdict;

const hidden = project({ '.env': 'KEY=v\n', '.gitignore': 'prod.env\n', 'prod.env': 'K=v\n' });
const open = project({ 'credentials.json': '{}\n', 'infra/main.tfvars': 'a="b"\n' });
const ignored = project({ 'credentials.json': '{}\n', '.gitignore': '/credentials.json\n' });

describe('a search that leaves out what is hidden and ignored', () => {
  it.each([
    'rg TODO',
    'rg TODO .',
    'rg -n --sort=path TODO src',
    "rg -g '*.ts' TODO",
    "rg --glob='*.{ts,js}' TODO",
    "rg -g '!node_modules' TODO",
    'rg -t ts TODO',
    'rg --files',
    'rg --files --hidden -0 | head -3',
    'rg -l TODO',
    'ag TODO',
    'rg -uu -l TODO',
    'grep -rl TODO .',
    'grep -rc TODO .',
    'ugrep -l TODO',
    'ack -l TODO',
    'rgrep TODO src',
    'ugrep TODO src',
    'ack TODO src',
    'fd -x wc -l',
    'fd -e ts -x cat',
    'fd TODO',
    'rg --files | xargs wc -l',
    'rg -l TODO | xargs head',
  ])('is a read where secrets are hidden or ignored: %s', async (command) => {
    expect(await judge(hidden, command)).toBe('allow');
  });

  it.each([
    "rg -g '.env' KEY",
    "rg -g'.e*' KEY",
    "rg --glob '*.env' KEY",
    "rg --iglob='.ENV' KEY",
    "rg --type-add 'x:.env' -tx KEY",
    'rg --hidden KEY',
    'rg -uu KEY',
    'rg --no-ignore KEY',
    'rg KEY .env',
    "ag -G '.env' KEY",
    'rg -ng .env KEY',
    'rg -ng.env KEY',
    'rg -tall --no-ignore KEY',
    'rg -tsh KEY',
    'rg -l --json KEY -g .env',
    'rg --files -g .env | xargs cat',
    'rg -l KEY -g .env | xargs cat',
    'grep -rl KEY . | xargs cat',
    'grep -d recurse KEY .',
    'grep --directories=rec KEY .',
    'grep --recurs KEY .',
    "grep -r -x '.env*' .",
    'rgrep KEY',
    'rga --hidden KEY',
    'ugrep KEY',
    'ug KEY',
    'ack KEY',
    'ack -l --output=$_ KEY',
    'ugrep -c --format=%O KEY',
    'diff --recurs . src',
    'fd -H -x cat',
    'fd -H .env -X cat {}',
    'fd -I -x cat',
    'rg --no-ignore --files | xargs cat',
    'fd -e ts -x cat {.}',
    'fd -e ts -x rm',
  ])('is none where its options bring them back: %s', async (command) => {
    expect(await judge(hidden, command)).not.toBe('allow');
  });

  it.each(['rg PRIVATE', 'rg PRIVATE .', 'rg PRIVATE infra', "rg -g '*.json' PRIVATE", 'ag PRIVATE'])(
    'is none where secrets lie open: %s',
    async (command) => {
      expect(await judge(open, command)).not.toBe('allow');
    },
  );

  it.each([
    'rg TODO src',
    'rg -t ts TODO',
    'rg -tpy -tmd TODO',
    "rg -g '*.ts' TODO",
    'rg -c TODO',
    'rg --files',
    "rg -g '!credentials.json' -g '!*.tfvars' TODO",
  ])('is a read beside them: %s', async (command) => {
    expect(await judge(open, command)).toBe('allow');
  });

  it.each(['rg -t json X', 'rg -tjson X', 'rg -t tf X', 'rg -tts -ttf X', "rg --type-add 'x:*.json' -tx X"])(
    'is none where a type of files names them: %s',
    async (command) => {
      expect(await judge(open, command)).not.toBe('allow');
    },
  );

  it('knows the lists that take hidden files back', async () => {
    const back = project({ '.env': 'KEY=v\n', '.ignore': '!.env\n' });
    const sample = project({ '.env': 'KEY=v\n', '.gitignore': '.env*\n!.env.example\n' });
    for (const command of ['rg KEY', 'rg --files | xargs cat', 'fd -x cat']) {
      expect(await judge(back, command)).not.toBe('allow');
      expect(await judge(sample, command)).toBe('allow');
    }
  });

  it('knows what git ignores', async () => {
    expect(await judge(ignored, 'rg TODO')).toBe('allow');
    expect(await judge(ignored, 'rg --no-ignore-vcs TODO')).not.toBe('allow');
  });
});

describe('a further name of a secret', () => {
  const folder = project({ '.env': 'KEY=v\n' });
  linkSync(join(folder, '.env'), join(folder, 'hard.txt'));
  linkSync(join(folder, 'src/a.ts'), join(folder, 'src/b.ts'));

  it.each([
    'cat hard.txt',
    'grep KEY hard.txt',
    'grep -r KEY .',
    'rg KEY',
    'head -1 < hard.txt',
    'cp hard.txt copy',
    'sort hard.txt',
  ])('is a secret: %s', async (command) => {
    expect(await judge(folder, command)).not.toBe('allow');
  });

  it.each(['cat src/b.ts', 'wc -l hard.txt', 'ls -l hard.txt', 'grep x src/b.ts'])(
    'and no other file is: %s',
    async (command) => {
      expect(await judge(folder, command)).toBe('allow');
    },
  );

  it('is one too where the secret lies deep, and in an added directory; what does not reach it is a read', async () => {
    const deep = project({ 'a/b/c/.env': 'KEY=v\n' });
    linkSync(join(deep, 'a/b/c/.env'), join(deep, 'src/h.ts'));
    for (const command of ['cat src/h.ts', 'grep -r KEY src', 'rg KEY', "find . -name '*.ts' -exec cat {} +"])
      expect(await judge(deep, command)).not.toBe('allow');
    for (const command of ['cat src/a.ts', 'rg KEY conf.json', "rg -g '*.json' KEY", "grep -r KEY --include='*.md' ."])
      expect(await judge(deep, command)).toBe('allow');
    const added = project({});
    linkSync(join(deep, 'a/b/c/.env'), join(added, 'h.txt'));
    const options = { cwd: added, project: added, directories: [deep], home: '/nonexistent', mode: 'plan' } as const;
    expect((await judgeCommand('cat h.txt', options)).verdict).not.toBe('allow');
  });

  it('is none of the project where the other name lies elsewhere', async () => {
    const other = project({ '.env': 'KEY=v\n' });
    linkSync(join(other, '.env'), join(project({}), 'elsewhere.txt'));
    expect(await judge(other, 'grep -r KEY src')).toBe('allow');
    expect(await judge(other, 'rg KEY')).toBe('allow');
    expect(await judge(other, 'grep -r KEY .')).not.toBe('allow');
  });

  it('is seen as soon as it is there', async () => {
    const fresh = project({ 'conf/deep/.env': 'KEY=v\n', 'src/late.ts': 'x\n' });
    expect(await judge(fresh, 'rg KEY')).toBe('allow');
    linkSync(join(fresh, 'conf/deep/.env'), join(fresh, 'src/link.ts'));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await judge(fresh, 'cat src/link.ts')).not.toBe('allow');
    linkSync(join(fresh, 'src/late.ts'), join(fresh, 'late.txt'));
    expect(await judge(fresh, 'cat late.txt')).toBe('allow');
  });

  it('is left out by the grep tool', async () => {
    const context = testContext();
    writeFileSync(join(context.project, '.env'), 'KEY=value\n');
    writeFileSync(join(context.project, 'a.txt'), 'KEY of music\n');
    linkSync(join(context.project, '.env'), join(context.project, 'hard.txt'));
    const { output } = await context.call('grep', { pattern: 'KEY' });
    expect(output).toContain('a.txt');
    expect(output).not.toMatch(/hard\.txt:\d|value/);
    expect(output).toContain('2 files that may hold secrets were not searched: .env, hard.txt');
  });
});
