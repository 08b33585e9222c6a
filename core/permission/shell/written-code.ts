/**
 * Code that a command writes into a project and then has run by something else: test runners, build tools, package
 * scripts, hooks of git, modules that a program loads. A text that is known is judged as code of its language, one that
 * is computed or comes from elsewhere is hidden.
 */

import { hookCommands, isHookConfig, runsHooks } from './hook-configs.ts';
import { judgeCode } from './inline-code.ts';
import { splitArguments } from './options.ts';
import { combine, type Outcome, outcome, type Part, type Scene } from './scene.ts';
import { isComputed } from './syntax.ts';

interface Kind {
  /** What the files are called, and which programs load them. */
  file: RegExp;
  by: RegExp;
  /** The name of the interpreter, or `sh`. */
  language: string;
}

const kind = (language: string, file: RegExp, by: string): Kind => ({ language, file, by: new RegExp(`^(${by})$`) });

const KINDS: readonly Kind[] = [
  kind(
    'node',
    /\.[cm]?[jt]sx?$|\/\.(eslint|mocha|babel)rc$/,
    'node|nodejs|deno|bun|bunx|tsx|ts-node|npm|pnpm|yarn|npx|jest|vitest|mocha|ava|tap|jasmine|karma|playwright|cypress|vite|webpack|rollup|esbuild|tsup|eslint|prettier|next|nuxt|astro|gulp|grunt|nx|turbo|lerna|electron|nodemon|c8|nyc|babel|babel-node|storybook|cucumber-js',
  ),
  kind(
    'python3',
    /\.(pyw?|pth)$/,
    'python[\\d.]*|pypy3?|pytest|py\\.test|tox|nox|uv|poetry|pipenv|pdm|hatch|rye|pip3?|flask|django-admin|manage|uvicorn|gunicorn|celery|alembic|coverage|mypy|pylint|sphinx-build|ipython|invoke|behave|scons|meson',
  ),
  kind(
    'ruby',
    /\.(rb|gemspec|rake|ru)$|\/(Rakefile|Gemfile|Guardfile)$/,
    'ruby|rspec|rake|bundle|rails|irb|cucumber|gem|guard',
  ),
  kind('perl', /\.(p[lm]|t)$/, 'perl|prove'),
  kind('php', /\.php$/, 'php|phpunit|composer|artisan|pest|phpstan'),
  kind('lua', /\.lua$/, 'lua[\\d.]*|luajit|busted'),
  kind('elixir', /\.exs?$/, 'mix|elixir|iex'),
  kind('go', /\.go$/, 'go'),
  kind('rust', /\.rs$/, 'cargo|rustc'),
  kind('c', /\.([ch](c|pp|xx|\+\+)?|m|mm)$/, 'gcc|g\\+\\+|cc|c\\+\\+|clang|clang\\+\\+|tcc|cmake|ninja'),
  kind(
    'java',
    /\.(java|kts?|groovy|gradle|scala|sbt)$/,
    'java|javac|gradle|gradlew|mvn|mvnw|kotlinc|sbt|ant|scala|groovy',
  ),
  kind('sh', /\/\.(husky|githooks)\/|\/\.git\/hooks\//, 'git'),
  kind('sh', /\/\.(husky|lefthook|lefthook-local)\//, 'git|husky|lefthook'),
  kind(
    'node',
    /\/(\.(lintstaged|husky)rc|\.?(lint-staged|simple-git-hooks)(\.config)?)\.[cm]?[jt]s$/,
    'git|lint-staged',
  ),
];
/** What they run is written in a file of their own, and may be anything. */
const BUILDERS = /^(make|gmake|just|task|rake|bazel|buck2|ninja|cmake)$/;
const HOOKED = /^(commit|merge|push|pull|checkout|switch|rebase|am|cherry-pick|revert|worktree|gc)$/;
const PACKAGERS = /^(npm|pnpm|yarn|bun)$/;
const INSTALLS = /^(install|i|ci|add|in|it|cit|up|update|upgrade|pack|publish|link|rebuild|dedupe|prune|version)$/;

/** What running a program does beyond its own arguments, because this command wrote code which it may load. */
export function judgeLoaded(name: string, args: readonly string[], scene: Scene): Outcome {
  const { files, edits } = scene.shell;
  if (files.size + edits.size === 0) return outcome('read');
  const hooks = runsHooks(name, args);
  if (name === 'git' && !args.some((word) => HOOKED.test(word))) return outcome('read');
  const inner: Scene = { ...scene, stdin: 'none', fed: undefined, depth: scene.depth + 1 };
  const found: Outcome[] = [];
  for (const { file, by, language } of KINDS) {
    if (!by.test(name) && !BUILDERS.test(name)) continue;
    for (const path of new Set([...files.keys(), ...edits.keys()])) {
      if (!file.test(path)) continue;
      for (const text of [...(files.get(path) ?? []), ...(edits.get(path) ?? [])])
        found.push(text === undefined ? unknown(name, path) : grave(judgeText(language, text, inner), path));
    }
  }
  if (hooks)
    for (const path of new Set([...files.keys(), ...edits.keys()])) {
      if (!isHookConfig(path)) continue;
      for (const text of files.get(path) ?? [])
        found.push(text === undefined ? unknown(name, path) : judgeHooks(text, name, path, inner));
      // Of an edit only what it puts in is known: it is taken for a command.
      for (const text of edits.get(path) ?? [])
        found.push(grave({ ...outcome('read'), inner: scene.code(text, inner) }, path));
    }
  if (PACKAGERS.test(name) && args[0] !== 'pkg')
    for (const [path, texts] of files)
      if (path.endsWith('/package.json'))
        for (const text of texts)
          found.push(text === undefined ? unknown(name, path) : judgeScripts(text, name, args, path, inner));
  return found.length === 0 ? outcome('read') : combine(outcome('read'), ...found);
}

const unknown = (name: string, path: string): Outcome =>
  outcome('hidden', `${name} may run ${path}, and this very command writes it with what it computes or fetches`);

function judgeText(language: string, text: string, scene: Scene): Outcome {
  if (language === 'sh') return { ...outcome('read'), inner: scene.code(text, scene) };
  // `exec` of a pattern runs nothing.
  const code =
    language === 'node' ? text.replace(/(\/[a-z]*|\b(?:re|regexp?|pattern|rx))\.exec(?=\s*\()/gi, '$1.match') : text;
  return judgeCode(language, code, scene);
}

/** Code of a project names many paths that are none of this machine: what destroys, hides or reads secrets counts. */
function grave(judged: Outcome, path: string): Outcome {
  const inner = (judged.inner ?? []).filter(isGrave);
  const isBad = judged.class === 'destructive' || judged.class === 'hidden';
  const secret = judged.reasons.filter((reason) => /secret/.test(reason));
  if (isBad || (judged.class === 'outside' && secret.length > 0))
    return {
      ...outcome(judged.class, ...(isBad ? judged.reasons : secret), `this very command writes ${path}`),
      inner,
    };
  return { ...outcome('read'), inner };
}

const isGrave = (part: Part): boolean => /^(destructive|hidden|outside)$/.test(part.class);

function judgeHooks(text: string, name: string, path: string, scene: Scene): Outcome {
  const commands = hookCommands(path, text);
  if (commands === undefined) return unknown(name, path);
  return grave({ ...outcome('read'), inner: commands.flatMap((command) => scene.code(command, scene)) }, path);
}

/** The scripts of a package that a command runs: the one that it names, and those around it. */
function judgeScripts(text: string, name: string, args: readonly string[], path: string, scene: Scene): Outcome {
  const { operands } = splitArguments(args, {
    values: new Set('--prefix -C --dir --filter -F --workspace -w --cwd'.split(' ')),
  });
  let scripts: unknown;
  try {
    scripts = (JSON.parse(text) as { scripts?: unknown } | null)?.scripts;
  } catch {
    return unknown(name, path);
  }
  const wanted = new Set(operands.map((word) => (/^(t|tst)$/.test(word) ? 'test' : word)));
  if (operands.length === 0 || operands.some((word) => INSTALLS.test(word)))
    for (const word of ['install', 'prepare', 'prepublish', 'prepublishOnly', 'pack', 'version', 'publish'])
      wanted.add(word);
  if (wanted.has('restart')) for (const word of ['stop', 'start']) wanted.add(word);
  const all = operands.some(isComputed);
  const run = Object.entries(typeof scripts === 'object' && scripts !== null ? scripts : {}).filter(
    ([key]) => all || wanted.has(key) || wanted.has(key.replace(/^(pre|post)/, '')),
  );
  const inner = run.flatMap(([, code]) => (typeof code === 'string' ? scene.code(code, scene) : []));
  return { ...outcome('read'), inner: inner.filter(isGrave) };
}
