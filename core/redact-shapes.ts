/**
 * The shapes that secrets are known by. A pattern begins with letters of its own, and looks only behind them at what
 * stands before: an engine that looks for letters skips text, one that looks back at every place takes ten times as long.
 */
import { ASSIGNED, ASSIGNED_NAMES, isAssignedSecret } from './redact-assigned.ts';

export interface Shape {
  kind: string;
  pattern: RegExp;
  /** Numbers of the groups before and after the secret; without them all of the match is one. */
  before?: number;
  after?: number;
  /** Whether what the pattern found is one. */
  isSecret?(match: RegExpExecArray): boolean;
}

const simple = (kind: string, pattern: RegExp): Shape => ({ kind, pattern });
/** What must not stand before a secret may do so at the start of a line (also a numbered one), where a diff has its signs. */
const apart = (kind: string, not: string, head: string, rest: string): Shape => ({
  kind,
  pattern: new RegExp(`${head}(?<=(?:(?:^|[\\t:])[-+]{1,2}|(?<!${not}))${head})${rest}`, 'gm'),
});

/** The most specific first: what one replaces, the next does not see. Every repetition is bounded. */
export const SHAPES: readonly Shape[] = [
  simple(
    'private key',
    /-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY( BLOCK)?-----(?:(?!-----)[\s\S]){0,20000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY( BLOCK)?-----)?/g,
  ),
  simple('Anthropic key', /sk-ant-(?<=\bsk-ant-)[A-Za-z0-9_-]{16,256}/g),
  simple('OpenRouter key', /sk-or-(?<=\bsk-or-)[A-Za-z0-9_-]{16,256}/g),
  apart('API key', '[\\w-]', 'sk-', '(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,256}'),
  // Without the vendor's word it must look drawn by lot: a digit, and a long run that no name has.
  apart(
    'API key',
    '[\\w-]',
    'sk-',
    '(?=[A-Za-z0-9_-]{0,128}\\d)(?=[A-Za-z0-9_-]{0,32}[A-Za-z0-9]{16})[A-Za-z0-9_-]{20,256}',
  ),
  simple('GitHub token', /gh[pousr]_(?<=\bgh[pousr]_)[A-Za-z0-9]{20,255}/g),
  simple('GitHub token', /github_pat_(?<=\bgithub_pat_)[A-Za-z0-9_]{20,255}/g),
  simple('GitLab token', /gl(?:pat|dt|rt)-(?<=\bgl(?:pat|dt|rt)-)[A-Za-z0-9_-]{20,255}/g),
  apart('AWS key id', '[A-Za-z0-9+/=]', 'A[KS]IA', '[A-Z0-9]{16}(?![A-Za-z0-9+/=])'),
  {
    kind: 'AWS secret',
    pattern:
      /((?:aws_?secret_?(?:access_?)?key|secretaccesskey)(?:_id)?["']?\s{0,4}[:=]\s{0,4}["']?)[A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=])/gi,
    before: 1,
  },
  simple('Slack token', /xox[abeoprs]-(?<=\bxox[abeoprs]-)[A-Za-z0-9-]{10,255}/g),
  simple('Slack webhook', /https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/_-]{20,255}/g),
  simple('npm token', /npm_(?<=\bnpm_)[A-Za-z0-9]{36,64}\b/g),
  {
    kind: 'npm token',
    pattern: /(_authToken\s{0,4}=\s{0,4}["']?)(?!\$|\[redacted)[^\s"']{8,512}/gi,
    before: 1,
  },
  simple('PyPI token', /pypi-(?<=\bpypi-)[A-Za-z0-9_-]{50,512}/g),
  apart('Google key', '[A-Za-z0-9_-]', 'AIza', '[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])'),
  simple('Google token', /ya29\.(?<=\bya29\.)[A-Za-z0-9_-]{20,512}/g),
  simple('Stripe key', /[rs]k_(?:live|test)_(?<=\b[rs]k_(?:live|test)_)[A-Za-z0-9]{16,255}/g),
  simple('Stripe key', /whsec_(?<=\bwhsec_)[A-Za-z0-9]{16,255}/g),
  simple('Hugging Face token', /hf_(?<=\bhf_)[A-Za-z0-9]{30,64}\b/g),
  simple('Groq key', /gsk_(?<=\bgsk_)[A-Za-z0-9]{40,64}\b/g),
  simple('xAI key', /xai-(?<=\bxai-)[A-Za-z0-9]{60,128}\b/g),
  simple('SendGrid key', /SG\.(?<=\bSG\.)[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/g),
  simple('DigitalOcean token', /do[op]_v1_(?<=\bdo[op]_v1_)[a-f0-9]{64}\b/g),
  simple('age key', /AGE-SECRET-KEY-1(?<=\bAGE-SECRET-KEY-1)[A-Z0-9]{40,80}/gi),
  apart('JWT', '[A-Za-z0-9_+/=-]', 'eyJ', '[A-Za-z0-9_-]{10,4096}\\.eyJ[A-Za-z0-9_-]{5,8192}\\.[A-Za-z0-9_-]{10,4096}'),
  {
    kind: 'password',
    // A scheme begins at a border and is short.
    pattern:
      /(:\/\/(?<=(?:(?:^|[\t:])[-+]{1,2}|(?<![A-Za-z0-9+.-]))[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s:/@"'<>`]{0,128}:)(?!\$|\[redacted|<|\{)([^\s/@"'<>`]{1,256})(@)/gim,
    before: 1,
    after: 3,
  },
  {
    kind: 'token',
    pattern: /(bearer(?<=\bbearer)\s{1,4})(?=[A-Za-z0-9._~+/=-]{0,255}\d)[A-Za-z0-9._~+/=-]{16,4096}/gi,
    before: 1,
  },
  {
    kind: 'password',
    pattern: /(authorization(?<=\bauthorization)["']?\s{0,4}:\s{0,4}["']?basic\s{1,4})[A-Za-z0-9+/=]{8,1024}/gi,
    before: 1,
  },
  { kind: 'secret', pattern: ASSIGNED, before: 1, isSecret: isAssignedSecret },
];

/**
 * Looks at a text that tell whether any shape is worth a search: most output has none of these. Each begins with a few
 * letters that are rare in text, and looks only there at what stands before: one look for all takes many times as long.
 */
const LOOKS: readonly RegExp[] = [
  /[kpousrbtmi91cfgeG][-_.](?<=sk-|gh[pousr]_|github_pat_|glpat-|gl[dr]t-|xox[abeoprs]-|npm_|pypi-|ya29\.|[rs]k_(?:live|test)_|whsec_|hf_|gsk_|xai-|SG\.|do[op]_v1_)[A-Za-z0-9_-]{10}|-----BEGIN /,
  /:\/\/[^\s:/@"'<>`]{0,128}:[^\s/@"'<>`]{1,256}@|https:\/\/hooks\./,
  /A[KS]IA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35}/,
  /\.eyJ/,
  /r\s(?<=bearer\s)|y-1(?<=age-secret-key-1)/i,
  new RegExp(`[sdetnly"'\\\\\\s:][=:](?<=(?:authorization|${ASSIGNED_NAMES}(?:_id)?)\\\\?["']?\\s{0,4}:?[=:])`, 'i'),
];

/** False where no shape can be in the text. */
export const mayHoldSecrets = (text: string): boolean => LOOKS.some((look) => look.test(text));
