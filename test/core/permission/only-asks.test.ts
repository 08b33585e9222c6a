/** Everyday commands that only look, and their neighbours that do more. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';
import { makeSmallProject } from './small-project.ts';

const { project, home } = makeSmallProject();
beforeAll(() => writeFileSync(join(project, 'x.db'), ''));
const judge = (command: string) => judgeCommand(command, { cwd: project, project, home, mode: 'plan' });

describe('reads', () => {
  test.each([
    'git apply --check x.patch',
    'git apply --stat --summary x.patch',
    'git apply --numstat < x.patch',
    'npm run',
    'npm run --json',
    'pnpm run',
    'yarn run',
    'npm pkg get version',
    'bash -n f.sh',
    'sh -n f.sh',
    'zsh -nv f.sh',
    'php -l f.php',
    'node --check f.js',
    'luac -p f.lua',
    'cargo fmt --check',
    'cargo fmt --all -- --check',
    'shfmt -d f.sh',
    'hadolint Dockerfile',
    'yamllint .',
    'clang-format --dry-run -Werror a.c',
    'xmllint --noout a.xml',
    'flake8',
    'flake8 --max-line-length 100 src',
    'objdump -d a.o',
    'lsblk',
    'netstat -an',
    'pkg-config --libs zlib',
    'yarn -v',
    'mvn -v',
    'rustc -vV',
    'dotnet --info',
    'R --version',
    'ghc --version',
    "sqlite3 -readonly x.db 'select 1'",
    'sqlite3 x.db "select * from t where a = \'drop\'"',
    'sqlite3 -header -json x.db .tables',
    "sqlite3 x.db '.schema t' 'select count(*) from t;'",
    "sqlite3 x.db 'pragma table_info(t)'",
  ])('%s', async (command) => expect(await judge(command)).toMatchObject({ class: 'read', verdict: 'allow' }));
});

describe('does more', () => {
  test.each([
    'git apply x.patch',
    'git apply --check --apply x.patch',
    'git apply --stat --build-fake-ancestor=x x.patch',
    'git apply --check /etc/x',
    'npm run build',
    'npm run -- build',
    'npm run -F build',
    'npm run --foo build',
    'echo build | yarn run',
    'bundle list',
    'bash f.sh',
    'bash f.sh -n',
    'bash -n +n f.sh',
    'bash -ni f.sh',
    'bash -nc "rm -rf src"',
    'bash -n .env',
    'perl -c f.pl',
    'php -l -d auto_prepend_file=x f.php',
    'node --check --require ./x f.js',
    'luac f.lua',
    'cargo fmt',
    'cargo fmt --check -- --config-path ../x',
    'shfmt -w f.sh',
    'clang-format -i a.c',
    'xmllint --noout --output x a.xml',
    'flake8 --output-file=x',
    'objdump -S a.o',
    'make -n',
    'R -e 1',
    'ghc -e 1',
    "sqlite3 none.db 'select 1'",
    "sqlite3 x.db 'select writefile(1, 2)'",
    'sqlite3 x.db \'select "writefile"(1, 2)\'',
    "sqlite3 x.db 'select * from fsdir(1)'",
    "sqlite3 x.db 'select edit(1)'",
    "sqlite3 x.db 'with a as (select 1) insert into t select * from a'",
    "sqlite3 x.db 'pragma journal_mode = wal'",
    "sqlite3 x.db 'attach 1 as y'",
    "sqlite3 x.db 'select 1; drop table t'",
    "sqlite3 x.db '.output x' 'select 1'",
    "sqlite3 x.db '.shell ls'",
    "sqlite3 -cmd '.shell ls' x.db 'select 1'",
    "sqlite3 /srv/x.db 'select 1'",
    'sqlite3 x.db < f.sql',
  ])('%s', async (command) => expect(await judge(command)).toMatchObject({ verdict: 'deny' }));
});
