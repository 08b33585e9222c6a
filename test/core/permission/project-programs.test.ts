/** Programs that a file of the project tells what to run first: a read without such a file, code of the project with one. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';

let project: string;
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'ada-toolchains-')));
  mkdirSync(join(project, 'sub'));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));
const put = (file: string, text: string) => {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
};
const judge = (command: string, cwd = project) =>
  judgeCommand(command, { cwd, project, home: '/nonexistent', mode: 'plan' });

describe.each([
  [
    ['cargo --version', 'cargo tree', 'rustc --version', 'rustc -vV', 'cargo fmt --check'],
    'rust-toolchain.toml',
    '[toolchain]\npath = "./t"\n',
  ],
  [['cargo --version', 'rustfmt --check src/a.rs'], 'rust-toolchain', './own\n'],
  [['cargo tree', 'cargo metadata --no-deps'], '.cargo/config.toml', '[build]\nrustc-wrapper = "./x"\n'],
  [['cargo tree'], '.cargo/config.toml', 'build.rustc = "./x"\n'],
  [['cargo tree'], '.cargo/config.toml', 'build = { "rustc" = "./x" }\n'],
  [['cargo tree'], '.cargo/config.toml', '[build]\n"rust\\u0063" = "./x"\n'],
  [['cargo tree'], '.cargo/config', '[target.x]\nlinker = "./x"\n'],
  [['go version', 'go list ./...', 'go vet ./...', 'go env'], 'go.mod', 'module x\n\ntoolchain go1.22.3-own\n'],
  [['npm ls', 'npm -v'], '.npmrc', 'node-options=--require ./x\n'],
  [['npm ls'], '.npmrc', 'script-shell = ./x\n'],
  [['pnpm ls', 'pnpm -v'], '.pnpmfile.cjs', 'module.exports = {}\n'],
  [['pnpm ls'], 'pnpm-workspace.yaml', 'pnpmfile: ./x.cjs\n'],
  [['pnpm ls', 'yarn why x'], 'package.json', '{ "packageManager": "yarn@https://example.com/x.js" }\n'],
  [['yarn -v', 'yarn list'], '.yarnrc.yml', 'yarnPath: ./x.cjs\n'],
  [['yarn --version'], '.yarnrc', 'yarn-path "./x.js"\n'],
  [['pytest --version'], 'conftest.py', ''],
  [['pytest --version'], 'pyproject.toml', '[tool.pytest.ini_options]\naddopts = "-p own"\n'],
  [['pytest --version'], 'setup.cfg', '[tool:pytest]\naddopts =\n    -q\n    -p own\n'],
  [['tox --version'], 'toxfile.py', ''],
  [['mvn -v', 'mvn --version'], '.mvn/extensions.xml', '<extensions/>'],
  [['mvn -v'], '.mvn/jvm.config', '-javaagent:x.jar'],
  [['gradle -v'], 'gradle.properties', 'org.gradle.java.home=./jdk\n'],
  [['gradle --version'], 'gradle.properties', 'org.gradle.jvmargs=-Xmx2g -javaagent:x.jar\n'],
  [['poetry show'], 'pyproject.toml', '[tool.poetry.requires-plugins]\nx = "*"\n'],
  [['poetry show'], '.venv/bin/python', ''],
  [['dotnet --list-sdks', 'dotnet --info'], 'global.json', '{ "sdk": { "paths": ["./own"] } }'],
  [['python --version', 'pip list'], '.python-version', '../../project/x\n'],
  [['node --version'], '.tool-versions', 'nodejs path:./own\n'],
  [['ruby -v', 'node -v'], 'mise.toml', '[tools]\nruby = "path:./own"\n'],
])('%j', (commands, file, text) => {
  test(`with ${file}`, async () => {
    // Without its lock file cargo would write one.
    put('Cargo.lock', '');
    for (const command of commands)
      expect(await judge(command), command).toMatchObject({ class: 'read', verdict: 'allow' });
    put(file, text);
    for (const command of commands) {
      for (const judged of [
        await judge(command),
        await judge(command, join(project, 'sub')),
        await judge(`cd sub && ${command}`),
      ]) {
        expect(judged, command).toMatchObject({ verdict: 'deny', readOnly: false });
        expect(judged.reasons.join('\n')).toContain(file);
      }
    }
  });
});

test.each([
  ['rust-toolchain.toml', '[toolchain]\nchannel = "1.80.0"\n', 'cargo tree'],
  ['rust-toolchain', 'nightly-2024-05-01\n', 'rustc --version'],
  [
    '.cargo/config.toml',
    '[build]\njobs = 4\nrustflags = ["-C", "target-cpu=native"]\n[net]\nretry = 3\n',
    'cargo tree',
  ],
  ['go.mod', 'module x\n\ngo 1.22\n\ntoolchain go1.22.3\n', 'go list ./...'],
  ['.npmrc', 'registry=https://example.com/\nsave-exact=true\n', 'npm ls'],
  ['package.json', '{ "packageManager": "pnpm@9.1.0+sha512.abc" }\n', 'pnpm ls'],
  ['.yarnrc.yml', 'nodeLinker: node-modules\n', 'yarn list'],
  ['pyproject.toml', '[tool.pytest.ini_options]\naddopts = "-q"\n', 'pytest --version'],
  ['.mvn/wrapper/maven-wrapper.properties', 'x=y\n', 'mvn -v'],
  ['gradle.properties', 'org.gradle.jvmargs=-Xmx2g\n', 'gradle -v'],
  ['.python-version', '3.11/envs/own\n', 'python --version'],
  ['.tool-versions', 'nodejs 20.1.0\n', 'node --version'],
  ['mise.toml', '[tools]\nnode = "20"\n', 'node --version'],
  ['global.json', '{ "sdk": { "version": "8.0.100" } }', 'dotnet --list-sdks'],
])('%s that names only a version', async (file, text, command) => {
  put('Cargo.lock', '');
  put(file, text);
  expect(await judge(command)).toMatchObject({ class: 'read' });
});

test('a link to a program of the machine', async () => {
  mkdirSync(join(project, '.venv/bin'), { recursive: true });
  symlinkSync(process.execPath, join(project, '.venv/bin/python'));
  expect(await judge('poetry show')).toMatchObject({ class: 'read' });
});

test('a file that is too large to be looked through', async () => {
  put('.npmrc', `${'#'.repeat(300_000)}\n`);
  expect(await judge('npm ls')).toMatchObject({ verdict: 'deny' });
});
