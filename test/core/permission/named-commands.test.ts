/** Commands that print secrets, destroy by a subcommand, run code that they are given, or surely change nothing. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';

let project: string;
beforeAll(() => {
  project = join(realpathSync(mkdtempSync(join(tmpdir(), 'ada-named-'))), 'project');
  mkdirSync(join(project, 'web'), { recursive: true });
  mkdirSync(join(project, 'fixing'));
  writeFileSync(join(project, 'fixing/ruff.toml'), 'fix = true\n');
  const files = {
    'incremental/tsconfig.json': '{ "compilerOptions": { "incremental": true } }',
    'extending/tsconfig.json': '{ "extends": "../incremental/tsconfig" }',
    'unlocked/Cargo.toml': '[package]\n',
    'locked/Cargo.toml': '[package]\n',
    'locked/Cargo.lock': 'version = 3\n',
    'wrapped/Cargo.lock': 'version = 3\n',
    'wrapped/.cargo/config.toml': '[build]\nrustc-wrapper = "./x"\n',
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  }
  writeFileSync(join(project, 'fixing/mypy.ini'), '[mypy]\nplugins = ./plugin.py\n');
});
const judge = (command: string, mode: 'ask' | 'plan' | 'auto' = 'auto') =>
  judgeCommand(command, { cwd: project, project, home: '/home/x', mode });

describe('secrets of the environment and of credential stores ask', () => {
  test.each([
    'env',
    'env -0',
    'env A=1',
    'env -u A | grep K',
    '/usr/bin/env',
    'command env',
    'busybox env',
    'printenv',
    'printenv OPENAI_API_KEY',
    'printenv PATH GITHUB_TOKEN',
    'export',
    'export -p',
    'declare -p',
    'declare -x',
    'declare -p DB_PASSWORD',
    'typeset',
    'readonly -p',
    'set',
    'set | grep K',
    'jq -n env',
    "jq -n '$ENV'",
    "jq -n 'env.API_KEY'",
    "awk 'BEGIN { for (k in ENVIRON) print k, ENVIRON[k] }'",
    'awk \'BEGIN { print ENVIRON["API_KEY"] }\'',
    'ps auxe',
    'ps e',
    'ps eww -p 1',
    'cat /proc/*/environ',
    'echo $OPENAI_API_KEY',
    'printf %s "$GITHUB_TOKEN"',
    'cat <<< "$DB_PASSWORD"',
    'python3 -c "import os; print(os.environ)"',
    'node -p process.env',
    'gh auth token',
    'gh auth status --show-token',
    'gh -R o/r auth token',
    'git credential fill',
    'git credential-store get',
    'git-credential-manager get',
    'docker-credential-desktop list',
    'aws configure get aws_secret_access_key',
    'aws --profile p sts get-session-token',
    'gcloud auth print-access-token',
    'az account get-access-token',
    'kubectl get secret x -o yaml',
    'kubectl config view --raw',
    'npm config get //registry/:_authToken',
    'op read op://vault/item/field',
    'pass show x',
    'security find-generic-password -w -s x',
    'vault kv get secret/x',
    'heroku config',
    'sops -d secrets.enc',
  ])('%s', async (command) => {
    expect(await judge(command)).toMatchObject({ class: 'outside', verdict: 'ask', destructive: false });
    expect((await judge(command, 'plan')).verdict).toBe('deny');
  });

  test.each([
    'printenv PATH',
    'printenv HOME LANG',
    'env FOO=1 ls',
    'env -i',
    'export FOO=1; ls',
    'declare -p FOO',
    'set -euo pipefail; ls',
    'set -- a b',
    'jq .env package.json',
    "jq -n 'env.PATH'",
    'jq \'{env: .a, b: "env"}\' package.json',
    'awk \'BEGIN { print ENVIRON["HOME"] }\'',
    'ps aux',
    'ps -ef',
    'ps -eo pid,args',
    'ps -C node',
    'echo $' + '{OPENAI_API_KEY:+set}',
    'echo $HOME $TOKENIZERS_PARALLELISM',
    'KEY=a; echo $KEY',
    'test -n "$GITHUB_TOKEN"',
    'git config --get user.name',
  ])('%s stays a read', async (command) => {
    const { class: found } = await judge(command);
    expect(found === 'read' || command === 'set -- a b').toBe(true);
  });

  test.each([
    'gh auth status',
    'aws configure list',
    'kubectl get secrets',
    'npm config get registry',
    'gh issue list',
  ])('%s prints none', async (command) => expect((await judge(command)).verdict).toBe('allow'));
});

describe('what destroys by a subcommand, or through a runner', () => {
  test.each([
    'git read-tree --reset -u HEAD',
    'git checkout-index -f -a',
    'git submodule update --force',
    'npm exec -- rm -rf build',
    'npm exec rimraf build',
    'npm x -y rimraf build',
    'npm exec -c "rm -rf build"',
    'npm --prefix web exec rimraf build',
    'pnpm dlx rimraf build',
    'pnpm exec rm -rf build',
    'yarn dlx rimraf build',
    'bunx rimraf build',
    'bun x rimraf build',
    'npm explore x -- rm -rf .',
    'npx prisma migrate reset',
    'prisma db push --force-reset',
    'make SHELL="rm -rf build" x',
    'make CC="rm -rf build"',
    'make -f - <<< "a: ; rm -rf build"',
    'socat - exec:"rm -rf build"',
    'sqlite3 x ".system rm -rf build"',
    "psql db <<< 'DROP TABLE x'",
    "mysql -u root db <<< 'DROP TABLE x'",
    "tclsh <<< 'file delete -force build'",
    'python3 -m timeit -s "import shutil" "shutil.rmtree(1)"',
    'dropdb x',
    'pg_restore --clean -d x f',
    'pg_restore -c f',
    'podman system reset',
    'podman system prune',
    'supabase db reset',
    'php artisan migrate:fresh --seed',
    'php artisan migrate:reset',
    'rails db:reset',
    'dotnet ef database drop',
    'alembic downgrade -1',
    'heroku apps:destroy x',
    'heroku pg:reset',
    'fly apps destroy x',
    'vercel rm x',
    'terraform apply',
    'terraform apply -var a=b',
    'terragrunt run-all apply',
    'select x in a; do rm -rf $x; done',
  ])('%s', async (command) => {
    expect(await judge(command)).toMatchObject({ class: 'destructive', destructive: true, verdict: 'ask' });
  });

  test.each([
    ['npm exec tsc', 'network'],
    ['terraform apply x.tfplan', 'network'],
    ['php artisan migrate', 'unknown'],
    ['alembic upgrade head', 'unknown'],
    ['pg_restore -Fc -d x f', 'unknown'],
    ['npx prisma migrate dev', 'network'],
    ['vercel deploy', 'network'],
    ['make CC=gcc', 'write'],
    ['make CFLAGS="-O2 -g"', 'write'],
    ['npm --prefix web install', 'network'],
    ['kill %1', 'write'],
    ['kill -0 12345', 'read'],
    ['sleep 9 & kill $!', 'unknown'],
    ['select x in a; do rm $x; done', 'write'],
    // What asks, and need not destroy.
    ['npm --prefix / install', 'outside'],
    ['npm --prefix=/ install', 'outside'],
    ['pnpm -C /etc install', 'outside'],
    ['terraform -chdir=/etc plan', 'outside'],
    ['kill 12345', 'outside'],
    ['kill -9 12345', 'outside'],
    ['kill -s TERM 12345', 'outside'],
    ['make SHELL=./x', 'hidden'],
    ['make -f -', 'hidden'],
    ['make -f /dev/stdin', 'hidden'],
    ["make X='$(shell touch y)'", 'hidden'],
    ['socat - system:ls', 'hidden'],
    ['sqlite3 x ".shell ls"', 'hidden'],
    ["sqlite3 x <<< '.system ls'", 'hidden'],
    ["tclsh <<< 'exec ls'", 'hidden'],
    ['node --import data:text/javascript,1 x.js', 'hidden'],
    ['python3 -m timeit "__import__(1)"', 'hidden'],
    ['npm exec --script-shell=x y', 'hidden'],
  ])('%s is %s', async (command, expected) => {
    expect(await judge(command)).toMatchObject({ class: expected, destructive: false });
  });
});

describe('checks that run no code of the project', () => {
  test.each([
    'tsc --noEmit',
    'tsc -p web --noEmit --pretty false',
    'ruff check --no-cache',
    'ruff check web -n --select E --output-format json',
    'ruff format --check --no-cache .',
    'black --check .',
    'mypy --cache-dir=/dev/null web',
    'prettier --check --no-config web',
    'node --check x.js',
    'node -c x.js',
    'shellcheck -s bash x.sh',
    'zcat x.gz | head',
    'cd locked && cargo tree',
    'cd locked && cargo metadata --format-version 1',
    'nohup ls > /dev/null',
    'go vet ./...',
    'gofmt -l .',
  ])('%s is a read', async (command) => {
    expect(await judge(command, 'plan')).toMatchObject({ class: 'read', readOnly: true, verdict: 'allow' });
  });

  test.each([
    'tsc',
    'tsc --noEmit false',
    'tsc --noEmit --generateTrace x',
    'tsc --noEmit -w',
    'ruff check',
    'ruff format --check .',
    'mypy web',
    'mypy --no-incremental web',
    'cd incremental && tsc --noEmit',
    'tsc --noEmit -p incremental',
    'cd extending && tsc --noEmit',
    'cd unlocked && cargo tree',
    'cd unlocked && cargo metadata',
    'cd wrapped && cargo tree',
    'nohup ls',
    'ruff check --fix',
    'ruff check --fix-only',
    'ruff check --add-noqa',
    'ruff check --config "fix=true"',
    'ruff check -o x',
    'ruff format',
    'cd fixing && ruff check',
    'cd fixing && mypy .',
    'mypy --install-types web',
    'mypy --junit-xml x web',
    'prettier --check web',
    'prettier --write web',
    'eslint web',
    'eslint --fix web',
    'node x.js',
    'node --check -r ./x.js y.js',
    'node --check --import ./x.mjs y.js',
    'cargo check',
    'go vet -vettool=./x ./...',
    'go vet -fix ./...',
    'gofmt -w .',
    'black .',
    'shellcheck -x x.sh',
    'git --paginate log',
  ])('%s is none', async (command) => {
    const judged = await judge(command, 'plan');
    expect(judged.class).not.toBe('read');
    expect(judged.verdict).toBe('deny');
  });

  test('outside the project and on secrets they ask', async () => {
    expect((await judge('node --check /etc/x.js')).class).toBe('outside');
    expect((await judge('zcat ../x.gz')).class).toBe('outside');
    expect((await judge('shellcheck .env')).class).toBe('outside');
  });
});
