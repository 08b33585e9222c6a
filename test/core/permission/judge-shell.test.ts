/** What a whole shell program comes to: variables, branches, functions, here-documents, and what runs what. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';
import type { AccessClass } from '../../../core/types.ts';

let base: string;
let project: string;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ada-shell-')));
  project = join(base, 'project');
  for (const folder of ['src', 'lib', 'tools']) mkdirSync(join(project, folder), { recursive: true });
  for (const file of ['README.md', 'list', 'src/a.ts']) writeFileSync(join(project, file), 'a\n');
  writeFileSync(join(project, '.env'), 'KEY=x\n');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const judge = (command: string, path?: string) =>
  judgeCommand(command, { cwd: project, project, home: join(base, 'home'), mode: 'auto', path });

const rows: Partial<Record<AccessClass, string[]>> = {
  read: [
    'cd src && git diff | head -30',
    'TS=$(date) && echo $TS',
    'X=ls; $X src',
    'for f in *.md; do wc -l "$f"; done',
    'for d in src lib; do ls "$d" | head -3; done',
    'for ((i = 0; i < 3; i++)); do echo $i; done',
    'if [ -f README.md ]; then cat README.md; else echo none; fi',
    'while IFS= read -r line; do echo "$line"; done < list',
    'case $1 in a) ls ;; *) pwd ;; esac',
    'show() { cat "$1"; }; show README.md',
    'diff <(ls src) <(ls lib)',
    'cat <<X | grep a && cat list\na\nX',
    'x=$(cat README.md | head -1); echo "$x"',
    'y=$(<README.md); echo "$y"',
    '[[ -f README.md && $x == y ]] && echo ok',
    'test -n "$x" && echo y',
    'cat "$PWD/README.md"',
    'ls -la "$(pwd)"',
    'echo $((1 + 2)) $((3 > 2))',
    'echo {1..5} {a,b}.txt',
    'x=ls; x=rm | cat; $x src',
    '{ ls; pwd; } || exit 1',
    'sleep 1 & wait $!',
    'export A="$B"; echo $A',
    '! grep -q x README.md',
    'command cd src; cat ../README.md',
  ],
  write: [
    "cat <<'X' >> note.txt\n$HOME `x`\nX",
    'git commit -m "$(cat <<\'X\'\nFix rm -rf\n\nMore\nX\n)"',
    'mkdir -p build/{a,b} && touch build/{a,b}/x',
    'a=1; echo $a > out$a.txt',
    '{ echo a; echo b; } > out.txt',
    'for f in src/*.ts; do touch "$f"; done',
    'touch build-$(date +%Y%m%d)',
  ],
  // A shell of its own is more than a list of commands.
  unknown: [
    'cat <<X | sh\nls\nX',
    'echo ls | sh',
    '(ls)',
    'ls || (pwd && echo hi)',
    'python3 - <<X\nprint(1)\nX',
    'bash <<X\n./build\nX',
  ],
  outside: [
    'cat "$HOME/x"',
    'cat "$f"',
    'cat $(cat list)',
    'ls src/$x',
    'echo x > "$f"',
    'cd "$(git rev-parse --show-toplevel)" && ls',
    'find . | while read -r f; do cat "$f"; done',
    'foo "$x"',
    'git show $x',
    'for f in .e*; do cat $f; done',
    'false && cd src; cat ../README.md',
    'cd src; cd "$x"; cat README.md',
  ],
  hidden: [
    '$(echo ls) src',
    '"$EDITOR" README.md',
    '$SHELL -c ls',
    'eval "$(cat list)"',
    'read x <<< rm; $x list',
    'printf "$x"',
    'bash <(echo ls)',
    'source <(echo ls)',
    'bash <<X\necho $x\nX',
    'python3 <<X\nprint($x)\nX',
    'node -e "$code"',
    'cat list | while read -r c; do sh -c "$c"; done',
    "x='a[$(ls)]'; echo $((x))",
    'set -- ls; "$@" src',
    'x=(ls src); "${x[@]}"',
    'f() { ls; }; find . -exec f {} +',
    'timeout $t ls',
    'tee >(sh) < README.md',
    'IFS=/; ls',
    'cat <<<$(whoami)',
    'while true; do mkdir src; cd src; done',
    'f() { f; }; f',
    'declare -n r=x; r=ls',
  ],
  destructive: [
    'a=rm; $a -rf src',
    'a=r; a+=m; $a -rf src',
    'x="rm -rf src"; $x',
    '$(echo rm) -rf src',
    '`echo rm` -rf src',
    "$'r\\x6d' -rf src",
    '{rm,-rf,src}',
    'echo "$(rm -rf src)"',
    'echo "${x:-$(rm -rf src)}"',
    'cat < <(rm -rf src)',
    'if test -d src; then rm --force -r src; fi',
    'for f in src lib; do rm -rf "$f"; done',
    'while read -r f; do rm -f "$f"; done < list',
    'f() { rm -rf "$1"; }; f src',
    'ls() { rm -rf src; }; ls',
    'f() { rm -rf src; }; trap f EXIT',
    'x=ls; if true; then x=rm; fi; $x -rf src',
    'x=ls; if x=rm; false; then x=ls; else $x -rf src; fi',
    'x=ls; while false; do x=rm; done; $x -rf src',
    'while true; do x=rm; break; x=ls; done; $x -rf src',
    'f() { x=rm; return; x=ls; }; x=ls; f; $x -rf src',
    "eval 'x=rm'; $x -rf src",
    'bash -c "x=rm; \\$x -rf src"',
    "sh -c '$0 -rf src' rm",
    'bash <<X\nrm -rf src\nX',
    "echo 'rm -rf src' | sh",
    'python3 - <<X\nimport shutil; shutil.rmtree("src")\nX',
    "ssh host <<'X'\nrm -rf /data\nX",
    "docker exec -i db psql <<'X'\nDROP TABLE users;\nX",
    'echo FLUSHALL | redis-cli',
    'cat <<X && rm -rf src\nx\nX',
    '(rm -rf src)',
    '[[ -n $(rm -rf src) ]]',
    'case x in *) rm -rf src ;; esac',
    'rm -rf "$TARGET"',
    '! rm -rf src',
  ],
};

for (const [expected, commands] of Object.entries(rows))
  describe(expected, () => {
    test.each(commands)('%j', async (command) => {
      const judged = await judge(command);
      expect({ class: judged.class, verdict: judged.verdict }).toEqual({
        class: expected,
        verdict: ['outside', 'hidden', 'destructive'].includes(expected) ? 'ask' : 'allow',
      });
      // What stands for computed text never reaches a person.
      expect(judged.reasons.join()).not.toMatch(/[\ufffe\uffff]/);
    });
  });

test('plan mode lets nothing through that changes anything, however it is written', async () => {
  const changes = [
    'cat > f <<X\na\nX',
    "python3 -c \"open('f', 'w')\"",
    'git commit --amend --no-edit',
    'npm install',
    'sed -i s/a/b/ README.md',
    'ls | tee f',
    'curl -o f https://example.com',
    'for f in *.md; do mv "$f" x; done',
    'f() { touch x; }; f',
    'echo "$(touch x)"',
    '(touch x)',
    'ls &> f',
    'bash <<X\ntouch x\nX',
    'x=touch; $x f',
    'if true; then git stash; fi',
  ];
  for (const command of changes) {
    const judged = await judgeCommand(command, { cwd: project, project, home: base, mode: 'plan' });
    expect([command, judged.verdict]).toEqual([command, 'deny']);
  }
});

test('more than can be looked at is hidden, and takes no time', async () => {
  const deep = `${'for a in 1 2; do '.repeat(12)}ls${'; done'.repeat(12)}`;
  expect((await judge(deep)).verdict).toBeDefined();
  expect(await judge(Array.from({ length: 4_000 }, () => 'ls').join('; '))).toMatchObject({ class: 'hidden' });
  expect((await judge('x=$x$x$x$x$x$x$x$x; '.repeat(40))).class).toBeDefined();
});

describe('programs that PATH leads elsewhere', () => {
  const program = (folder: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'wc'), '#!/bin/sh\n');
    chmodSync(join(folder, 'wc'), 0o755);
    return folder;
  };

  test('a folder of the project, a temporary or a relative one in front of the system', async () => {
    const own = program(join(project, 'tools'));
    const temporary = program(join(base, 'temporary'));
    for (const path of [`${own}:/usr/bin:/bin`, `${temporary}:/usr/bin`, 'tools:/usr/bin', ':/usr/bin:/bin']) {
      const isHere = path.startsWith(':') ? 'cd tools && wc -l ../README.md' : 'wc -l README.md';
      expect(await judge(isHere, path)).toMatchObject({ class: 'unknown', readOnly: false });
      // What is part of the shell is not looked up.
      expect((await judge('echo a', path)).class).toBe('read');
    }
    expect((await judge('wc -l README.md', `/usr/bin:/bin:${own}`)).class).toBe('read');
    expect((await judge('wc -l README.md', '/usr/bin:/bin')).class).toBe('read');
    expect((await judge('wc -l README.md')).class).toBe('read');
  });

  test('a program named by path', async () => {
    expect((await judge('tools/wc README.md')).class).toBe('unknown');
    expect((await judge('/usr/bin/wc README.md')).class).toBe('read');
    expect((await judge('/opt/x/wc README.md')).class).toBe('outside');
  });
});
