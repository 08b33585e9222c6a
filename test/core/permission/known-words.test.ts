/** Words that a command computes: those of a known form need no question, and their neighbours do. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeIn, projectPath } from './judge-projects.ts';

beforeAll(() => {
  writeFileSync(join(projectPath('clean'), 'VERSION'), '1.2.3\n');
  writeFileSync(join(projectPath('clean'), 'list'), '.env\n');
  writeFileSync(join(projectPath('clean'), 'package.json'), '{"name":"x","version":"1.2.3"}');
});

describe('in auto mode', () => {
  test.each([
    'go build -ldflags "-X main.v=$(git describe --always)" ./...',
    'docker logs $(docker ps -q -l)',
    'docker stop $(docker ps -q)',
    'docker ps -q | xargs docker logs',
    'T=$(mktemp -d); cp -r src "$T"; rm -rf "$T"',
    'tmp=$(mktemp) && jq . package.json > "$tmp" && mv "$tmp" out.json',
    'docker ps -q | xargs -I{} docker logs {}',
    'kubectl logs $(kubectl get pods -o name | head -1)',
    'kubectl describe pod "$(kubectl get pods -n x -l app=web -o name | head -n 1)"',
    'make VERSION=$(git describe --tags)',
    'gcc a.c $(pkg-config --cflags --libs x) -o a',
    'gcc $(python3-config --includes) -c a.c',
    'git tag v$(node -p "require(\'./package.json\').version")',
    'git tag v$(cat VERSION)',
    'docker build -t app:$(jq -r .version package.json) .',
    'git log -1 $(git rev-list -n1 HEAD)',
    'pytest $(git diff --name-only | grep test_)',
    'docker run --rm -u "$(id -u):$(id -g)" node:20 npm ci',
    'for i in $(seq 1 5); do curl -s localhost:3000/$i; done',
    'curl -s localhost:$PORT/health',
    'curl -s "$API_URL/health"',
    'psql "$DATABASE_URL" -c \'\\dt\'',
    'T=$(mktemp -d); cp -r src "$T"',
    'T=$(mktemp -d) && cd "$T" && git init -q && echo a > b',
    'tmp=$(mktemp) && curl -s localhost:3000/x -o "$tmp" && jq . "$tmp"',
    'echo "$(( $(wc -l < README.md) + 1 ))"',
    'n=$(( $(git rev-list --count HEAD) * 2 )); echo $n',
    'n=$(ls | wc -l); echo $((n + 1))',
    'cp -r src "backup-$(date +%F)"',
    'kill -0 $PID',
    'sleep 5 & kill $!',
    'npm start & PID=$!; sleep 3; kill $PID',
    'npm start & PID=$!; sleep 3; kill -9 "$PID"',
    'cmake -B build -DCMAKE_BUILD_TYPE=Release',
  ])('%s is allowed', async (command) => {
    expect(await judgeIn('clean', command, 'auto')).toMatchObject({ verdict: 'allow' });
  });

  test.each([
    'cat $(cat list)',
    'git tag $(cat list)',
    "echo '-d v1' > VERSION; git tag $(cat VERSION)",
    'sed -i s/1/-d/ VERSION; git tag $(cat VERSION)',
    './x.sh; git tag $(cat VERSION)',
    './x.sh & git tag $(cat VERSION)',
    'while true; do git tag $(cat VERSION); ./x.sh; done',
    'cat $(date +.env)',
    'cat $(date +%n.env)',
    'cat $(date +%Y.env)',
    'cat $(date +/etc/passwd)',
    'docker() { echo .env; }; cat $(docker ps -q)',
    'git() { echo .env; }; cat $(git describe)',
    'kubectl logs $(kubectl get pods -o jsonpath={.x})',
    'kubectl logs $(kubectl get pods -o name; cat list)',
    'docker logs $(docker ps --format "{{.Names}}")',
    'cat $(pkg-config --libs x)',
    'docker rm -f $(docker ps -aq)',
    'docker ps -q | xargs docker rm -f',
    'bash -c "$(docker ps -q --format x)"',
    'T=$(mktemp -d); cat "$T/../../etc/passwd"',
    'T=$(mktemp -d); cd "$T"; cat ../../etc/passwd',
    'T=$(mktemp -d); ln -s /etc "$T/x"; cat "$T/x/passwd"',
    'T=$(mktemp -d /etc/x.XXX); cp -r src "$T"',
    'T=$(mktemp -d); mv src "$T"',
    'T=$(mktemp -d); mv -t "$T" src',
    'T=$(mktemp -d); mv src "$T/x"; rm -rf "$T"',
    'T=$(mktemp -d); P=$PWD; cd "$T"; mv "$P/src" .',
    'T=$(mktemp -d); ln -s "$PWD/src" "$T/x"; rm -rf "$T"/x/*',
    'T=$(mktemp -d); cd "$T"; rm -rf x/y',
    'T=$(mktemp -d); rm -rf "$T/../x"',
    'cat "$T"',
    'cat "$API_URL"',
    '. ./x.sh; cat $PORT',
    'PORT=.env; cat $PORT',
    'read PORT < list; cat $PORT',
    'psql "$X" -c "select 1"',
    'psql "$DATABASE_URL" -c "DROP TABLE x"',
    'echo $(( $(cat list) + 1 ))',
    'echo $(( a[$(id)] ))',
    'echo $(( `cat list` ))',
    "a4='b[$(id)]'; echo $((a$(nproc)))",
    'echo $(( $(nproc)$(nproc) ))',
    'kill $PID',
    'kill $(seq 1 999)',
    'seq 1 999 | xargs kill',
    'kill $(docker ps -q)',
    'kill $(wc -l < list)',
    'kill $PORT',
    'kill $PPID',
    'kill $! 1234',
    'docker ps -q | sh',
    'kill -9 $PID',
    'cmake -E rm -rf src',
    'eval "$(ssh-agent -s)"',
  ])('%s asks', async (command) => {
    expect((await judgeIn('clean', command, 'auto')).verdict).not.toBe('allow');
  });

  test('what is put together is not called control characters', async () => {
    const { reasons } = await judgeIn('clean', 'eval "$X"', 'auto');
    expect(reasons.join()).not.toMatch(/control/);
    expect(reasons.join()).toMatch(/only when it runs/);
  });

  test.each(['cat \ue000', 'cat /tmp/\ue001', 'gcc \ue002'])(
    'a character that stands for a word: %j',
    async (command) => {
      expect(await judgeIn('clean', command, 'auto')).toMatchObject({ class: 'hidden' });
    },
  );
});

describe('programs that are only asked something, in plan mode', () => {
  test.each([
    'vim --version',
    'dd --help',
    'tmux ls',
    'tmux has-session -t x',
    'systemctl status x',
    'systemctl --user --no-pager is-active x y',
    'crontab -l',
    'ip addr show',
    'dpkg -l',
    'apt list --installed',
    'mount',
    'gpg --list-keys',
    'env | grep NODE',
    "env | grep -iE '^(path|home)='",
  ])('%s is a read', async (command) => {
    expect(await judgeIn('clean', command, 'plan')).toMatchObject({ class: 'read' });
  });

  test.each([
    "tmux ls -F '#(id)'",
    'tmux new -d ls',
    'systemctl restart x',
    'systemctl -H host status x',
    'systemctl show-environment',
    'crontab -e',
    'crontab x',
    'vim --version -c x',
    'ip link set eth0 down',
    'mount /dev/sda1 /mnt',
    'gpg --list-keys; gpg -d x',
    'gpg --export-secret-keys',
    'apt install x',
    'let --version',
    './vim --version',
    'env | grep KEY',
    'env | grep -i tok',
    'env | grep -v NODE',
    "env | grep 'NODE\\|AWS'",
    "env | grep '.'",
    'env | grep e',
    'env | cat',
    'env; env | grep NODE',
  ])('%s asks or refuses', async (command) => {
    expect((await judgeIn('clean', command, 'plan')).verdict).not.toBe('allow');
  });
});

describe('dry runs and settings, in auto mode', () => {
  test.each([
    'npm publish --dry-run',
    'cargo publish --dry-run',
    'npx -p typescript tsc -v',
    'npx --package=typescript tsc -v',
    'export PATH="$HOME/.local/bin:$PATH"; ls',
    'PATH="$HOME/.cargo/bin:/usr/local/go/bin:$PATH" cargo build',
  ])('%s is allowed', async (command) => {
    expect(await judgeIn('clean', command, 'auto')).toMatchObject({ verdict: 'allow' });
  });

  test.each([
    'npm publish',
    'npm publish --dry-run --no-dry-run',
    'npm publish --dry-run false',
    'npm publish --dry-run=false',
    'npm publish --dry-run $X',
    'npm deprecate x y --dry-run',
    'cargo yank --dry-run x',
    "npx -p x -c 'rm -rf src'",
    'npx -p x rm -rf src',
    'PATH=$HOME/evil:$PATH ls',
    'PATH=$HOME/.local/bin/../../evil:$PATH ls',
    'PATH=/tmp/bin:$PATH ls',
  ])('%s asks', async (command) => {
    expect((await judgeIn('clean', command, 'auto')).verdict).not.toBe('allow');
  });
});
