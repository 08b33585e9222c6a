/** Programs that put hooks into `.git`, or tell git where others lie, as data. Sources: the manual of each tool. */
import { type Outcome, outcome } from './scene.ts';

/** The words that say so, among the arguments; an empty one stands for no arguments at all. */
const INSTALLERS: Readonly<Record<string, RegExp>> = {
  'pre-commit': /^(install|uninstall|init-templatedir)$/,
  prek: /^(install|uninstall|init-templatedir)$/,
  lefthook: /^(install|uninstall|add)$/,
  husky: /^(|init|install|add|set|uninstall|\.husky)$/,
  'simple-git-hooks': /^/,
  overcommit: /^(-i|-u|--install|--uninstall|-f)$/,
  captainhook: /^(install|uninstall)$/,
  grumphp: /^git:(init|deinit)$/,
  'git-lfs': /^(install|uninstall|update)$/,
  'git-secrets': /^--install$/,
};
const BY_GIT: readonly (readonly [string, RegExp])[] = [
  ['lfs', /^(install|uninstall|update)$/],
  ['secrets', /^--install$/],
];

/** The outcome of setting up hooks, which are protected; a plain read for all other commands. */
export function judgeHookInstaller(name: string, args: readonly string[]): Outcome {
  const words = args.length === 0 ? [''] : args;
  const isTold =
    name === 'git'
      ? BY_GIT.some(([sub, pattern]) => args[0] === sub && args.slice(1).some((word) => pattern.test(word)))
      : Object.hasOwn(INSTALLERS, name) && words.some((word) => INSTALLERS[name]!.test(word));
  if (!isTold || words.some((word) => /^(--version|--help|-h)$/.test(word))) return outcome('read');
  const what = [name, ...args.slice(0, 2)].join(' ');
  return { ...outcome('outside', `${what} sets up hooks in .git, which is protected`), readOnly: false, guarded: true };
}
