/** Paths outside, and protected ones, that git, clients of databases and other tools are given behind a subcommand. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeIn, projectPath } from './judge-projects.ts';

describe('in auto mode it is asked for', () => {
  test.each([
    // Whatever the subcommand of git is, and whether it is known.
    'git merge-file ../out.txt a b',
    'git interpret-trailers --in-place --trailer x=y ../out.txt',
    'git foo ../out.txt',
    'git foo --out=../x',
    'git foo -o../x',
    'git foo -osub/../../x',
    'git mailsplit -o.. x',
    'git fast-import --export-marks=../x',
    'git index-pack ../x',
    'git bugreport -o ..',
    'git diagnose --output-directory=../x',
    'git daemon --base-path=/ --export-all',
    'git archive -o../x HEAD',
    'git bundle create ../x HEAD',
    'git format-patch -o "../my dir" HEAD~1',
    'git commit --file=sub/../../x',
    'git worktree add ../x',
    'git subtree add --prefix=../x y z',
    'git clone ../x y',
    'git clone file:///srv/private y',
    'git clone --reference=../x https://example.com/y',
    'git fetch ../x',
    'git pull /srv/x',
    'git push ../x main',
    'git push file:///srv/x main',
    'git svn clone file:///srv/x',
    // Programs that git is told to run.
    'git shell -c "git-upload-archive x"',
    'git for-each-repo --config=x status',
    'git send-email --smtp-server=./x a.patch',
    "git push 'ext::sh -c id' main",
    'git send-pack --receive-pack=./x .',
    // Other tools, also in front of the subcommand.
    'npm --cache ../x ls',
    'docker --config ../x ps',
    'docker cp c:/x ../y',
    'go tool compile -osub/../../x y.go',
    'cargo frob ../x',
    // Clients of databases obey commands of their own.
    'sqlite3 x.db ".output ../x" "select 1"',
    'sqlite3 x.db ".once ../x"',
    'sqlite3 x.db ".out \'../x\'"',
    'sqlite3 x.db ".backup main ../x"',
    'sqlite3 x.db ".save ../x"',
    'sqlite3 x.db ".open ../x"',
    'sqlite3 x.db ".open file:../x?mode=rwc"',
    'sqlite3 x.db ".log ../x"',
    'sqlite3 x.db ".cd .." ".import out.txt t"',
    'sqlite3 x.db ".load ./x"',
    'sqlite3 x.db ".import ../x t"',
    'sqlite3 x.db ".import \'|id\' t"',
    'sqlite3 x.db ".excel"',
    'sqlite3 x.db ".once -e"',
    'sqlite3 x.db ".archive -c -f ../x a"',
    'sqlite3 -cmd ".output ../x" x.db "select 1"',
    'sqlite3 file:../x "select 1"',
    'echo ".output ../x" | sqlite3 x.db',
    'sqlite3 x.db <<< ".import ../x t"',
    'duckdb x.db ".output ../x"',
    "psql -c '\\o ../x'",
    "psql -c 'select 1 \\g ../x'",
    "psql -c '\\copy (select * from t) to ../x'",
    "psql -c '\\cd ..'",
    "mysql -e 'tee ../x'",
    "mysql -e 'pager sh'",
    `python3 -c 'open("./../new","w").write("x")'`,
    // The hooks of git.
    'git init --template=./t',
    'git init --template ./t',
    'git init --t=./t',
    'git clone --templ=./t https://example.com/x',
    'GIT_TEMPLATE_DIR=./t git init',
    'git -c init.templateDir=./t init',
    'git config core.hooksPath ./x',
    'git config --comment user.name core.hooksPath ./x',
    'git config --type path core.hooksPath ./x',
    'git config edit',
    'git -c core.hooksPath=./x commit -m x',
    'git submodule add https://example.com/x y',
    'git checkout-index --prefix=.git/hooks/ pre-commit',
    'git apply --directory=.git/hooks x.patch',
    'git --work-tree=.git/hooks checkout-index -a',
    'cd .git/hooks && git --git-dir=.. checkout-index -a',
    'git clone --separate-git-dir=.git/x https://example.com/x',
    'git merge-file .git/hooks/pre-commit a b',
    'pre-commit install',
    'python3 -m pre_commit install',
    'npx husky init',
    'lefthook install',
    'git lfs install',
  ])('%s', async (command) => expect((await judgeIn('clean', command, 'auto')).verdict).toBe('ask'));

  test('sqlite3 x.db ".import .env t", which takes in a secret', async () =>
    expect((await judgeIn('env', 'sqlite3 x.db ".import --csv .env t"', 'auto')).verdict).toBe('ask'));
});

describe('everyday forms beside them run in auto mode', () => {
  test.each([
    'git add -A && git commit -m "fix /etc/x and ../y"',
    "git commit -am 'use ~/.config' --author='A <a@example.com>'",
    'git commit --message=/foo',
    'git push -u origin HEAD:refs/heads/x',
    'git push git@example.com:a/b.git main',
    'git fetch https://example.com/x main',
    'git clone --depth=1 --branch=feature/x git@example.com:a/b.git',
    'git clone --depth 1 -b v1.2 https://example.com/x lib/x',
    'git remote add origin git@example.com:a/b.git',
    'git stash push -m "wip: /x"',
    'git rebase --onto main feature/a feature/b',
    'git worktree add wt feature',
    'git init',
    'git init --template= x',
    'git submodule update --init --recursive',
    'git format-patch -o patches HEAD~1',
    'git archive -o out.tar HEAD',
    'git apply fix.patch',
    'git merge-file a.txt b.txt c.txt',
    "git interpret-trailers --trailer 'Signed-off-by: a' a.txt",
    'git bundle create x.bundle HEAD',
    "git lfs track '*.psd'",
    'git config user.name x',
    "sqlite3 x.db '.tables'",
    'sqlite3 -header -column x.db "select * from t limit 3"',
    'sqlite3 x.db ".mode csv" ".headers on" ".output out.csv" "select 1"',
    'sqlite3 x.db ".backup b.db"',
    'sqlite3 x.db ".import data.csv t"',
    "psql -d x -c '\\d+ t'",
    `psql -c "\\copy t to 'out.csv' csv"`,
    "mysql -e 'show tables'",
    'npm --prefix lib run test',
    'kubectl -n prod get pods',
    'docker compose -f docker-compose.yml up -d',
    'pre-commit run --all-files',
    'lefthook run pre-commit',
  ])('%s', async (command) => expect((await judgeIn('clean', command, 'auto')).verdict).toBe('allow'));
});

describe('a folder of the project that git takes for a repository', () => {
  beforeAll(() => {
    const bare = join(projectPath('clean'), 'bare');
    mkdirSync(join(bare, 'objects'), { recursive: true });
    writeFileSync(join(bare, 'HEAD'), 'ref: refs/heads/main\n');
  });

  test('its settings may run programs', async () => {
    expect((await judgeIn('clean', 'cd bare && git status', 'plan')).verdict).toBe('deny');
    expect((await judgeIn('clean', 'cd src && git status', 'plan')).verdict).toBe('allow');
  });
});
