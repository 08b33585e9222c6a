/**
 * Programs that a file of the project tells what to run, before they do what they are asked: toolchains, wrappers,
 * plug-ins. With such a file even `--version` runs the project's code; without one it is a plain read. Only files that
 * name a program count, not those that name a version of one. Git has rows of its own (`repository-programs.ts`). Sources:
 * the manuals of cargo and rustup, go, npm, pnpm, yarn and corepack, maven, gradle, pytest, tox, poetry, dotnet, asdf,
 * mise, and pyenv with its kin.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWithin, realPath } from '../paths.ts';
import type { Scene } from './scene.ts';

/** With `names`: only where the text says so. `leads`: only where the file is none of another place. */
interface Naming {
  files: readonly string[];
  names?: RegExp;
  leads?: true;
}

const MOST = 256 * 1024;
const key = (names: string, sign: string): RegExp => new RegExp(`(?:^|[\\s{,.])["']?(?:${names})["']?\\s*${sign}`, 'm');
/** A key that is written so that it cannot be read here. */
const ESCAPED = /^\s*["'][^"'\n]*\\/m;

const VERSIONS: readonly Naming[] = [
  {
    files: ['.python-version', '.ruby-version', '.node-version', '.go-version', '.java-version', '.swift-version'],
    names: /(^|\/)\.\.(\/|$)|^\s*[/~]/m,
  },
  { files: ['.tool-versions'], names: /\spath:|\.\.\// },
  {
    files: ['mise.toml', '.mise.toml', 'mise.local.toml', '.config/mise.toml', 'mise/config.toml', '.mise/config.toml'],
    names: /["']path:/,
  },
];
const RUST: readonly Naming[] = [
  { files: ['rust-toolchain.toml'], names: key('path', '=') },
  { files: ['rust-toolchain'], names: new RegExp(`${key('path', '=').source}|^\\s*[\\w.~-]*/`, 'm') },
  ...VERSIONS,
];
const CARGO: readonly Naming[] = [
  ...[
    key(
      'rustc|rustc-(?:workspace-)?wrapper|rustdoc|runner|linker|credential-process|credential-provider|global-credential-providers|include|LD_\\w+|DYLD_\\w+|PATH',
      '=',
    ),
    /rustflags["']?\s*=[^\]\n]*(?:linker|codegen-backend|-Z)|^\s*["']-?-?(?:C|Z|codegen)?\s*(?:linker|codegen-backend)=/m,
    ESCAPED,
  ].map((names) => ({ files: ['.cargo/config.toml', '.cargo/config'], names })),
  ...RUST,
];
const NPMRC =
  'viewer|browser|pager|editor|shell|script-shell|node-options|git|onload-script|init-module|pnpmfile|global-pnpmfile|use-node-version';
const NPM: readonly Naming[] = [
  { files: ['.npmrc'], names: new RegExp(`^\\s*["']?(?:${NPMRC})["']?(?:\\[\\])?\\s*=`, 'm') },
  ...VERSIONS,
];
const MANAGED: Naming = {
  files: ['package.json'],
  names: /"packageManager"\s*:\s*"(?![\w-]+@[\w.+-]+")/,
};
const PYTHON: readonly Naming[] = [
  { files: ['conftest.py', 'tests/conftest.py', 'test/conftest.py'] },
  {
    files: ['pytest.ini', '.pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini'],
    names: /^\s*["']?(?:addopts["']?\s*=[^\n]*(?:\n[ \t]+[^\n]*)*?-p|pythonpath|required_plugins)/m,
  },
  ...VERSIONS,
];
const OWN_PYTHON: Naming = { files: ['.venv/bin/python', '.venv/bin/python3'], leads: true };
const MAVEN: readonly Naming[] = [
  { files: ['.mvn/extensions.xml', '.mvn/jvm.config', '.mvn/maven.config'] },
  ...VERSIONS,
];
const GRADLE: readonly Naming[] = [
  {
    files: ['gradle.properties'],
    names: /^\s*org\.gradle\.java\.home|-(?:javaagent|agentpath|agentlib|Xbootclasspath|XX:On|XX:Flags)/m,
  },
  ...VERSIONS,
];

const each = (names: string, rows: readonly Naming[]) => names.split(' ').map((name) => [name, rows] as const);
const PROGRAMS: ReadonlyMap<string, readonly Naming[]> = new Map([
  ...each(
    'python python2 python3 pip pip3 ruby gem bundle rake irb node nodejs npx java javac swift mix elixir',
    VERSIONS,
  ),
  ...each('deno bun terraform tofu kubectl helm php composer', VERSIONS),
  ...each('rustc rustdoc rustfmt cargo-fmt clippy-driver cargo-clippy rust-analyzer rust-gdb rust-lldb', RUST),
  ...each('cargo', CARGO),
  ...each('go gofmt', [{ files: ['go.mod', 'go.work'], names: /^\s*toolchain\s+\S*[-/]/m }, ...VERSIONS]),
  ...each('npm', NPM),
  ...each('pnpm pnpx', [
    { files: ['.pnpmfile.cjs', '.pnpmfile.mjs', 'pnpmfile.js'] },
    {
      files: ['pnpm-workspace.yaml'],
      names: key('pnpmfile|globalPnpmfile|scriptShell|nodeOptions|configDependencies|useNodeVersion', ':'),
    },
    MANAGED,
    ...NPM,
  ]),
  ...each('yarn yarnpkg', [{ files: ['.yarnrc', '.yarnrc.yml'], names: /yarn-?path|plugins/i }, MANAGED, ...NPM]),
  ...each('pytest py.test', PYTHON),
  ...each('tox', [
    { files: ['toxfile.py', '.tox-conftest.py'] },
    { files: ['tox.ini', 'tox.toml', 'pyproject.toml', 'setup.cfg'], names: /^\s*(requires|provision_tox_env)\s*=/m },
    ...VERSIONS,
  ]),
  ...each('poetry', [{ files: ['pyproject.toml'], names: /requires-plugins/ }, OWN_PYTHON, ...VERSIONS]),
  ...each('pipenv pdm hatch', [OWN_PYTHON, ...VERSIONS]),
  ...each('mvn mvnw mvnd', MAVEN),
  ...each('gradle gradlew', GRADLE),
  ...each('sbt', [{ files: ['build.sbt', 'project', '.sbtopts', '.jvmopts'] }]),
  ...each('dotnet', [{ files: ['global.json'], names: /"paths"\s*:/ }]),
]);

/** Why the program may run what the project names, whatever it is asked; undefined where nothing does. */
export function namedByProject(name: string, { cwds, places }: Scene): string | undefined {
  const rows = PROGRAMS.get(name);
  if (!rows) return undefined;
  for (const folder of foldersOf(cwds, places.project))
    for (const row of rows)
      for (const file of row.files)
        if (isNamed(`${folder}/${file}`, row, places.project)) return `${name} runs what the project's ${file} names`;
  return undefined;
}

/** The working directories, and the folders between them and that of the project. */
function foldersOf(cwds: readonly string[], project: string): ReadonlySet<string> {
  const folders = new Set([project, ...cwds]);
  for (const cwd of cwds)
    for (let folder = dirname(cwd); isWithin(folder, project) && folder !== project; folder = dirname(folder))
      folders.add(folder);
  return folders;
}

function isNamed(path: string, { names, leads }: Naming, project: string): boolean {
  if (leads) {
    const real = existsSync(path) ? realPath(path) : undefined;
    return real !== undefined && isWithin(real, project);
  }
  if (names === undefined) return existsSync(path);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    // Too large to be looked through: nothing is known of it.
    return found?.isFile() === true && (found.size > MOST || names.test(readFileSync(path, 'utf8')));
  } catch {
    return false;
  }
}
