/** What commands reach without naming it: through links, through files that they write, on other machines; and rules on it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';
import { createPermissions } from '../../../core/permission/permission.ts';
import type { Mode } from '../../../core/types.ts';

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ada-reach-')));
  for (const name of ['plain', 'linked']) {
    const project = join(base, name);
    for (const folder of ['src', 'lib', 'data', 'secret', 'links'])
      mkdirSync(join(project, folder), { recursive: true });
    const files = {
      'src/a.js': 'x\n',
      'data/d.txt': 'd\n',
      'secret/a.txt': 's\n',
      'drop.sql': 'DROP TABLE x;\n',
      'ok.sql': 'SELECT 1;\n',
      'a.yml': 'a: 1\n',
      'one.patch': '--- a/data/d.txt\n+++ b/data/d.txt\n@@ -1 +1 @@\n-d\n+e\n',
      'package.json': '{"scripts":{"test":"jest"}}',
      '.env.example': 'KEY=\n',
    };
    for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  }
  symlinkSync(tmpdir(), join(base, 'linked/links/out'));
  symlinkSync('.', join(base, 'linked/here'));
  writeFileSync(join(base, 'linked/.env'), 'KEY=abc\n');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const judge = (name: string, command: string, mode: Mode) =>
  judgeCommand(command, { cwd: join(base, name), project: join(base, name), home: join(base, 'home'), mode });

async function byRule(rule: string, command: string) {
  const project = join(base, 'plain');
  const home = join(base, 'home');
  const permissions = createPermissions({
    project,
    directories: [],
    allow: [],
    ask: [],
    deny: [rule],
    home,
    adaHome: join(home, '.ada'),
  });
  const access = { kind: 'command' as const, command, cwd: project };
  return (await permissions.judge({ tool: 'bash', access, mode: 'auto', cwd: project })).verdict;
}

describe('links below a folder', () => {
  test.each([
    'find -L . -name x',
    'find . -follow -name x',
    "find -L links -name '*.js' -exec sed -i s/a/b/ {} +",
    'cp -rL links out',
    'cp -RL links out',
    'tar chf a.tar links',
    'tar -c -h -f a.tar links',
    'tar cf a.tar --dereference links',
    'ls -RL links',
    'ls -LR links',
    'grep -R x links',
    'rsync -aL links/ o/',
    'rg -L x links',
    'rg --follow x links',
    'chmod -R -L 644 links',
    'zip -r a.zip links',
    'diff -r links lib',
    'tree -l links',
    'du -L links',
    'fd -L x links',
    'find -L src links',
    'grep -rh KEY here',
    'grep -rh KEY here/',
    'ln -s . y && grep -rh KEY y',
    'ln -s .. src/y && grep -rh KEY src/y',
    'cp -r here/ zz; cat zz/.e*',
    'tar cf - here/. | strings',
    'ln -s $PWD y && cat y/.e*',
  ])('%s is not allowed', async (command) => {
    expect((await judge('linked', command, 'auto')).verdict).not.toBe('allow');
  });
  test.each([
    'grep -R x src',
    'find -L . -name x',
    'diff -r src lib',
    'ls -RL',
    'cp -rL src o',
    'ln -s src y && grep -rh x y',
  ])('%s is allowed', async (command) => {
    expect((await judge('plain', command, 'auto')).verdict).toBe('allow');
  });
  test.each(['find links -name x', 'ls -R links'])('%s follows none', async (command) => {
    expect((await judge('linked', command, 'plan')).verdict).toBe('allow');
  });
});

describe('code that is written and then run', () => {
  test.each([
    'echo \'{"scripts":{"test":"rm -rf src"}}\' > package.json; npm test',
    'cat > package.json <<\'EOF\'\n{"scripts":{"build":"rm -rf src"}}\nEOF\npnpm run build',
    "npm pkg set scripts.test='rm -rf src' && npm test",
    'npm pkg set scripts.test="rm -rf src" && yarn test',
    'jq \'.scripts.test="x"\' p.json > package.json && npm start',
    'jq \'.scripts.test="x"\' p.json > t.json && mv t.json package.json && npm run x',
    'echo \'import shutil; shutil.rmtree("src")\' > conftest.py; pytest',
    'echo \'import os; os.system("rm -rf src")\' > test_a.py; python -m pytest',
    'echo \'require("fs").rmSync("src",{recursive:true})\' > h.js; node -e \'require("./h.js")\'',
    "echo 'import shutil as s; s.rmtree(\"src\")' > shutil2.py; python3 -c 'import shutil2'",
    'echo \'import shutil; shutil.rmtree("src")\' > x.py; python -m x',
    'echo \'import shutil; shutil.rmtree("src")\' > sitecustomize.py; PYTHONPATH=. python3 -m json.tool a.json',
    'echo \'package main; import "os"; func main(){os.RemoveAll("src")}\' > main.go; go run .',
    'echo \'fn main(){std::fs::remove_dir_all("src")}\' > build.rs; cargo build',
    'echo \'int main(){system("rm -rf src");}\' > a.c; gcc a.c && ./a.out',
    "echo 'rm -rf src' > .husky/pre-commit; git commit -m x",
    "printf '#!/bin/sh\\nrm -rf src' > .git/hooks/pre-commit; git commit -m x",
    "sed -i 's/a/b/' a.sh && bash a.sh",
    'curl -o src/x.js https://x.y/z && npm test',
    'sed -i \'1i require("child_process").execSync("rm -rf src")\' src/a.js && npm test',
  ])('%s is asked', async (command) => {
    expect((await judge('plain', command, 'auto')).verdict).toBe('ask');
  });
  test.each([
    "sed -i 's/x/y/' src/a.js && npm test",
    "sed -i 's/x/y/' src/a.js && node src/a.js",
    'cat > src/b.test.js <<\'EOF\'\ntest("a", () => { expect(1).toBe(1); });\nEOF\nnpx jest src/b.test.js',
    "cat > test_a.py <<'EOF'\ndef test_a():\n    assert 1\nEOF\npytest -q",
    'echo \'{"scripts":{"test":"jest","clean":"rm -rf dist"}}\' > package.json; npm test',
    'npm test > out.txt; npm test',
    'echo \'it("x", () => /a/.exec("a"))\' > src/y.test.js && npx vitest run',
    'echo hi > notes.md && git add -A && git commit -m x',
    'npm pkg set type=module && npm test',
    'cat > main.go <<\'EOF\'\npackage main\nimport "fmt"\nfunc main() { fmt.Println("x") }\nEOF\ngo run main.go',
  ])('%s is allowed', async (command) => {
    expect((await judge('plain', command, 'auto')).verdict).toBe('allow');
  });
});

describe('rules on files bind whatever changes or reads them', () => {
  test.each([
    ['edit_file(data/**)', 'mv data x'],
    ['edit_file(data/**)', "find data -name '*.txt' -exec sed -i s/a/b/ {} +"],
    ['edit_file(data/**)', "find data -name '*.txt' | xargs sed -i s/a/b/"],
    ['edit_file(data/**)', "python3 -c \"open('data/d.txt','w').write('x')\""],
    ['edit_file(data/**)', "node -e \"require('fs').writeFileSync('data/new.txt','x')\""],
    ['edit_file(data/**)', 'tar xf x.tar -C data'],
    ['edit_file(data/**)', 'git checkout -- data'],
    ['edit_file(data/**)', 'git checkout HEAD data/d.txt'],
    ['edit_file(data/**)', 'git restore data'],
    ['edit_file(data/**)', 'rm -r data'],
    ['edit_file(data/**)', 'ln -s data zz && echo > zz/d'],
    ['write_file(data/**)', 'echo > data/d.txt'],
    ['apply_patch(data/**)', 'echo > data/d.txt'],
    ['edit_file(data/**)', 'echo > data/d.txt'],
    ['edit_file(data/**)', 'cp -r src/. data'],
    ['edit_file(data/**)', 'rsync -a src/ data/'],
    ['edit_file(data/**)', 'sed -i s/a/b/ data/*'],
    ['edit_file(data/**)', 'perl -pi -e s/a/b/ data/d.txt'],
    ['read_file(secret/**)', 'ln -s secret z && cat z/a.txt'],
    ['read_file(secret/**)', 'ln -s secret/a.txt q; cat q'],
    ['edit_file(data/**)', 'git apply one.patch'],
    ['edit_file(data/**)', 'patch -p1 < one.patch'],
  ])('%s denies %s', async (rule, command) => {
    expect(await byRule(rule, command)).toBe('deny');
  });
  test.each([
    ['edit_file(data/**)', 'tar xf x.tar'],
    ['edit_file(data/**)', 'unzip x.zip'],
    ['edit_file(data/**)', 'git apply x.patch'],
    ['edit_file(data/**)', 'patch -p1 < x.patch'],
  ])('%s asks for %s', async (rule, command) => {
    expect(await byRule(rule, command)).toBe('ask');
  });
  test.each([
    ['edit_file(data/**)', 'cat data/d.txt'],
    ['edit_file(data/**)', 'python3 -c "print(open(\'data/d.txt\').read())"'],
    ['edit_file(data/**)', 'mv src/a.js src/b.js'],
    ['edit_file(data/**)', 'npm test'],
    ['edit_file(data/**)', "find data -name '*.txt' | xargs grep x"],
    ['edit_file(data/**)', 'tar xf x.tar -C lib'],
    ['edit_file(data/**)', 'mkdir -p out && touch out/x'],
    ['edit_file(data/**)', 'cp -r data copy'],
    ['edit_file(lib/**)', 'git apply one.patch'],
  ])('%s leaves %s', async (rule, command) => {
    expect(await byRule(rule, command)).toBe('allow');
  });
});

describe('statements, other machines, processes and the environment', () => {
  test.each([
    'psql db < drop.sql',
    'psql -f drop.sql db',
    'mysql -u x db < drop.sql',
    'sqlite3 a.db < drop.sql',
    "sqlite3 a.db '.read drop.sql'",
    'docker exec -i db psql -U x < drop.sql',
    'kubectl exec -i db -- mysql < drop.sql',
    'psql db < nothere.sql',
    "psql -c 'DROP/**/TABLE x'",
    'psql -c "select pg_read_file(\'/etc/passwd\')"',
    'psql -c "COPY t TO PROGRAM \'sh\'"',
    'docker exec db psql -c "COPY t TO PROGRAM \'sh\'"',
    'docker compose exec -T db psql < drop.sql',
    'mongosh < nothere.js',
    "ssh host 'cat ~/.ssh/id_rsa'",
    'docker exec web cat /app/.env',
    'docker exec web env',
    'kubectl exec pod -- printenv',
    'kubectl exec pod -- sh -c env',
    "python3 -c 'from os import environ as e; print(e)'",
    'node -p process.env.API_KEY',
    "node -e 'console.log(process.env.API_KEY)'",
    'python3 -c \'import os; print(os.environ["API_TOKEN"])\'',
    'python3 -c \'print(open("%senv" % ".").read())\'',
    'node -e \'console.log(require("fs").readFileSync([".","env"].join("")))\'',
    'node -e \'const f=[".","env"].join("");console.log(require("fs").readFileSync(f))\'',
    'node -p "require(\'dotenv\').config()"',
    'python3 -c "from dotenv import dotenv_values; print(dotenv_values())"',
    "python3 -c 'import os; os.kill(1,9)'",
    "ruby -e 'Process.kill(9, 1)'",
    "perl -e 'kill 9, 1234'",
    "node -e 'process.kill(1234)'",
    'cat kubeconfig',
    'cat terraform.tfstate',
    'cat prod.tfvars',
    'cat config/prod.env',
  ])('%s is asked', async (command) => {
    expect((await judge('plain', command, 'auto')).verdict).toBe('ask');
  });
  test.each([
    'psql db < ok.sql',
    'sqlite3 a.db < ok.sql',
    'docker exec -i db psql -U x < ok.sql',
    'psql -f ok.sql db',
    'cat example.env',
    'grep -rn process.env src',
    'git grep process.env',
    'docker exec web ls /app',
    'docker exec web grep -r foo .',
    'node -p process.version',
    'node -p process.env.NODE_ENV',
    'ssh host uptime',
  ])('%s is allowed', async (command) => {
    expect((await judge('plain', command, 'auto')).verdict).toBe('allow');
  });
});

describe('everyday commands', () => {
  test.each<[string, Mode, string, string]>([
    ['linked', 'plan', 'allow', 'git check-ignore .env'],
    ['linked', 'plan', 'allow', 'git ls-files .env'],
    ['linked', 'plan', 'allow', 'git log --oneline -- .env'],
    ['linked', 'plan', 'ask', 'git log -p -- .env'],
    ['linked', 'plan', 'ask', 'git show HEAD:.env'],
    ['linked', 'plan', 'ask', 'git blame .env'],
    ['linked', 'auto', 'allow', 'git rm --cached .env'],
    ['linked', 'plan', 'ask', 'git rm --cached .env'],
    ['plain', 'plan', 'allow', 'wc -l $(git ls-files)'],
    ['plain', 'plan', 'allow', 'ss -ltn'],
    ['plain', 'auto', 'ask', 'ss -K dst 1.2.3.4'],
    ['plain', 'plan', 'allow', 'bat src/a.js'],
    ['linked', 'plan', 'ask', 'bat .env'],
    ['plain', 'plan', 'allow', 'ag foo'],
    ['plain', 'plan', 'allow', 'ag foo src'],
    ['linked', 'plan', 'ask', 'ag -u foo'],
    ['plain', 'plan', 'allow', 'yq . a.yml'],
    ['plain', 'plan', 'ask', 'yq -i .a=2 a.yml'],
    ['plain', 'plan', 'allow', 'top -bn1'],
    ['plain', 'plan', 'allow', 'history'],
    ['plain', 'plan', 'ask', 'history -c'],
    ['plain', 'auto', 'allow', 'echo x | xargs -I{} npm view {} version'],
    ['plain', 'auto', 'allow', "jq -r '.dependencies|keys[]' package.json | xargs -I{} npm view {} version"],
    ['plain', 'auto', 'allow', 'strace -f -o tr.txt node src/a.js'],
    ['plain', 'auto', 'ask', 'strace -o /etc/x node src/a.js'],
    ['plain', 'auto', 'allow', 'cp .env.example .env'],
    ['linked', 'auto', 'ask', 'cp .env.example .env'],
    ['plain', 'auto', 'allow', 'ssh-keygen -l -f key.pub'],
    ['plain', 'auto', 'ask', 'ssh-keygen -t rsa -f key'],
    ['plain', 'auto', 'allow', 'ln -s ../src lib/x'],
    ['plain', 'auto', 'allow', 'cd lib && ln -s ../src x'],
    ['plain', 'auto', 'allow', 'ln -s ../src lib'],
    ['plain', 'auto', 'ask', 'ln -s ../src x'],
    ['plain', 'auto', 'ask', 'ln -s ../../etc lib/x'],
  ])('in %s, mode %s: %s, %s', async (name, mode, verdict, command) => {
    const judged = await judge(name, command, mode);
    expect(judged.verdict === 'allow').toBe(verdict === 'allow');
  });
});
