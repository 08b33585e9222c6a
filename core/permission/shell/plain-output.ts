/**
 * What commands print whose output has a known form, whatever it is: numbers, identifiers, names of branches and
 * versions, a new temporary folder, flags of a compiler. None of it begins with a dash, leads elsewhere or holds a secret.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { absolute, placePath } from '../paths.ts';
import type { Scene } from './scene.ts';
import { isComputed, SOME_FLAGS, SOME_FOLDER, SOME_NAME, SOME_NUMBER } from './syntax.ts';

/** A command of which each word fits one of the patterns prints this. */
type Row = readonly [program: RegExp, words: RegExp, output: string];

/** Words of a command, joined; each row covers it whole. */
const ROWS: readonly Row[] = [
  [/^nproc$/, /^(--all|--ignore=\d+)?$/, SOME_NUMBER],
  [/^go$/, /^env (GOOS|GOARCH|GOVERSION|GOHOSTOS|GOHOSTARCH|CGO_ENABLED)$/, SOME_NUMBER],
  [/^(whoami|arch|logname)$/, /^$/, SOME_NUMBER],
  [/^uname$/, /^(-[smrpn]|--machine|--kernel-name)?$/, SOME_NUMBER],
  [/^id$/, /^-(u|g|un|gn)$/, SOME_NUMBER],
  // `%n` and `%t` would begin a new word, and letters could make any name.
  [
    /^date$/,
    /^(-u |--utc )?(\+%[-_0^#]?[a-mo-su-zA-Z](%[-_0^#]?[a-mo-su-zA-Z]|[-:.,_ @]|[TZ](?![a-zA-Z])|\/(?=%))*)?$|^(-u|--utc)$|^-I\w*$/,
    SOME_NUMBER,
  ],
  [/^seq$/, /^(-?\d+ ?){1,3}$/, SOME_NUMBER],
  [
    /^(docker|podman|nerdctl)$/,
    /^(container )?(ps|ls)( -(a|l|n ?\d+|aq|lq|ql|qa|q)| --(all|latest|quiet|no-trunc)| (-f|--filter)[ =][\w=./:-]+)*$/,
    SOME_NUMBER,
  ],
  [
    /^(docker|podman|nerdctl)$/,
    /^(images|image ls|volume ls|network ls)( -(q|a|qa|aq)| --quiet| (-f|--filter)[ =][\w=./:-]+)*$/,
    SOME_NUMBER,
  ],
  [/^(docker|podman)$/, /^compose( (-f|-p|--file) [\w./-]+)* ps( -(q|a|aq|qa)| --quiet)+( [\w-]+)*$/, SOME_NUMBER],
  [/^docker-compose$/, /^ps( -q| --quiet)( [\w-]+)*$/, SOME_NUMBER],
  [
    /^(kubectl|oc)$/,
    /^get (po|pods?|deploy|deployments?|svc|services?|nodes?|jobs?|rs|sts|ns|namespaces?|ds|ing)( (-n|-l|--namespace|--selector|--field-selector)[ =]?[\w=.,!/-]+| -A| --all-namespaces| --no-headers)*( -o ?name| --output[ =]name| -oname)( (-n|-l|--namespace|--selector)[ =]?[\w=.,!/-]+)*$/,
    SOME_NAME,
  ],
  [
    /^git$/,
    /^rev-list( (-n ?1|-1|--count|--max-count=1|--max-parents=0|--tags|--all|--no-merges))* ?(HEAD|[\w/~^.-]+)?$/,
    SOME_NUMBER,
  ],
  [/^git$/, /^rev-parse( (--short(=\d+)?|--verify|-q|--quiet))*( (HEAD|@)[~^\d]*)$/, SOME_NUMBER],
  [
    /^git$/,
    /^log( (-1|-n ?1))( --no-walk| --date=\w+)* (--pretty|--format)=(format:|tformat:)?(%[hHtTpP]|%c[tir]|%a[ti])$/,
    SOME_NUMBER,
  ],
  [
    /^git$/,
    /^describe( --(tags|always|long|all|dirty|abbrev=\d+|exact-match|first-parent|match=[\w.*-]+)| (HEAD|@)[~^\d]*)*$/,
    SOME_NAME,
  ],
  [
    /^git$/,
    /^(rev-parse --abbrev-ref (HEAD|@)|symbolic-ref (--short|-q --short) HEAD|branch --show-current)$/,
    SOME_NAME,
  ],
  [
    /^(pkg-config|pkgconf)$/,
    /^(--(cflags|libs|static|cflags-only-I|libs-only-l|libs-only-L) ?)+( ?[\w.+>=-]+)+$/,
    SOME_FLAGS,
  ],
  [
    /^(python3?(\.\d+)?|llvm|sdl2|xml2|icu|gtk|curl|wx|freetype|pcre2?|mysql|pg|php|ncursesw?6?)[-_]?config$/,
    /^(--(cflags|libs|includes|ldflags|cxxflags|system-libs|embed) ?)+$/,
    SOME_FLAGS,
  ],
  [/^mktemp$/, /^((-d|-q|--directory|--quiet|-dq|-qd)( |$))*(-t [\w.-]+)?$/, `${tmpdir()}/${SOME_FOLDER}`],
];

/** Undefined when the form of the output is not known. */
export function plainOutput([program = '', ...args]: readonly string[], scene: Scene): string | undefined {
  if (args.some((word) => isComputed(word) || word.includes('\n'))) return undefined;
  const line = args.join(' ');
  const row = ROWS.find(([name, words]) => name.test(program) && words.test(line));
  if (row) return row[2];
  switch (program) {
    case 'wc':
      // Behind a pipe or a redirect nothing but the count is printed.
      return args.length === 1 && /^(-[lwcm]|--(lines|words|bytes|chars))$/.test(line) && scene.stdin !== 'none'
        ? SOME_NUMBER
        : undefined;
    case 'grep':
    case 'rg':
      return args.length > 1 &&
        /^(-c|-\w*c\w*|--count)$/.test(args[0]!) &&
        !args.some((word) => /^-\w*[rRH]/.test(word))
        ? countOf(args, scene)
        : filtered(args.filter((word) => !/^-[vEFiwx]+$/.test(word)).slice(1), scene);
    case 'head':
    case 'tail':
      return filtered(
        args.filter((word) => !/^(-n|-\d+|-n\d+|\d+|-1)$/.test(word)),
        scene,
      );
    case 'sort':
    case 'uniq':
      return filtered(
        args.filter((word) => !/^-[rnuVhfbg]+$/.test(word)),
        scene,
      );
    case 'tr':
      return scene.fed?.trim() === SOME_NUMBER && /^(-d (' '| |\s|\\n|\[:space:\])|\\n {1,2})$/.test(line)
        ? SOME_NUMBER
        : undefined;
    case 'basename':
      return args.length === 1 && args[0] === SOME_NAME ? SOME_NAME : undefined;
    case 'node':
    case 'jq':
    case 'cat':
      return ownToken(program, args, scene);
  }
  return undefined;
}

/** With one file, or with standard input, only the number. */
function countOf(args: readonly string[], scene: Scene): string | undefined {
  const operands = args.filter((word) => !word.startsWith('-'));
  return operands.length === 2 || (operands.length === 1 && scene.stdin !== 'none') ? SOME_NUMBER : undefined;
}

/** A filter without files of its own leaves each line as it is. */
function filtered(rest: readonly string[], scene: Scene): string | undefined {
  const text = scene.fed?.trim();
  return rest.length === 0 && (text === SOME_NUMBER || text === SOME_NAME) ? text : undefined;
}

const OWN_TEXT = /^(?:console\.log\()?require\((['"])(\.\/[\w./-]+\.json)\1\)\.(\w+)\)?$/;

/** Whether a command is node code that only prints one text out of a JSON file: it changes nothing. */
export const isOwnText = (program: string, args: readonly string[]): boolean =>
  program === 'node' && args.length === 2 && /^(-p|-e|--print)$/.test(args[0]!) && OWN_TEXT.test(args[1]!);

const TOKEN = /^v?\d[\w.+-]{0,99}$/;
const MAX_BYTES = 64 << 10;

/** `cat VERSION`, and a text of `package.json`: one plain word, as it is now. Nothing before may have changed it. */
function ownToken(program: string, args: readonly string[], scene: Scene): string | undefined {
  if (scene.shell.course.isChanged) return undefined;
  const [first = '', second = ''] = args;
  const code = isOwnText(program, args) ? OWN_TEXT.exec(second) : undefined;
  const [file, key] =
    program === 'cat' && args.length === 1
      ? [first, undefined]
      : code
        ? [code[2]!, code[3]!]
        : program === 'jq' && args.length === 3 && /^(-r|--raw-output)$/.test(first) && /^\.\w+$/.test(second)
          ? [args[2]!, second.slice(1)]
          : [];
  if (file === undefined || scene.cwds.length !== 1) return undefined;
  const text = contentOf(file, scene, key === undefined ? 200 : MAX_BYTES);
  if (text === undefined) return undefined;
  if (key === undefined) return tokenIn(text.replace(/\r?\n$/, ''));
  try {
    const value: unknown = (JSON.parse(text) as Record<string, unknown>)[key];
    return typeof value === 'string' ? tokenIn(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Like a version: no word that leads to a file or says what to do. */
const tokenIn = (text: string): string | undefined => (TOKEN.test(text) && !text.includes('..') ? text : undefined);

/** The text of a small file inside the project that is no secret. */
function contentOf(file: string, { cwds, places }: Scene, most: number): string | undefined {
  const placed = placePath(file, cwds[0]!, places);
  if (!placed.inside || placed.secret || /[*?[~]/.test(file)) return undefined;
  try {
    const path = absolute(file, cwds[0]!, places.home);
    const found = statSync(path);
    if (!found.isFile() || found.size > most) return undefined;
    const bytes = Buffer.alloc(found.size);
    const handle = openSync(path, 'r');
    try {
      return bytes.toString('utf8', 0, readSync(handle, bytes, 0, found.size, 0));
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}
