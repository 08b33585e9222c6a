/**
 * Commands that a client of a database obeys itself, among or instead of statements: `.output FILE` of sqlite3 and
 * duckdb, `\o FILE` of psql, `tee FILE` of mysql. Sources: the manual of each client.
 */
import { scanWords } from './scan-words.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';

/** Commands of sqlite3 and duckdb that only show or set something of their own; any may be shortened. */
const DOTS_SHOW = new Set(
  'auth bail binary changes check columns connection constant crlf crnl databases dbconfig dbinfo dbtotxt display_colors dump echo eqp exit explain expert filectrl fullschema headers header help highlight imposter indexes indices intck keyword large_number_rendering limit lint maxrows maxwidth mode nonce nullvalue parameter print progress prompt quit recover rows scanstats schema selftest separator sha3sum show stats tables testctrl timeout timer unmodule version vfsinfo vfslist vfsname width'.split(
    ' ',
  ),
);
const DOTS_RUN = 'shell system load excel www edit';
const isShort = (name: string, list: string): boolean => list.split(' ').some((one) => one.startsWith(name));

/** What the client's own commands in some code reach beyond the database. */
export function judgeClientCommands(name: string, code: string, scene: Scene): Outcome {
  if (name === 'sqlite3' || name === 'duckdb')
    return combine(outcome('read'), ...code.split('\n').map((line) => judgeDot(name, line, scene)));
  if (name === 'psql')
    return combine(outcome('read'), ...backslashes(code).map((words) => judgeBackslash(words, scene)));
  if (/^(mysql|mariadb)$/.test(name))
    return combine(outcome('read'), ...code.split(/[\n;]/).map((line) => judgeMysql(line, scene)));
  return outcome('read');
}

function judgeDot(client: string, line: string, scene: Scene): Outcome {
  const [, name = '', text = ''] = /^\s*\.([A-Za-z_]\w*)(.*)$/s.exec(line) ?? [];
  if (name === '' || DOTS_SHOW.has(name.toLowerCase())) return outcome('read');
  const lower = name.toLowerCase();
  const words = wordsOf(text);
  const given = words.filter((word) => !/^-/.test(word));
  if (
    isShort(lower, DOTS_RUN) ||
    words.some((word) => /^[|!]/.test(word)) ||
    words.some((word) => /^-+[exw]$/.test(word))
  )
    // `.s` and `.e` show, but so short a word is as good as none.
    return outcome('hidden', `${client} .${name} can run a program`);
  if (lower === 'cd') return outcome('hidden', `${client} .cd changes where the names of files lead`);
  return combine(scanWords(words, scene), touch(scene, given.map(withoutScheme), 'write'));
}

/** `file:../x?mode=ro` is an address of a database. */
export function withoutScheme(word: string): string {
  const path = /^file:(?:\/\/(?:localhost)?(?=\/))?([^?#]*)/i.exec(word)?.[1];
  if (path === undefined) return word;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function judgeBackslash([name = '', ...words]: readonly string[], scene: Scene): Outcome {
  if (name === '!' || words.some((word) => /^\|/.test(word) || word.includes('`')))
    return outcome('hidden', `psql \\${name} runs a command`);
  if (/^(i|ir|include|include_relative)$/.test(name)) return touch(scene, words, 'read');
  if (/^(e|ef|ev|edit)$/.test(name)) return outcome('hidden', `psql \\${name} opens an editor`);
  if (name === 'cd') return outcome('hidden', 'psql \\cd changes where the names of files lead');
  if (name === 'setenv') return outcome('hidden', 'psql \\setenv can change what runs');
  if (name === 'gexec') return outcome('hidden', 'psql runs the statements that another one gives');
  if (/^(o|out|w|write|s|g|gx|lo_import|lo_export|copy)$/.test(name)) {
    // Of `\copy` only what stands in quotes, or behind `to` and `from`, is a file.
    const paths =
      name === 'copy'
        ? words.filter((_word, at) => /^(to|from)$/i.test(words[at - 1] ?? ''))
        : words.filter((word) => !/^\(/.test(word));
    if (name === 'copy' && paths.some((path) => /^program$/i.test(path)))
      return outcome('hidden', 'psql \\copy runs a command');
    return touch(scene, paths, 'write');
  }
  return outcome('read');
}

/** The commands that begin with a backslash, each with its words. */
function backslashes(code: string): readonly (readonly string[])[] {
  return code
    .split('\n')
    .flatMap((line) =>
      [...line.matchAll(/\\(!|[a-z_]+\+?)([^\\\n]*)/g)].map((match) => [match[1]!, ...wordsOf(match[2]!)]),
    );
}

function judgeMysql(line: string, scene: Scene): Outcome {
  const [, name = '', text = ''] = /^\s*(\\[!TPpe]|system|tee|pager|edit|source|\\\.)(?=\s|$)(.*)$/is.exec(line) ?? [];
  if (name === '') return outcome('read');
  if (/^(\\T|tee)$/.test(name) || /^tee$/i.test(name)) return touch(scene, wordsOf(text), 'write');
  return /^(\\p|source|\\\.)$/i.test(name) && name !== '\\P'
    ? outcome('read')
    : outcome('hidden', `mysql ${name} runs a command`);
}

/** Words of a line, without their quotes. */
function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)"|([^\s;'"]+)/g)].map(
    (match) => match[1] ?? match[2]?.replace(/\\(.)/g, '$1') ?? match[3]!,
  );
}
