/**
 * Programs that run a command in a container, on another machine or in another environment, as one table: where the
 * inner command begins, and in which options code stands. Sources: the manual of each tool.
 */
import type { AccessClass } from '../../types.ts';
import { judgeMounts } from './containers.ts';
import { judgeCode } from './inline-code.ts';
import { type Option, splitArguments } from './options.ts';
import { salvageWords } from './salvage.ts';
import { scanWords } from './scan-words.ts';
import { combine, type Outcome, outcome, type Part, type Scene, touch } from './scene.ts';
import { SHELL_SURROUNDINGS } from './surroundings.ts';

export interface Elsewhere {
  /** The subcommands before it; options may stand between them. */
  at: string;
  /** Options with a value, before the inner command. */
  values?: string;
  /** Operands before the inner command: the image, the name of the container. */
  skip?: number;
  /** Options whose value is shell code; `texts`: whose words or quoted parts are. */
  code?: string;
  texts?: string;
  /** Options whose value is a statement for a database. */
  sql?: string;
  /** The command only stands behind `--`. */
  dashes?: true;
  /** Each operand is shell code. */
  codes?: true;
  /** It runs on this machine, where paths are ours. */
  own?: true;
  /** A container, which may be given folders of this machine. */
  mounts?: true;
  least: readonly [AccessClass, string];
}

const FLAGS =
  /^(-[itdTqPnvh0l]|--(rm|init|tty|interactive|detach|no-tty|no-TTY|no-deps|quiet|quiet-pull|build|publish-all|privileged|read-only|no-healthcheck|user|pty|pipe|wait|collect|same-dir|exec|remove-orphans|service-ports|use-aliases|sig-proxy|stdin|no-color|force-tty)(=.*)?)$/;

/** The outcome of a command that runs another one elsewhere; undefined where the words are no such command. */
export function judgeElsewhere(name: string, args: readonly string[], scene: Scene): Outcome | undefined {
  if (!Object.hasOwn(SHELL_SURROUNDINGS, name)) return undefined;
  const { values = '', rows } = SHELL_SURROUNDINGS[name]!;
  for (const row of rows) {
    const rest = behind(args, row.at, new Set(values.split(' ')));
    if (rest) return judgeRow(row, args.slice(0, args.length - rest.length), rest, scene);
  }
  return undefined;
}

/** The words behind the subcommands; undefined where others stand there. */
function behind(args: readonly string[], at: string, values: ReadonlySet<string>): readonly string[] | undefined {
  let rest = args;
  for (const word of at === '' ? [] : at.split(' ')) {
    const { operands } = splitArguments(rest, { values, stopAtOperand: true });
    if (operands[0] !== word) return undefined;
    rest = operands.slice(1);
  }
  return rest;
}

function judgeRow(row: Elsewhere, before: readonly string[], rest: readonly string[], scene: Scene): Outcome {
  const set = (list: string | undefined) => new Set(list?.split(' '));
  const values = new Set([...set(row.values), ...set(row.code), ...set(row.sql), ...set(row.texts)]);
  const { options, operands } = splitArguments(rest, {
    values,
    stopAtOperand: row.skip !== undefined && !row.dashes && !row.codes,
  });
  const dashes = rest.indexOf('--');
  const skipped = row.dashes ? (dashes < 0 ? [] : rest.slice(dashes + 1)) : operands.slice(row.skip ?? 0);
  const words = skipped[0] === '--' ? skipped.slice(1) : skipped;
  const entry = options.find((option) => option.name === '--entrypoint')?.value;
  const command = row.skip === undefined && !row.dashes ? [] : entry ? [entry, ...words] : words;
  const inner: Part[] = [];
  if (row.codes) for (const text of operands) inner.push(...scene.code(text, scene));
  else if (command.length > 0) inner.push(...judgeCommandWords(command, scene));
  // An option that is not known may swallow a word, so that the command begins elsewhere.
  if (options.some((option) => !values.has(option.name) && !FLAGS.test(option.name) && option.value === undefined))
    inner.push(...salvageWords(operands, scene));
  const given = [...options, ...attached(rest, values)];
  for (const code of valuesOf(given, set(row.code)))
    inner.push(...scene.code(code, { ...scene, stdin: 'none', fed: undefined }));
  for (const text of textsOf(rest, set(row.texts)))
    inner.push(...scene.code(text, { ...scene, stdin: 'none', fed: undefined }));
  const statements = valuesOf(given, set(row.sql)).map((text) => judgeCode('psql', text, scene));
  const isGrave = (part: Part) => part.class === 'destructive' || part.class === 'hidden';
  const mounts = row.mounts ? judgeMounts(options, inner, scene) : outcome('read');
  const hasSecret = (part: Part) =>
    tellsSecret(part) || (row.mounts !== undefined && part.reasons.some((reason) => /secret/.test(reason)));
  const deletes = options.some((option) => /^--(unregister|delete|destroy|remove)$/.test(option.name));
  const least = {
    ...(deletes ? outcome('destructive', 'deletes an environment') : outcome(...row.least)),
    readOnly: false,
  };
  return combine(
    least,
    mounts,
    ...statements.filter((one) => one.class === 'destructive' || one.class === 'hidden'),
    // Words that belong to this machine: those before the command, and never those inside it.
    row.mounts
      ? outcome('read')
      : scanWords(
          [...before, ...rest.slice(0, rest.length - operands.length)].filter((word) => !/\s/.test(word)),
          scene,
        ),
    touch(scene, valuesOf(options, new Set(['--env-file', '--cidfile', '--label-file'])), 'read'),
    { ...outcome('read'), inner: row.own ? inner : inner.filter((part) => isGrave(part) || hasSecret(part)) },
  );
}

const valuesOf = (options: readonly Option[], names: ReadonlySet<string>): readonly string[] =>
  options.flatMap(({ name, value }) => (names.has(name) && value !== undefined ? value : []));

/** The words of a command; a lone one with spaces is a line that a shell reads. */
export function judgeCommandWords(words: readonly string[], scene: Scene): readonly Part[] {
  const settings = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const command = settings < 0 ? [] : words.slice(settings);
  if (command.length === 1 && /\s/.test(command[0]!)) return scene.code(command[0]!, scene);
  return command.length === 0 ? [] : scene.command(command, scene);
}

/** A secret or the environment of another machine is one as well; what lies in folders here says nothing of it. */
export const tellsSecret = (part: Part): boolean =>
  part.reasons.some((reason) =>
    /^(?!.*\bwhich ).* may hold secrets$|^prints (every variable|the variable)|prints credentials$|the variable \w+, which may be a secret$/.test(
      reason,
    ),
  );

/** `--command=CODE` behind the operands, where reading stopped at the first of them. */
function attached(words: readonly string[], names: ReadonlySet<string>): readonly Option[] {
  return words.flatMap((word) => {
    const [, name = '', value] = /^(--?[A-Za-z][\w-]*)=(.*)$/s.exec(word) ?? [];
    return names.has(name) && value !== undefined ? [{ name, value }] : [];
  });
}

/** All words behind the option, and what is quoted in them. */
function textsOf(words: readonly string[], names: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  for (const [index, word] of words.entries()) {
    const equals = word.startsWith('-') ? word.indexOf('=') : -1;
    if (!names.has(equals < 0 ? word : word.slice(0, equals))) continue;
    const following = words.slice(index + 1);
    const end = following.findIndex((other) => other.startsWith('-'));
    for (const text of equals < 0 ? following.slice(0, end < 0 ? undefined : end) : [word.slice(equals + 1)]) {
      const quoted = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1]!.replace(/\\(.)/g, '$1'));
      found.push(...(quoted.length > 0 ? quoted : [text.replace(/^\w+=\[?/, '').replace(/\]$/, '')]));
    }
  }
  return found;
}
