/**
 * Shells and interpreters. Shell code is read like any command; code of other languages is only searched for what must
 * not run unasked, and never counts as a read.
 */
import { withoutScheme } from './client-commands.ts';
import { judgeCode } from './inline-code.ts';
import { judgeModule, moduleOf } from './python-modules.ts';
import { scanWords } from './scan-words.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { judgeSqliteRead } from './sqlite-reads.ts';
import { isDatabase, judgeListed, judgeStatements, listsFiles } from './statements.ts';
import { ANY_WORDS, isDescriptor, mayBeOption, SOME_NUMBER } from './syntax.ts';
import { judgeWritten } from './written-files.ts';

const SHELLS = new Set('sh bash dash zsh ksh mksh ash fish rbash'.split(' '));
const NAMES =
  /^(python[\d.]*|pypy3?|node|nodejs|deno|bun|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|luajit|Rscript|osascript|pwsh|powershell|tclsh|wish|julia|groovy|scala|ts-node|tsx|elixir|guile|racket|java|R|irb|ghci|sqlite3|psql|mysql|mariadb|mongosh|mongo|clickhouse-client|cqlsh|sqlcmd|duckdb|crystal|dart|swipl|octave|bb|clj|clojure)$/i;

/** Options that are followed by code. */
const CODE_OPTIONS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(python|pypy)/, /^-[a-zA-Z]*c$/],
  [/^(node|nodejs|tsx|ts-node)/, /^(-e|-p|-pe|--eval|--print)$/],
  [/^bun$/, /^(-e|-p|--eval|--print)$/],
  [/^(perl|ruby)/, /^-[a-zA-Z0-9]*[eE]$/],
  [/^php/, /^-(r|R|B|E)$/],
  [/^(lua|osascript|Rscript|R$|julia|elixir|scala|groovy|racket|ghci|irb|bb|clj|clojure)/i, /^(-e|-E|--eval)$/],
  [/^(octave|swipl)$/, /^(--eval|-g|-t)$/],
  [/^guile$/, /^-c$/],
  [/^(pwsh|powershell)$/, /^-(c|Command|EncodedCommand|e|enc)$/i],
  [/^(psql|cockroach)$/, /^(-c|--command)$/],
  [/^(clickhouse-client|sqlcmd|cqlsh|duckdb)$/, /^(-q|-Q|-e|-c|--query|--execute)$/],
  [/^(mysql|mariadb)$/, /^(-e|--execute)$/],
  [/^(mongosh|mongo)$/, /^--eval$/],
];

export const isInterpreter = (name: string): boolean => SHELLS.has(name) || NAMES.test(name);

/** Judges a shell or an interpreter with its words; undefined when the program is neither. */
export function judgeInterpreter(name: string, words: readonly string[], scene: Scene): Outcome | undefined {
  if (SHELLS.has(name)) return judgeShell(name, words, scene);
  if (!NAMES.test(name)) return undefined;
  const reads = name === 'sqlite3' ? judgeSqliteRead(words, scene) : undefined;
  if (reads) return reads;
  if (words.length === 1 && /^(--version|-V|-v|--help|-h|-version)$/.test(words[0]!)) return outcome('read');
  const codeOption = CODE_OPTIONS.find(([program]) => program.test(name))?.[1];
  const notes: Outcome[] = [];
  let hasCode = false;
  for (let i = 0; i < words.length; i++) {
    const [option, attached] = splitEquals(words[i]!);
    if (/^-(EncodedCommand|e|enc)$/i.test(option) && /^(pwsh|powershell)$/.test(name))
      return outcome('hidden', 'runs an encoded command');
    if (codeOption?.test(option)) {
      hasCode = true;
      const code = attached ?? words[i + 1] ?? '';
      // What it comes to is printed.
      const prints = /^(node|nodejs|tsx|ts-node|bun)$/.test(name) && /^(-p|-pe|--print)$/.test(option);
      notes.push(judgeCode(name, prints ? `print(${code})` : code, scene));
      if (isDatabase(name)) notes.push(judgeListed(name, code, scene));
    }
    // `python -cCODE` and `perl -eCODE`: the code is attached.
    const joined = /^-[a-zA-Z]*?[ceE](.{2,})$/s.exec(words[i]!);
    if (
      joined &&
      codeOption &&
      !words[i]!.startsWith('--') &&
      /^(python|perl|ruby|pypy|php|psql|mysql|mariadb)/.test(name) &&
      /\W/.test(joined[1]!)
    ) {
      hasCode = true;
      notes.push(judgeCode(name, joined[1]!, scene));
    }
  }
  if (name === 'deno' && words[0] === 'eval') notes.push(judgeCode(name, words.slice(1).join(' '), scene));
  if (name === 'sqlite3' || name === 'duckdb')
    for (const word of words) {
      notes.push(judgeCode(name, word, scene), judgeListed(name, word, scene));
      if (/^file:/i.test(word)) notes.push(touch(scene, [withoutScheme(word)], 'write'));
    }
  // Node and its kin take modules whose text is in their address.
  for (const word of words)
    if (/(^|=)data:/.test(word)) notes.push(outcome('hidden', `${name} is given code in an address`));
  if (/^(psql|mysql|mariadb|mongo|clickhouse|cqlsh|sqlcmd)/.test(name))
    notes.push(outcome('network', `${name} talks to a database`));
  if (/^(perl|ruby)/.test(name) && words.some((word) => /^-[a-zA-Z0-9]*i/.test(word) && !/^-I/.test(word))) {
    notes.push({ ...outcome('write', `${name} -i changes files`), readOnly: false });
  }
  const module = moduleOf(name, words);
  const asks = asksInput(name, words);
  if (asks) notes.push(judgeAsked(name, scene));
  if (module) return combine(judgeModule(module, scene), ...notes);
  const script = words.find((word) => !word.startsWith('-'));
  // The operand of a client is its database: what it does comes from standard input.
  const isClient =
    name === 'sqlite3'
      ? words.filter((word) => !word.startsWith('-')).length < 2
      : /^(psql|mysql|mariadb)$/.test(name) && !words.some((word) => /^(-f|--file)/.test(word));
  const isFed =
    !hasCode &&
    (isClient || script === undefined || words.includes('-') || /^\/dev\/(stdin|fd\/0)$/.test(script ?? ''));
  if (isDatabase(name) && !hasCode && scene.stdin === 'file' && !listsFiles(words))
    notes.push(...(scene.from ?? ['']).map((file) => judgeStatements(name, file, scene)));
  if (isFed && scene.fed !== undefined) {
    notes.push(judgeCode(name, scene.fed, scene));
    if (isDatabase(name)) notes.push(judgeListed(name, scene.fed, scene));
  } else if (isFed && scene.stdin === 'text') notes.push(outcome('hidden', `${name} runs code that is computed`));
  if ((isFed && scene.stdin === 'pipe' && scene.fed === undefined) || isDescriptor(script)) {
    return combine(outcome('hidden', `${name} runs code that comes out of another command`), ...notes);
  }
  const program = script ?? '';
  const written = isFed || hasCode || program === '' ? undefined : judgeWritten(program, name, scene);
  if (written) notes.push(written);
  const listed = words.filter((_word, index) => /^(-f|--file|--?init)$/.test(words[index - 1] ?? ''));
  for (const file of listed)
    notes.push(
      judgeWritten(file, name, scene) ?? (isDatabase(name) ? judgeStatements(name, file, scene) : outcome('read')),
    );
  const runs = outcome('unknown', hasCode ? `runs ${name} code that ada cannot judge` : `runs a ${name} program`);
  const rest = hasCode ? words.filter((word) => !/[\s;()]/.test(word)) : words;
  return combine(runs, scanWords(rest, scene), ...notes);
}

/** Options with which the interpreter goes on with code from standard input behind everything else. */
const INTERACTIVE: readonly (readonly [RegExp, RegExp])[] = [
  [/^(python|pypy)/, /^-[bBdEhIOPqsSuvx]*i/],
  [/^(node|nodejs)$/, /^(-i|--interactive)$/],
  [/^(lua|guile)/, /^-i$/],
  [/^php/, /^-a$/],
];

const asksInput = (name: string, words: readonly string[]): boolean =>
  INTERACTIVE.some(([program, option]) => program.test(name) && words.some((word) => option.test(word)));

function judgeAsked(name: string, scene: Scene): Outcome {
  const asks = outcome('unknown', `${name} runs what it is given while it runs`);
  if (scene.fed !== undefined) return combine(asks, judgeCode(name, scene.fed, scene));
  return scene.stdin === 'none' ? asks : outcome('hidden', `${name} runs code that comes out of another command`);
}

function splitEquals(word: string): [string, string | undefined] {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

/** Settings of a shell that change nothing of how its code is read. */
const PLAIN_OPTION = /^(pipefail|errexit|nounset|xtrace|noclobber|noglob|verbose|allexport|posix|errtrace|functrace)$/;

function judgeShell(name: string, words: readonly string[], scene: Scene): Outcome {
  let least: Outcome = outcome('read');
  let isCode = false;
  let at = 0;
  const options = words.slice(
    0,
    Math.max(
      0,
      words.findIndex((word) => !/^[-+]/.test(word)),
    ),
  );
  // Nothing runs, it only looks whether the code is well-formed; an interactive shell would not care.
  if (
    options.length > 0 &&
    options.every((word) => /^-[nuvx]+$/.test(word)) &&
    options.some((word) => word.includes('n'))
  )
    return touch(scene, words.slice(options.length, options.length + 1), 'read');
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (word === '--') {
      at++;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    if (word === '--version' || word === '--help') return outcome('read');
    if (word === '--norc' || word === '--noprofile' || word === '--posix') continue;
    if (word.startsWith('--')) {
      if (word !== '--login') return outcome('hidden', `${name} ${word} can run another file first`);
      least = outcome('unknown', `${name} --login runs the start files first`);
      continue;
    }
    for (const letter of word.slice(1)) {
      if (letter === 'c') isCode = true;
      else if (letter === 'o') {
        if (!PLAIN_OPTION.test(words[++at] ?? '')) return outcome('hidden', `${name} -o ${words[at]} is not followed`);
      } else if (letter === 'l' || letter === 'i')
        least = outcome('unknown', `${name} -${letter} runs the start files first`);
      else if (!/[euxfnvhbmCE]/.test(letter)) return outcome('hidden', `${name} -${letter} is not known`);
    }
  }
  const rest = words.slice(at);
  if (isCode) {
    if (rest[0] === undefined) return least;
    const args = rest.some((word) => word.includes(ANY_WORDS)) ? undefined : rest.slice(1);
    // Without further words `$0` is the name of the shell, and `$1` is empty.
    const given = args?.length === 0 ? [name] : args;
    return combine(least, {
      ...outcome('read'),
      inner: scene.code(rest[0], { ...scene, depth: scene.depth + 1 }, given),
    });
  }
  if (isDescriptor(rest[0])) return outcome('hidden', `${name} runs code that comes out of another command`);
  if (rest[0] !== undefined && mayBeOption(rest[0]))
    return outcome('hidden', `${name} is told what to run only when it runs`);
  if (rest.length > 0 && rest[0] !== '-' && !/^\/dev\/(stdin|fd\/0)$/.test(rest[0]!))
    return combine(
      least,
      outcome('unknown', `runs the script ${rest[0]}`),
      scanWords(rest, scene),
      judgeWritten(rest[0]!, 'sh', scene, rest) ?? outcome('read'),
    );
  const fed: Outcome =
    scene.fed === undefined
      ? outcome('read')
      : {
          ...outcome('read'),
          inner: scene.code(scene.fed, { ...scene, stdin: 'none', fed: undefined, depth: scene.depth + 1 }),
        };
  const isTold = scene.fed !== undefined && scene.fed.trim() !== SOME_NUMBER;
  if ((scene.stdin === 'pipe' && !isTold) || scene.stdin === 'names')
    return combine(outcome('hidden', `${name} runs code that comes out of another command`), fed);
  if (scene.stdin === 'pipe')
    return combine(least, outcome('unknown', `${name} runs what another command prints`), fed);
  if (scene.stdin === 'text')
    return scene.fed === undefined ? outcome('hidden', `${name} runs code that is computed`) : combine(least, fed);
  return scene.stdin === 'file' ? outcome('unknown', `${name} runs a script`) : least;
}
