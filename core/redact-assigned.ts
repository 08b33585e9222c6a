/**
 * Values that stand after a telling name in what commands print: `password=…`, `DB_PASSWORD: …`, `"apiToken": "…"`.
 * Programs are full of such names, with variables, types and calls behind them: where the text may be code, the value must
 * look drawn by lot.
 */
import { isPhrase, looksRandom, looksSecret } from './looks-secret.ts';
import { inCapitals, isSecretVariable } from './permission/sensitive-names.ts';

/** How a name ends whose value is a secret, as a piece of an expression. */
export const ASSIGNED_NAMES =
  '(?:pass(?:word|wd|phrase)|[_-]pass|pwd|secret|token|credential|(?:api|access|secret|private|auth|account|encryption|signing|master)[_-]?key(?:_base)?)s?';

/** Group 1: all before the value. Every repetition is bounded. */
export const ASSIGNED = new RegExp(
  `(${ASSIGNED_NAMES}\\\\?["']?[ \\t]{0,4}(?::=|=>|[=:])[ \\t]{0,4}\\\\?["']?)` +
    '((?<=["\'])[^"\'\\\\\\r\\n]{6,512}(?=\\\\?["\'])|(?<!["\'])[^\\s"\'`,;&|<>(){}[\\]\\\\$*%]{6,512}(?=[\\s,;&|"\'<)}\\]\\\\]|$))',
  'gi',
);

const LEAST = 6;
const PASSWORD_NAME = /(PASS|PASSWORD|PASSWD|PASSPHRASE|PWD)S?$/;
/** What a list of results goes on with, what a page carries for its own forms, and words of tokenizers. */
const OTHER_TOKEN = /(^|_)(PAGE|NEXT|CONTINUATION|SYNC|RESUME|START|END|STOP|BOS|EOS|PAD|UNK|MASK|SEP|CLS)_?TOKENS?$/;
/** Types, encodings and methods with a number in their names. */
const TYPE =
  /^(u?int|big|float|utf|base|sha|md|oauth|ed|rsa|aes|[hrep]s|argon|scram|x|vec|str|v|type|arg|param|field)[-_]?\d{1,5}([A-Za-z_.-][\w.]*)?$/i;
/** Words with signs between them, as resources and variables are called. */
const NAME_LIKE = /^[A-Za-z$]+\d{0,2}([-_./:][A-Za-z]{0,30}\d{0,4})+$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Whether what `ASSIGNED` found is a secret. */
export function isAssignedSecret(match: RegExpExecArray): boolean {
  const [all, before, value] = match as unknown as [string, string, string];
  const { input, index } = match;
  const [written, sep = ''] = /^(.*?)\\?["']?[ \t]*(:=|=>|[=:])[ \t]*\\?["']?$/s.exec(before)?.slice(1) ?? [];
  const prefix = /[\w.-]*$/.exec(input.slice(Math.max(0, index - 60), index))![0];
  const name = inCapitals(`${prefix}${written}`.replace(/^[-.]+/, ''));
  if (!isSecretVariable(name) || OTHER_TOKEN.test(name)) return false;
  if (!/\p{L}/u.test(value) || TYPE.test(value) || /[=!]==?|=>|::/.test(value)) return false;

  const isQuoted = /["']$/.test(before);
  const isJson = isQuoted && /["'][ \t]*[:=]/.test(before);
  const next = input[index + all.length] ?? '\n';
  if (isQuoted ? !isJson : /[,)}\]]/.test(next)) return looksRandom(value);
  const isPassword = PASSWORD_NAME.test(name);
  if (!isQuoted && (sep !== '=' || /\s/.test(before))) {
    // A setting of a file, or code: only the first ends with its line.
    if (!/\s/.test(next) || sep === ':=' || sep === '=>') return looksRandom(value);
    if (IDENTIFIER.test(value) && value.includes('_')) return looksRandom(value);
  }
  if (NAME_LIKE.test(value) && !isPassword) return looksRandom(value);
  if (/^[\w$]+(\.[\w$]+)+$/.test(value)) return looksRandom(value);
  if (/\d/.test(value)) return looksSecret(value, isPassword ? LEAST : undefined);
  return isPassword && /[=:"']$/.test(before) && !IDENTIFIER.test(value) && isPhrase(name, value);
}
