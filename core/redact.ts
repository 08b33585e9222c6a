/**
 * Replaces what has the known shape of a secret by a mark, `[redacted: kind]`. Only shapes that vendors made to be
 * recognised, values that stand after a telling name, and the very values of secrets that this process was given or
 * that the project's `.env` files hold: hashes, UUIDs and encoded images stay as they are. Time grows with the length.
 */
import { isSecretValue } from './looks-secret.ts';
import { isSecretVariable } from './permission/sensitive-names.ts';

/** A secret in a text: from `start` up to `end`, and the mark that is shown for it. */
export interface HiddenText {
  start: number;
  end: number;
  mark: string;
}

interface Shape {
  kind: string;
  /** A piece of text without which the pattern cannot match, in lower case; looked for first because it is cheap. */
  hints: readonly string[];
  pattern: RegExp;
  /** Numbers of the groups before and after the secret; without them all of the match is one. */
  before?: number;
  after?: number;
}

const SIGN = /[-_:.]/;

const markOf = (kind: string) => `[redacted: ${kind}]`;
const simple = (kind: string, hints: readonly string[], pattern: RegExp): Shape => ({ kind, hints, pattern });

/**
 * The most specific first: what one replaces, the next does not see. Every repetition is bounded. What must not stand
 * before a secret may do so at the start of a line (also a numbered one), where a diff has its signs.
 */
const SHAPES: readonly Shape[] = [
  {
    kind: 'private key',
    hints: ['-----begin '],
    pattern:
      /-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY( BLOCK)?-----(?:(?!-----)[\s\S]){0,20000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY( BLOCK)?-----)?/g,
  },
  simple('Anthropic key', ['sk-ant-'], /\bsk-ant-[A-Za-z0-9_-]{16,256}/g),
  simple('OpenRouter key', ['sk-or-'], /\bsk-or-[A-Za-z0-9_-]{16,256}/g),
  simple('API key', ['sk-'], /(?<=(?:^|[\t:])[-+]{1,2}|(?<![\w-]))sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,256}/gm),
  // Without the vendor's word it must look drawn by lot: a digit, and a long run that no name has.
  simple(
    'API key',
    ['sk-'],
    /(?<=(?:^|[\t:])[-+]{1,2}|(?<![\w-]))sk-(?=[A-Za-z0-9_-]{0,128}\d)(?=[A-Za-z0-9_-]{0,32}[A-Za-z0-9]{16})[A-Za-z0-9_-]{20,256}/gm,
  ),
  simple(
    'GitHub token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})/g,
  ),
  simple('GitLab token', ['glpat-', 'gldt-', 'glrt-'], /\bgl(?:pat|dt|rt)-[A-Za-z0-9_-]{20,255}/g),
  simple(
    'AWS key id',
    ['akia', 'asia'],
    /(?<=(?:^|[\t:])[-+]{1,2}|(?<![A-Za-z0-9+/=]))(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9+/=])/gm,
  ),
  {
    kind: 'AWS secret',
    hints: ['aws', 'secretaccesskey'],
    pattern:
      /((?:aws_?secret_?(?:access_?)?key|secretaccesskey)(?:_id)?["']?\s{0,4}[:=]\s{0,4}["']?)[A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=])/gi,
    before: 1,
  },
  simple('Slack token', ['xox'], /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g),
  simple('Slack webhook', ['hooks.slack.com'], /https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/_-]{20,255}/g),
  simple('npm token', ['npm_'], /\bnpm_[A-Za-z0-9]{36,64}\b/g),
  {
    kind: 'npm token',
    hints: ['_authtoken'],
    pattern: /(_authToken\s{0,4}=\s{0,4}["']?)(?!\$|\[redacted)[^\s"']{8,512}/gi,
    before: 1,
  },
  simple('PyPI token', ['pypi-'], /\bpypi-[A-Za-z0-9_-]{50,512}/g),
  simple(
    'Google key',
    ['aiza'],
    /(?<=(?:^|[\t:])[-+]{1,2}|(?<![A-Za-z0-9_-]))AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/gm,
  ),
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
    /(?<=(?:^|[\t:])[-+]{1,2}|(?<![A-Za-z0-9_+/=-]))eyJ[A-Za-z0-9_-]{10,4096}\.eyJ[A-Za-z0-9_-]{5,8192}\.[A-Za-z0-9_-]{10,4096}/gm,
  ),
  {
    kind: 'password',
    hints: ['://'],
    // A scheme begins at a border and is short, so that a long word costs no second look.
    pattern:
      /(?<=(?:^|[\t:])[-+]{1,2}|(?<![A-Za-z0-9+.-]))([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'<>`]{0,128}:)(?!\$|\[redacted|<|\{)([^\s/@"'<>`]{1,256})(@)/gim,
    before: 1,
    after: 3,
  },
  {
    kind: 'token',
    hints: ['bearer'],
    pattern: /(\bbearer\s{1,4})(?=[A-Za-z0-9._~+/=-]{0,255}\d)[A-Za-z0-9._~+/=-]{16,4096}/gi,
    before: 1,
  },
  {
    kind: 'password',
    hints: ['authorization'],
    pattern: /(\bauthorization["']?\s{0,4}:\s{0,4}["']?basic\s{1,4})[A-Za-z0-9+/=]{8,1024}/gi,
    before: 1,
  },
];

/**
 * Two looks at the text tell whether any shape is worth a search: most output has none of these. Signs are looked for with
 * the letter before them, and only then what stands before that: one search for all hints takes twice as long.
 */
const [WITH_SIGN, WORDS] = ((): [RegExp, RegExp] => {
  const all = [...new Set(SHAPES.flatMap(({ hints }) => hints))];
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const heads = [...new Set(all.filter((hint) => SIGN.test(hint)).map((hint) => /^\w*?[-_.]/.exec(hint)?.[0] ?? hint))];
  const behind = heads.filter((head) => /^.+[-_.]$/.test(head));
  const letters = [...new Set(behind.map((head) => head.at(-2)))].join('');
  const others = all.filter((hint) => SIGN.test(hint) && !behind.some((head) => hint.startsWith(head)));
  return [
    new RegExp(`[${letters}][-_.](?<=${behind.map(literal).join('|')})|${others.map(literal).join('|')}`, 'i'),
    new RegExp(
      all
        .filter((hint) => !SIGN.test(hint))
        .map(literal)
        .join('|'),
      'i',
    ),
  ];
})();

const KINDS: ReadonlySet<string> = new Set(SHAPES.map(({ kind }) => kind));

/** By value, the name of the variable. A process has one environment: what it holds is secret for every session in it. */
const given = new Map<string, string>();
/** Names that marks were ever made of. */
const names = new Set<string>();
let values: RegExp | undefined;
/** Values came or went since `values` was made. */
let isStale = false;

/**
 * From now on the values of the environment's secrets are replaced wherever they stand: variables whose names say so,
 * with a value that looks like one. Gives a function that takes them back.
 */
export function addSecrets(env: Readonly<Record<string, string | undefined>>): () => void {
  const found = Object.entries(env).flatMap(([name, raw]): [string, string][] => {
    const value = raw?.trim() ?? '';
    return isSecretValue(name, value) ? [[name, value]] : [];
  });
  return addValues(found);
}

/** The same for pairs of a name and a value that are known to be secret. */
export function addValues(pairs: readonly (readonly [name: string, value: string])[]): () => void {
  const added: string[] = [];
  for (const [name, value] of pairs) {
    if (given.has(value)) continue;
    given.set(value, name);
    names.add(name);
    added.push(value);
  }
  isStale ||= added.length > 0;
  return () => {
    for (const value of added) given.delete(value);
    isStale = true;
  };
}

function prepare(): void {
  isStale = false;
  // The longest first: one value may begin another. In JSON it is written with escapes.
  const written = [...given.keys()].flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  const sorted = [...new Set(written)].sort((a, b) => b.length - a.length);
  values =
    sorted.length === 0
      ? undefined
      : new RegExp(sorted.map((value) => value.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|'), 'g');
}

/** Every recognised secret of the text, in order, apart from each other. */
export function findSecrets(text: string): readonly HiddenText[] {
  let hidden: readonly HiddenText[] = [];
  let shown = text;
  const pass = (pattern: RegExp, found: (match: RegExpExecArray) => HiddenText) => {
    const fresh = Array.from(shown.matchAll(pattern), found);
    if (fresh.length === 0) return;
    hidden = joined(hidden, fresh);
    shown = replaced(text, hidden);
  };
  if (isStale) prepare();
  if (values)
    pass(values, (match) => {
      const name = given.get(match[0]) ?? 'secret of the environment';
      return { start: match.index, end: match.index + match[0].length, mark: markOf(name) };
    });
  if (!WITH_SIGN.test(shown) && !WORDS.test(shown)) return hidden;
  const lower = shown.toLowerCase();
  for (const { kind, hints, pattern, before = 0, after = 0 } of SHAPES) {
    if (!hints.some((hint) => lower.includes(hint))) continue;
    pass(pattern, (match) => ({
      start: match.index + (before ? match[before]!.length : 0),
      end: match.index + match[0].length - (after ? match[after]!.length : 0),
      mark: markOf(kind),
    }));
  }
  return hidden;
}

/** `fresh` has places of the text in which `hidden` is replaced; all of the result has places of the text itself. */
function joined(hidden: readonly HiddenText[], fresh: readonly HiddenText[]): readonly HiddenText[] {
  const result: HiddenText[] = [];
  let next = 0;
  let shift = 0;
  for (const { start, end, mark } of fresh) {
    // Marks before it stay; those that it covers are part of it.
    const pass = (until: number, keep: boolean) => {
      for (; next < hidden.length; next++) {
        const one = hidden[next]!;
        if (one.start - shift >= until) return;
        shift += one.end - one.start - one.mark.length;
        if (keep) result.push(one);
      }
    };
    pass(start, true);
    const from = start + shift;
    pass(end, false);
    result.push({ start: from, end: end + shift, mark });
  }
  return [...result, ...hidden.slice(next)];
}

/** The text as it is shown: with the marks of `hidden`, which is in order. */
export function replaced(text: string, hidden: readonly HiddenText[]): string {
  if (hidden.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, mark } of hidden) {
    parts.push(text.slice(from, start), mark);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** The text with every recognised secret replaced; the same string when there is none. */
export const redact = (text: string): string => replaced(text, findSecrets(text));

/** The marks in a text that may be ada's own, in order, with their places. Text in the same brackets is not. */
export function marksIn(text: string): readonly HiddenText[] {
  if (!text.includes('[redacted: ')) return [];
  return Array.from(text.matchAll(/\[redacted: ([^\][\n]{1,100})\]/g)).flatMap((match) => {
    const [mark, kind] = match as unknown as [string, string];
    const isOwn = KINDS.has(kind) || names.has(kind) || (/^\w+$/.test(kind) && isSecretVariable(kind));
    return isOwn ? [{ start: match.index, end: match.index + mark.length, mark }] : [];
  });
}
