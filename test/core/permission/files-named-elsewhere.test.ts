/** Files that a program is not given as its arguments: named in its own program, in a list, in a response file, in settings. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeIn, projectPath } from './judge-projects.ts';

describe('what they read cannot be told, or lies outside: asked in every mode', () => {
  test.each([
    // awk goes through a list that its program may change.
    `awk 'BEGIN{ARGV[1]="../out.txt";ARGC=2}{print}'`,
    `awk 'BEGIN{split("../out.txt", ARGV); ARGC=2} 1'`,
    `awk 'BEGIN{sub(/.*/,"../out.txt",ARGV[1])}1' README.md`,
    `awk 'BEGIN{"a"==ARGV[1]="../out.txt"}1'`,
    `gawk 'BEGIN{SYMTAB["AR" "GV"][1]="../out.txt"}1'`,
    `awk 'BEGIN{while((getline l < "../out.txt")>0) print l}'`,
    'awk -o../out.txt 1 README.md',
    'awk --profile=../out.txt 1 README.md',
    `awk -d 'BEGIN{system("id")}'`,
    `awk -f /dev/stdin README.md <<< 'BEGIN{ARGV[1]="../out.txt"}1'`,
    // Lists and response files.
    'strings @list',
    'nm @list',
    'size "@list"',
    'readelf -a @list',
    'objdump -s @list',
    'ar p @list',
    'sort --files0-from=list',
    'sort --files0-from list',
    'sort --files0=list',
    'cat list | sort --files0-from=-',
    "printf '../out.txt\\0' | wc --files0-from=-",
    'find .. -type f -print0 | wc --files0-from=-',
    'wc --files0-from=list',
    'du --files0-from=list',
    'file -f list',
    'file -flist',
    'file -if list',
    'file --files-from=list',
    'cloc --list-file=list',
    'zip -@ x.zip < list',
    'cpio -o < list',
    '7z a x.7z @list',
    'xargs -a list cat',
    'cat $(<list)',
    // jq takes in modules and data.
    `jq -n 'import "../out" as $d; $d'`,
    `jq -n 'import"../out"as $d;$d'`,
    `jq -n '# c\nimport "../out" as $d; $d'`,
    `jq -n 'include "../out" {search:"./"}; .'`,
    `jq -n '"../out" | modulemeta'`,
    `jq -n --args 'import "../out" as $d; $d'`,
    `jq -n '$x' --rawfile x ../out.txt`,
    `jq --slurpfile x ../out.txt -n '$x'`,
    'jq -L.. -n 1',
    `jq -n -f /dev/stdin <<< 'import "../out" as $d; $d'`,
    `echo 'import "../out" as $d; $d' > p.jq && jq -nf p.jq`,
    // Pages that are files.
    'man -l ../out.txt',
    'man ./../out.txt',
    'man --local-file=../out.txt',
    "man --pag='sh -c id' ls",
    'who ../out.txt',
    // Any file can be read as settings of git.
    'git config -f ~/.pypirc -l',
    'git config --file ~/.netrc --list',
    'git config --file=../out.txt -l',
    'git config --fi=../out.txt -l',
    'git config -f../out.txt -l',
    'git config -l -f ../out.txt',
    'git config get --file ../out.txt a.b',
    'git config -f ../out.txt user.name',
    'git archive --add-file=../out.txt HEAD',
    'git archive --add-file ../out.txt HEAD',
    'git grep -f ../out.txt',
    'git grep -f../out.txt',
    'git ls-files -o -X../out.txt',
    // Scripts of sed, with shortened options.
    `sed --exp 'r ../out.txt' README.md`,
    `sed -f /dev/stdin README.md <<< 'r ../out.txt'`,
  ])('%s', async (command) => {
    for (const mode of ['plan', 'ask', 'auto'] as const)
      expect((await judgeIn('clean', command, mode)).verdict).not.toBe('allow');
  });

  test.each([
    'git config -f .env -l',
    'git config --blob HEAD:.env -l',
    'find . -type f -print0 | sort -z --files0-from=-',
  ])('%s, which meets a secret', async (command) =>
    expect((await judgeIn('env', command, 'auto')).verdict).toBe('ask'),
  );

  test.each([
    'jq -f p.jq package.json',
    'jq -nf p.jq',
    'man ./README.md',
    'man -M ./man x',
    'sed --fi=x.sed README.md',
  ])('%s runs a program of the project: no plain read', async (command) => {
    expect((await judgeIn('clean', command, 'plan')).verdict).toBe('deny');
    expect((await judgeIn('clean', command, 'auto')).verdict).toBe('allow');
  });
});

describe('everyday forms beside them are plain reads', () => {
  test.each([
    "awk '{print $1}' README.md",
    "awk 'FILENAME==ARGV[1]{a[$1]=1;next} $1 in a' README.md body.md",
    "awk 'BEGIN{for(i=1;i<ARGC;i++)n++; print n}' README.md",
    'strings README.md',
    'nm -C src/a.o',
    'sort -u README.md',
    "find src -name '*.js' -print0 | wc -l --files0-from=-",
    "find src -name '*.js' -print0 | sort -z --files0-from=-",
    'file src/a.js README.md',
    'jq . package.json',
    "jq --arg v 1.2 '.version=$v' package.json",
    `jq '.include, ."import", {include: 1}' package.json`,
    "jq -r '.compilerOptions.include' package.json",
    "jq -n '$ARGS.positional' --args /a/b c",
    `jq -e '.a|has("include")' package.json`,
    "jq --slurpfile a package.json '$a' package.json",
    'jq -n --arg import a 1',
    'man ls',
    'man 3 printf',
    'man -k printf',
    'man -P cat ls',
    'git config -l',
    'git config user.name',
    'git config --get remote.origin.url',
    'git config --type=bool --get core.bare',
    'git archive HEAD | tar t',
    'git log --format=/%H',
    'git log --grep=/api/users --since=../x',
    'git log -S/api/ -n 3',
    'git log ..origin/main',
    "git grep -n '/etc/passwd' -- src",
    'git grep -e /api/v1',
    'git diff --word-diff-regex=/',
  ])('%s', async (command) => expect((await judgeIn('clean', command, 'plan')).verdict).toBe('allow'));
});

describe('subcommands of which only some forms read', () => {
  test.each([
    'poetry version 1.2.3',
    'poetry version patch',
    'poetry env remove --all',
    'uv version --bump minor',
    'uv tree',
    'git bisect view reset --hard',
    'composer validate',
  ])('%s is refused in plan mode', async (command) =>
    expect((await judgeIn('clean', command, 'plan')).verdict).toBe('deny'),
  );

  test.each([
    'poetry version',
    'poetry env info',
    'poetry show',
    'uv version',
    'git bisect view --stat',
    'git bisect log',
  ])('%s is not', async (command) => expect((await judgeIn('clean', command, 'plan')).verdict).toBe('allow'));
});

describe('modules of Python that only read', () => {
  beforeAll(() => {
    const own = join(projectPath('clean'), 'own');
    mkdirSync(join(own, 'package', 'json'), { recursive: true });
    mkdirSync(join(own, 'folder', 'json'), { recursive: true });
    mkdirSync(join(own, 'file'));
    writeFileSync(join(own, 'package', 'json', '__init__.py'), '');
    writeFileSync(join(own, 'file', 'argparse.py'), '');
  });

  test.each([
    'cd own/package && cat ../../package.json | python3 -m json.tool',
    'cd own/file && python3 -m json.tool x.json',
    'cd own/file && python3 -Es -m this',
    'pushd own/file && python3 -m pip list',
    '(cd own/package && python3 -X utf8 -m platform)',
    "echo 'import os' | python3 -i -m this",
    'python3 -m sysconfig --generate-posix-vars',
  ])('%s may run code of the project', async (command) =>
    expect((await judgeIn('clean', command, 'plan')).verdict).toBe('deny'),
  );

  test.each([
    'cat package.json | python3 -m json.tool',
    'python3 -m json.tool package.json',
    'cd own/folder && python3 -m json.tool x.json',
    'cd own/package && python3 -I -m json.tool x.json',
    'cd own/file && python3 -Pm json.tool x.json',
    'python3 -m calendar 2024',
    'python3 -W ignore -m platform',
  ])('%s does not', async (command) => expect((await judgeIn('clean', command, 'plan')).verdict).toBe('allow'));

  test('code for an interpreter that goes on with its input is judged', async () => {
    const judged = await judgeIn('clean', `echo 'import os;os.system("id")' | python3 -im this`, 'auto');
    expect(judged).toMatchObject({ verdict: 'ask', class: 'hidden' });
  });
});
