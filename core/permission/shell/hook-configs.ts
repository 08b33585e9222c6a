/**
 * Configurations of programs that run commands at a commit or a push (lefthook, pre-commit, husky, lint-staged,
 * simple-git-hooks): the commands in a text of one, for judging them when the same command writes it and has it run.
 */

/** What such files are called; what they hold is no script, but names scripts. */
const CONFIG =
  /\/(\.?lefthook(-local)?\.(ya?ml|json|toml)|\.pre-commit-config\.ya?ml|\.(lintstaged|husky|commitlint)rc(\.(json|ya?ml))?|\.?simple-git-hooks\.json|\.?lint-staged\.(json|ya?ml))$/;
const RUNNERS = /^(lefthook|pre-commit|pre_commit|prek|husky|lint-staged|nano-staged|simple-git-hooks|yorkie)$/;
/** What starts one of them by its name. */
const STARTERS = /^(npx|bunx|pnpx|npm|pnpm|yarn|bun|uvx|pipx|uv|poetry|bundle|python[\d.]*)$/;
const HOOKED = /^(commit|merge|push|pull|checkout|switch|rebase|am|cherry-pick|revert|worktree|gc)$/;
/** Keys of package.json whose texts are commands of hooks. */
const PACKAGE_KEYS = ['lint-staged', 'nano-staged', 'husky', 'simple-git-hooks', 'gitHooks', 'pre-commit', 'pre-push'];
/** Keys behind which a command stands. */
const RUNS = /^(run|entry|cmd|command|runner|(pre|post|prepare|commit|applypatch)-[\w-]+)$/;
const MOST_COMMANDS = 100;

/** Whether the file, by its absolute path, tells such a program what to run. */
export const isHookConfig = (path: string): boolean => CONFIG.test(path) || path.endsWith('/package.json');

/** Whether running this program may run hooks. */
export const runsHooks = (name: string, args: readonly string[]): boolean =>
  name === 'git'
    ? args.some((word) => HOOKED.test(word))
    : RUNNERS.test(name) || (STARTERS.test(name) && args.some((word) => RUNNERS.test(word.replace(/@[\w.-]*$/, ''))));

/** The commands that a configuration names; undefined where the text cannot be read. */
export function hookCommands(path: string, text: string): readonly string[] | undefined {
  if (path.endsWith('/package.json')) {
    const root = parsed(text);
    if (typeof root !== 'object' || root === null) return undefined;
    return PACKAGE_KEYS.flatMap((key) => textsIn((root as Record<string, unknown>)[key])).slice(0, MOST_COMMANDS);
  }
  const json = /^\s*[{[]/.test(text) ? parsed(text) : undefined;
  const isListed = /\/\.?(lintstagedrc|lint-staged|huskyrc|simple-git-hooks)[^/]*$/.test(path);
  const found = json !== undefined ? textsIn(json) : linesIn(text, isListed);
  return found.slice(0, MOST_COMMANDS);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function textsIn(value: unknown, level = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || level > 12) return [];
  // A list is one command in words for some, and one command each for others.
  const inner = Object.values(value);
  const words = Array.isArray(value) && inner.every((one) => typeof one === 'string') ? [inner.join(' ')] : [];
  return [...words, ...inner.flatMap((one) => textsIn(one, level + 1))];
}

/** The commands in lines of YAML and TOML; `isListed`: behind every key and in every list. */
function linesIn(text: string, isListed: boolean): string[] {
  const lines = text.split(/\r?\n/);
  const found: string[] = [];
  let entry = '';
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const [, indent = '', dash = '', key, raw = ''] =
      /^(\s*)(-\s+)?(?:["']?([^"':=\s]{1,80}|[^"']{1,80}(?=["']\s*:))["']?\s*[:=](?:\s+|$))?(.*)$/.exec(line) ?? [];
    const isWanted = key === undefined ? dash !== '' && isListed : isListed || RUNS.test(key) || key === 'args';
    if (!isWanted || /^\s*#/.test(line)) continue;
    let value = plain(raw);
    if (/^[|>][-+\d]*\s*(#.*)?$/.test(value) || value === '"""' || value === "'''") {
      const depth = indent.length + (dash === '' ? 0 : 1);
      const block: string[] = [];
      const isOpen = (next: string) =>
        value.length === 3 ? !next.includes(value) : next.trim() === '' || /^\s*/.exec(next)![0].length > depth;
      while (at + 1 < lines.length && isOpen(lines[at + 1]!)) block.push(lines[++at]!.trim());
      value = block.join(value.startsWith('>') ? ' ' : '\n');
    }
    // A list in brackets, or one of lines below it.
    if (value.startsWith('[')) value = value.replace(/^\[|\]\s*(#.*)?$/g, '').replace(/,\s*/g, ' ');
    if (key === 'args') {
      const below: string[] = [];
      while (value === '' && /^\s*-\s/.test(lines[at + 1] ?? '')) below.push(lines[++at]!.replace(/^\s*-\s+/, ''));
      found.push(`${entry} ${value}${below.join(' ')}`);
    } else if (value !== '') {
      found.push(value);
      if (key === 'entry') entry = value;
    }
  }
  return found;
}

const plain = (raw: string): string => {
  const quoted = /^"((?:\\.|[^"\\])*)"\s*(#.*)?$|^'((?:''|[^'])*)'\s*(#.*)?$/.exec(raw.trim());
  if (!quoted) return raw.replace(/\s#.*$/, '').trim();
  return quoted[1] !== undefined ? quoted[1].replace(/\\(["\\])/g, '$1') : quoted[3]!.replace(/''/g, "'");
};
