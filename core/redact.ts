/**
 * Replaces what has the known shape of a secret by `[redacted: kind]`. Only shapes that vendors made to be recognised,
 * values that stand after a telling name, and the very values of secrets that this process was given: hashes, UUIDs and
 * encoded images stay as they are. Time grows with the length.
 */
import { isSecretVariable } from './permission/sensitive-names.ts';

interface Shape {
  kind: string;
  /** A piece of text without which the pattern cannot match, in lower case; looked for first because it is cheap. */
  hints: readonly string[];
  pattern: RegExp;
  /** What replaces a match, from the groups before and after the secret. */
  keep?: (match: string, ...groups: string[]) => string;
}

const mark = (kind: string) => `[redacted: ${kind}]`;
const simple = (kind: string, hints: readonly string[], pattern: RegExp): Shape => ({ kind, hints, pattern });

/** The most specific first: what one replaces, the next does not see. Every repetition is bounded. */
const SHAPES: readonly Shape[] = [
  {
    kind: 'private key',
    hints: ['private key'],
    pattern:
      /-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY( BLOCK)?-----(?:(?!-----)[\s\S]){0,20000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY( BLOCK)?-----)?/g,
  },
  simple('Anthropic key', ['sk-ant-'], /\bsk-ant-[A-Za-z0-9_-]{16,256}/g),
  simple('OpenRouter key', ['sk-or-'], /\bsk-or-[A-Za-z0-9_-]{16,256}/g),
  simple('API key', ['sk-'], /(?<![\w-])sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,256}/g),
  // Without the vendor's word it must look drawn by lot: a digit, and a long run that no name has.
  simple(
    'API key',
    ['sk-'],
    /(?<![\w-])sk-(?=[A-Za-z0-9_-]{0,128}\d)(?=[A-Za-z0-9_-]{0,32}[A-Za-z0-9]{16})[A-Za-z0-9_-]{20,256}/g,
  ),
  simple(
    'GitHub token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})/g,
  ),
  simple('GitLab token', ['glpat-', 'gldt-', 'glrt-'], /\bgl(?:pat|dt|rt)-[A-Za-z0-9_-]{20,255}/g),
  simple('AWS key id', ['akia', 'asia'], /(?<![A-Za-z0-9+/=])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9+/=])/g),
  {
    kind: 'AWS secret',
    hints: ['aws', 'secretaccesskey'],
    pattern:
      /((?:aws_?secret_?(?:access_?)?key|secretaccesskey)(?:_id)?["']?\s{0,4}[:=]\s{0,4}["']?)[A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=])/gi,
    keep: (_match, before) => `${before}${mark('AWS secret')}`,
  },
  simple('Slack token', ['xox'], /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g),
  simple('Slack webhook', ['hooks.slack.com'], /https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/_-]{20,255}/g),
  simple('npm token', ['npm_'], /\bnpm_[A-Za-z0-9]{36,64}\b/g),
  {
    kind: 'npm token',
    hints: ['_authtoken'],
    pattern: /(_authToken\s{0,4}=\s{0,4}["']?)(?!\$|\[redacted)[^\s"']{8,512}/gi,
    keep: (_match, before) => `${before}${mark('npm token')}`,
  },
  simple('PyPI token', ['pypi-'], /\bpypi-[A-Za-z0-9_-]{50,512}/g),
  simple('Google key', ['aiza'], /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g),
  simple('Google token', ['ya29.'], /\bya29\.[A-Za-z0-9_-]{20,512}/g),
  simple(
    'Stripe key',
    ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'],
    /\b(?:[rs]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,255}/g,
  ),
  simple('Hugging Face token', ['hf_'], /\bhf_[A-Za-z0-9]{30,64}\b/g),
  simple('Groq key', ['gsk_'], /\bgsk_[A-Za-z0-9]{40,64}\b/g),
  simple('xAI key', ['xai-'], /\bxai-[A-Za-z0-9]{60,128}\b/g),
  simple('SendGrid key', ['sg.'], /\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/g),
  simple('DigitalOcean token', ['dop_v1_', 'doo_v1_'], /\bdo[op]_v1_[a-f0-9]{64}\b/g),
  simple('age key', ['age-secret-key-'], /\bAGE-SECRET-KEY-1[A-Z0-9]{40,80}/gi),
  simple(
    'JWT',
    ['eyj'],
    /(?<![A-Za-z0-9_+/=-])eyJ[A-Za-z0-9_-]{10,4096}\.eyJ[A-Za-z0-9_-]{5,8192}\.[A-Za-z0-9_-]{10,4096}/g,
  ),
  {
    kind: 'password',
    hints: ['://'],
    // A scheme begins at a border and is short, so that a long word costs no second look.
    pattern:
      /(?<![A-Za-z0-9+.-])([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'<>`]{0,128}:)(?!\$|\[redacted|<|\{)([^\s/@"'<>`]{1,256})(@)/gi,
    keep: (_match, before, _secret, after) => `${before}${mark('password')}${after}`,
  },
  {
    kind: 'token',
    hints: ['bearer'],
    pattern: /(\bbearer\s{1,4})(?=[A-Za-z0-9._~+/=-]{0,255}\d)[A-Za-z0-9._~+/=-]{16,4096}/gi,
    keep: (_match, before) => `${before}${mark('token')}`,
  },
  {
    kind: 'password',
    hints: ['authorization'],
    pattern: /(\bauthorization["']?\s{0,4}:\s{0,4}["']?basic\s{1,4})[A-Za-z0-9+/=]{8,1024}/gi,
    keep: (_match, before) => `${before}${mark('password')}`,
  },
];

/** One look at the text tells whether any shape is worth a search: most output has none of these. */
const ANY_HINT = new RegExp(
  [...new Set(SHAPES.flatMap(({ hints }) => hints))]
    .map((hint) => hint.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('|'),
  'i',
);

const MIN_VALUE = 8;
const PATH_LIKE = /^(~?\/|\.{1,2}\/|[A-Za-z]:[\\/]|file:)/;
/** Values that say how, not what: a switch, a number, an address without a password. */
const SETTING =
  /^(true|false|\d{1,12}|(password|keyring|disabled|enabled|required|optional|none)+|[a-z]+:\/\/[^:@]*)$/i;

/** By value, the name of the variable. A process has one environment: what it holds is secret for every session in it. */
const given = new Map<string, string>();
let values: RegExp | undefined;

/**
 * From now on the values of the environment's secrets are replaced wherever they stand: variables whose names say so, with
 * at least eight characters that are no path and no setting. Gives a function that takes them back.
 */
export function addSecrets(env: Readonly<Record<string, string | undefined>>): () => void {
  const added: string[] = [];
  for (const [name, raw] of Object.entries(env)) {
    const value = raw?.trim() ?? '';
    if (value.length < MIN_VALUE || given.has(value) || !isSecretVariable(name)) continue;
    if (PATH_LIKE.test(value) || SETTING.test(value)) continue;
    given.set(value, name);
    added.push(value);
  }
  prepare();
  return () => {
    for (const value of added) given.delete(value);
    prepare();
  };
}

function prepare(): void {
  // The longest first: one value may begin another. In JSON it is written with escapes.
  const written = [...given.keys()].flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  const sorted = [...new Set(written)].sort((a, b) => b.length - a.length);
  values =
    sorted.length === 0
      ? undefined
      : new RegExp(sorted.map((value) => value.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|'), 'g');
}

function withoutValues(text: string): string {
  return values === undefined
    ? text
    : text.replace(values, (value) => mark(given.get(value) ?? 'secret of the environment'));
}

/** The text with every recognised secret replaced; the same string when there is none. */
export function redact(written: string): string {
  const text = withoutValues(written);
  if (!ANY_HINT.test(text)) return text;
  const lower = text.toLowerCase();
  let result = text;
  for (const { kind, hints, pattern, keep = () => mark(kind) } of SHAPES) {
    if (hints.some((hint) => lower.includes(hint))) result = result.replace(pattern, keep);
  }
  return result;
}
