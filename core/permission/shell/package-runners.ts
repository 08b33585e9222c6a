/** Subcommands of package managers that run a program, perhaps after downloading it: judged by what they run. */
import { judgeCommandWords } from './elsewhere.ts';
import { splitArguments } from './options.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { mayBeOption } from './syntax.ts';

const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  bun: ['x'],
};
const BEFORE = new Set('--prefix -C --dir --filter -F --workspace -w --cwd --registry'.split(' '));
const VALUES = new Set('--package -p --workspace -w --allow-build -c --call'.split(' '));
const FLAGS = new Set(
  '-y --yes --no -q --quiet --silent --bun -r --recursive --parallel --offline --shell-mode'.split(' '),
);

/** Undefined where the words run no program of a package. */
export function judgePackageRunner(name: string, args: readonly string[], scene: Scene): Outcome | undefined {
  if (!Object.hasOwn(RUNNERS, name)) return undefined;
  const { options: before, operands } = splitArguments(args, { values: BEFORE, stopAtOperand: true });
  const [first, ...rest] = operands;
  if (name === 'yarn' && (first === 'workspace' || first === 'workspaces')) {
    const inner = first === 'workspace' ? rest.slice(1) : afterForeach(rest);
    return inner.length === 0 || inner[0] === 'run' ? undefined : judgeYarnInner(inner, scene);
  }
  if (name === 'npm' && first === 'explore') return judgeExplore(rest, scene);
  if (first === undefined || !RUNNERS[name]!.includes(first)) return undefined;
  const least = outcome('network', `${name} ${first} may download and run a package`);
  const folders = before.filter(({ name: option }) => /^(--prefix|-C|--dir|--cwd)$/.test(option));
  const where = touch(
    scene,
    folders.map(({ value = '' }) => value),
    'write',
  );
  const { options, operands: words } = splitArguments(rest, { values: VALUES, stopAtOperand: true });
  const odd = options.find(({ name: option }) => !VALUES.has(option) && !FLAGS.has(option));
  if (odd || rest.slice(0, rest.length - words.length).some((word) => mayBeOption(word)))
    return combine(
      least,
      where,
      outcome('hidden', `${name} ${odd?.name ?? first} is not known: what runs cannot be told`),
    );
  // A shell reads them: always in yarn, or because it is told so.
  const joined =
    words.length > 1 &&
    (name === 'yarn' || [...before, ...options].some(({ name: option }) => /^(-c|--shell-mode)$/.test(option)));
  const code = options.filter(({ name: option }) => option === '-c' || option === '--call');
  const inner = [
    ...code.flatMap(({ value = '' }) => scene.code(value, scene)),
    ...judgeCommandWords(words, scene),
    ...(joined ? scene.code(words.join(' '), scene) : []),
  ];
  return combine(least, where, { ...outcome('read'), inner });
}

/** `yarn workspaces foreach OPTIONS COMMAND`: the words from the command on. */
function afterForeach(words: readonly string[]): readonly string[] {
  if (words[0] !== 'foreach') return [];
  const values = new Set('-j --jobs --from --include --exclude --since'.split(' '));
  return splitArguments(words.slice(1), { values, stopAtOperand: true }).operands;
}

/** A command of yarn in a package of the project. */
const judgeYarnInner = (words: readonly string[], scene: Scene): Outcome =>
  combine(outcome('write', "runs the project's own code"), {
    ...outcome('read'),
    inner: scene.command(['yarn', ...words], scene),
  });

/** `npm explore PACKAGE -- COMMAND` runs it in the folder of the package. */
function judgeExplore(rest: readonly string[], scene: Scene): Outcome {
  const dashes = rest.indexOf('--');
  const words = dashes >= 0 ? rest.slice(dashes + 1) : rest.slice(1);
  const least = outcome('unknown', 'runs a command in the folder of a package');
  return words.length === 0 ? least : combine(least, { ...outcome('read'), inner: scene.command(words, scene) });
}
