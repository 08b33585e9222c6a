/** Commands that print the environment, in which keys and passwords are handed to programs. */
import { isSecretVariable } from '../sensitive-names.ts';
import { READ_PROGRAMS } from './read-programs.ts';
import { plainText, type SimpleCommand, type Word } from './syntax.ts';

const ALL = 'prints every variable of the environment, also keys and passwords';
const one = (name: string) => `prints the variable ${name}, which may be a secret`;

/** Why a command shows secrets of the environment; undefined when it does not. */
export function readsEnvironment(name: string, args: readonly string[]): string | undefined {
  const operands = args.filter((word) => !word.startsWith('-'));
  switch (name) {
    case 'printenv': {
      if (/^--(version|help)$/.test(args[0] ?? '')) return undefined;
      if (operands.length === 0) return ALL;
      return secretAmong(operands);
    }
    case 'env':
      return onlyPrints(args) ? ALL : undefined;
    case 'set':
      return args.length === 0 ? ALL : undefined;
    case 'export':
    case 'declare':
    case 'typeset':
    case 'readonly': {
      if (args.some((word) => /^-\w*[fF]/.test(word))) return undefined;
      if (operands.length === 0) return ALL;
      return args.some((word) => /^-\w*p/.test(word)) ? secretAmong(operands) : undefined;
    }
    case 'jq':
      return args.some((word) => namesAll(word, /(?<![.\w$"'@])(?:env|\$ENV)\b(?!\s*:)(?:\.(\w+)|\["(\w+)"\])?/g))
        ? ALL
        : undefined;
    case 'yq':
      return args.some((word) => /\b(env|strenv|envsubst|\$ENV|load\w*)\b/.test(word)) ? ALL : undefined;
    case 'awk':
    case 'gawk':
    case 'mawk':
    case 'nawk':
      return args.some((word) => namesAll(word, /\bENVIRON\b(?:\["(\w+)"\])?()/g)) ? ALL : undefined;
    case 'ps':
      return args.some((word, index) => {
        if (/^-[A-Za-z]*E/.test(word)) return true;
        const before = args[index - 1] ?? '';
        const isValue = /^-[a-zA-Z]*[pugstoCGUqNO]$|^--\w|^[a-z]*[optU]$/.test(before);
        return /^[a-zA-Z]*e[a-zA-Z]*$/.test(word) && !isValue;
      })
        ? ALL
        : undefined;
  }
  return undefined;
}

/** `env` without a command: all that is left of its words are options and settings. */
function onlyPrints(args: readonly string[]): boolean {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    // With an empty environment it prints what it is given.
    if (/^(-|-i|--ignore-environment|--version|--help)$/.test(word)) return false;
    if (word === '-u' || word === '--unset') at++;
    else if (!word.startsWith('-') && !/^\w+=/.test(word)) return false;
  }
  return true;
}

/** Whether some place names the whole environment, or a variable of it that may be a secret. */
function namesAll(text: string, pattern: RegExp): boolean {
  return [...text.matchAll(pattern)].some((match) => {
    const name = match[1] ?? match[2];
    return name === undefined || name === '' || isSecretVariable(name);
  });
}

function secretAmong(names: readonly string[]): string | undefined {
  const found = names.find((word) => isSecretVariable(word) || !/^[\w=-]+$/.test(word));
  return found === undefined ? undefined : one(found);
}

/** They print their words, or what they make of them. */
const SAYING = new Set('echo printf print expr basename dirname seq yes numfmt factor'.split(' '));
/** They print what they are fed, beside the programs that print files. */
const FILTERS = new Set('tr sed gsed awk gawk mawk nawk uniq xxd jq tee xargs numfmt'.split(' '));
/** A search with these prints no line. */
const QUIET = /^(-[nivwxsHhEFPa]*[qc][a-zA-Z]*|--quiet|--silent|--count)$/;

/**
 * Why a command shows a secret of the environment, a variable of such a name that nothing set here: in the words that it
 * prints, in a text that it is fed, or in the message of `${X:?…}`.
 */
export function shownSecret(
  program: string | undefined,
  { words, redirects }: SimpleCommand,
  isSet: (name: string) => boolean,
): string | undefined {
  const fed = () => redirects.filter(({ op }) => op === '<<<' || op === '<<').map(({ target }) => target);
  const texts = SAYING.has(program ?? '') ? words : printsFed(program ?? '', words) ? fed() : [];
  for (const word of texts)
    for (const atom of word)
      if (atom.kind === 'variable' && atom.fallback?.how !== '+' && isSecretVariable(atom.name) && !isSet(atom.name))
        return one(atom.name);
  for (const word of words)
    for (const atom of word)
      if (atom.kind === 'variable' && atom.fallback?.how === '?')
        for (const inner of atom.fallback.word)
          if (inner.kind === 'variable' && isSecretVariable(inner.name) && !isSet(inner.name)) return one(inner.name);
  return undefined;
}

function printsFed(program: string, words: readonly Word[]): boolean {
  const reader = Object.hasOwn(READ_PROGRAMS, program) ? READ_PROGRAMS[program]! : undefined;
  if (reader?.search && words.some((word) => QUIET.test(plainText(word) ?? ''))) return false;
  return reader?.operands === 'content' || FILTERS.has(program);
}

/** Code of another language that shows the whole environment. */
export const ENVIRONMENT_CODE =
  /(?<!\bimport\s[^\n;]{0,60})\benviron\b(?!\s*(\[|\.([A-Z][A-Z0-9_]*|get|setdefault|pop|update|copy)\b|\s*$))|\bprocess\.env\b(?!\s*(\.|\[|\?\.))|\{\s*env\b[^{}]*\}\s*=\s*process\b|\bDeno\.env\.toObject\b|\bBun\.env\b(?!\s*(\.|\[|\?\.))|\bSystem\.getenv\(\s*\)|\bprint(ln)?\(\s*ENV\s*\)|%ENV\b|\bENV\.(to_h|to_a|each|inspect|map|select|sort)\b|\bp\s+ENV\b|\bgetenv\(\s*\)|\$_(ENV|SERVER)\b(?!\s*\[|\.\w)|\b(puts|pp|print|println|show|display|dump|inspect)[\s(]+ENV\b(?!\s*(\[|\.([A-Z]|fetch|key|dig|get|delete|store)|\())|\bSys\.getenv\(\s*\)|\bget_env\(\s*\)|\b(gci|dir|ls|Get-ChildItem|Get-Item|gi)\s+(-Path\s+)?[Ee]nv:|\bparray\s+env\b|\barray get env\b|\bprocess\.report\b|\b(print|dumps)\s*\([^;\n]*\benviron\.copy\b|\(environ\)|\bphpinfo\b/;
