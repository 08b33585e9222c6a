/** Judges tools whose first operands say what they do: package managers, containers, clusters, cloud and secret tools. */
import { asSet, CHANGES } from './judge-table.ts';
import { type Option, splitArguments } from './options.ts';
import { scanWords } from './scan-words.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { optionDeletes, type SubcommandTool, saysDelete } from './subcommands.ts';
import { isComputed } from './syntax.ts';

/** Programs that tell their version with a lone option, and nothing else. */
export const LONE_OPTION = /^(--version|-V|--help|-version)$/;

/** Programs that tell their version in a way of their own. */
const VERSION: Readonly<Record<string, RegExp>> = {
  mvn: /^-v$/,
  gradle: /^-v$/,
  yarn: /^-v$/,
  bundle: /^-v$/,
  pnpm: /^-v$/,
  rustc: /^-(vV|Vv)$/,
  dotnet: /^--info$/,
};

/** Whether these words only ask which version it is. */
export const tellsVersion = (name: string, args: readonly string[]): boolean =>
  args.length === 1 && (LONE_OPTION.test(args[0]!) || (Object.hasOwn(VERSION, name) && VERSION[name]!.test(args[0]!)));

/** Files of values: they are used, and what is secret in them is not printed. */
const VARIABLES = /\.tfvars(\.json)?$/;

/** Folders in which a tool is told to work, in front of its subcommand: `npm --prefix DIR`, `terraform -chdir=DIR`. */
function elsewhere(before: readonly string[]): readonly string[] {
  return before.flatMap((word, index) => {
    const [, option = '', value] = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (!/^(--prefix|--cwd|--dir|--directory|--chdir|-chdir|-C|--manifest-path|--project-directory)$/.test(option))
      return [];
    return value ?? before[index + 1] ?? [];
  });
}

/** An option asks for a dry run, and nothing takes that back: `--dry-run=none`, `--dry-run false`, `--no-dry-run`. */
function rehearses(tool: SubcommandTool, args: readonly string[], options: readonly Option[]): boolean {
  const dry = asSet(tool.dry);
  const isOff = (word: string | undefined) => /^(none|false|0|no)$/i.test(word ?? '');
  return (
    options.some((option) => dry.has(option.name)) &&
    !args.some(
      (word, index) => isComputed(word) || /^--no-dry/.test(word) || (dry.has(word) && isOff(args[index + 1])),
    ) &&
    !options.some((option) => dry.has(option.name) && isOff(option.value))
  );
}

export function judgeTool(name: string, tool: SubcommandTool, args: readonly string[], scene: Scene): Outcome {
  const { options, operands } = splitArguments(args, { values: asSet(tool.values) });
  const first = operands[0];
  const start = args.indexOf(first ?? '');
  const paths = combine(
    scanWords(
      args
        .slice(start + 1)
        .filter((word) => !(tool.labels && /^-?(\/\/|@|:)/.test(word)) && !(tool.applies && VARIABLES.test(word))),
      scene,
    ),
    touch(scene, elsewhere(args.slice(0, start)), 'write'),
    scanWords(args.slice(0, start + 1), scene),
    tool.applies
      ? touch(
          scene,
          args.filter((word) => VARIABLES.test(word)).map((word) => word.replace(/^--?var-file=/, '')),
          'list',
        )
      : outcome('read'),
  );
  const listed = (list: string | undefined) => first !== undefined && asSet(list).has(first);
  const isDry = (tool.rehearses === undefined || listed(tool.rehearses)) && rehearses(tool, args, options);

  // `redis-cli` and its kin take their commands from standard input.
  if (first === undefined && tool.reads && scene.stdin !== 'none') {
    const lines = scene.fed?.split('\n').filter((line) => line.trim() !== '');
    if (lines === undefined) return outcome('hidden', `${name} is given commands that are not known`);
    return combine(
      ...lines.map((line) => judgeTool(name, tool, line.trim().split(/\s+/), { ...scene, stdin: 'none' })),
    );
  }
  if (first === undefined && tool.alone && options.every(({ name: option }) => !LONE_OPTION.test(option)))
    return outcome(...tool.alone);
  if (first === undefined)
    return options.length === 0 ||
      options.every(({ name: option }) => LONE_OPTION.test(option) || option === '-v' || option.startsWith('--list'))
      ? outcome('read')
      : outcome(tool.otherwise, `runs ${name}`);
  if (tool.lists !== undefined && onlyLists(asSet(tool.lists), args, scene)) return outcome('read');
  const line = `${operands.join(' ')} `;
  if (tool.shows?.some(([words, unless]) => line.startsWith(`${words} `) && !args.some((word) => unless?.test(word))))
    return combine(outcome('read'), { ...paths, readOnly: true });
  if (tool.runs !== undefined && asSet(tool.runs).has(first)) return judgeRunner(name, first, args, scene);
  if (tool.applies !== undefined && isBareApply(operands))
    return combine(outcome('destructive', `${name} apply without a plan may destroy what it manages`), paths);
  const shape = (word: string) => /^[A-Za-z][\w:.-]*$/.test(word);
  const verbs = asSet(tool.verbs);
  const isMild = (word: string) =>
    tool.mild?.[0] === word && !options.some(({ name: option }) => tool.mild![1].test(option));
  const isVerb = (word: string) => !isMild(word) && (verbs.has(word) || verbs.has(word.toLowerCase()));
  const deletes =
    operands
      .slice(0, 4)
      .filter(shape)
      .some((word, index) => isVerb(word) || ((index === 0 || tool.otherwise === 'network') && saysDelete(word))) ||
    args.some((word) => optionDeletes(word) || isVerb(word));
  const isNamed =
    listed(tool.read) ||
    listed(tool.look) ||
    listed(tool.write) ||
    (listed(tool.network) && tool.otherwise !== 'network');
  if (listed(tool.destructive) || (deletes && !isNamed)) {
    if (!isDry)
      return combine(outcome('destructive', `tells ${name} to delete or overwrite something for good`), paths);
    return combine(outcome('network', `asks ${name} what it would do`), paths);
  }
  if (listed(tool.read)) return combine(outcome('read'), { ...paths, readOnly: true });
  if (listed(tool.look))
    return combine({ ...outcome('network', `asks ${name}`), readOnly: true }, { ...paths, readOnly: true });
  if (listed(tool.write)) {
    const onlyChecks = listed(tool.checks) && !options.some(({ name: option }) => CHANGES.test(option));
    const judged = combine(outcome('write', `${name} ${first} changes files or runs the project's own code`), paths);
    return onlyChecks && judged.class === 'write' ? { ...judged, readOnly: true } : judged;
  }
  if (listed(tool.outside)) return combine(outcome('outside', `${name} ${first} changes the machine`), paths);
  if (listed(tool.network)) {
    const isGlobal = options.some(
      ({ name: option }) => option === '-g' || option === '--global' || option === '--location',
    );
    return combine(
      {
        ...outcome(
          isGlobal ? 'outside' : 'network',
          `${name} ${first} ${isGlobal ? 'changes the machine' : 'reaches the network'}`,
        ),
        readOnly: false,
      },
      paths,
    );
  }
  const what = tool.otherwise === 'unknown' ? 'is not known to ada' : 'reaches the network or a service';
  return combine({ ...outcome(tool.otherwise, `${name} ${first} ${what}`), readOnly: false }, paths);
}

/** `npm run` without the name of a script lists them; what it is fed may be the answer to a question. */
const onlyLists = (lists: ReadonlySet<string>, args: readonly string[], { stdin }: Scene): boolean =>
  stdin === 'none' &&
  args.filter((word) => lists.has(word)).length === 1 &&
  args.every((word) => lists.has(word) || /^(--json|-s|--silent|--workspaces|-ws|--workspace=[\w@/.-]+)$/.test(word));

/** `terraform apply` without the file of a plan: what it changes and destroys is worked out only when it runs. */
function isBareApply(operands: readonly string[]): boolean {
  const at = operands.slice(0, 3).indexOf('apply');
  return at >= 0 && operands.slice(at + 1).every((word) => word.includes('=') || /\.tfvars(\.json)?$/.test(word));
}

/** `uv run pytest`, `doppler run -- make`: the words after it are a command. */
function judgeRunner(name: string, first: string, args: readonly string[], scene: Scene): Outcome {
  const rest = args.slice(args.indexOf(first) + 1);
  const dashes = rest.indexOf('--');
  const command = dashes >= 0 ? rest.slice(dashes + 1) : rest;
  if (command[0]?.startsWith('-'))
    return combine(outcome('unknown', `runs a command through ${name}`), scanWords(rest, scene));
  return combine(outcome('unknown', `runs a command through ${name}`), {
    ...outcome('read'),
    inner: command.length > 0 ? scene.command(command, scene) : [],
  });
}
