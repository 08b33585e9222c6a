/** The secrets in a file whose name says that it holds some, read as such files are written, for hiding them elsewhere. */
import { isSecretValue, looksSecret } from './looks-secret.ts';
import { isSecretName } from './permission/sensitive-names.ts';

export type Pair = readonly [name: string, value: string];

/** Shorter last lines of a key may be words elsewhere. */
const MIN_KEY_LINE = 12;
/** Levels of a JSON file. */
const MOST_LEVELS = 24;
/** Of one file. */
const MOST_PAIRS = 2000;

/** `.env`, `.env.local`, `.envrc`, `prod.env`; not the patterns for people to copy. All their values may be secrets. */
export const isEnvFile = (name: string): boolean =>
  (name.startsWith('.env') || name.toLowerCase().endsWith('.env')) && isSecretName(name.replace(/^\.env[-_]/, '.env.'));

/** Every secret of the file at `path`, with the name that tells of it. What is no secret by name or look is left out. */
export function secretsIn(path: string, text: string): Pair[] {
  if (text.includes('\0')) return [];
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const isEnv = isEnvFile(path.slice(path.lastIndexOf('/') + 1));
  const pairs = isEnv ? envPairs(text) : pairsOf(name, text);
  return [...pairs.slice(0, MOST_PAIRS).flatMap((pair) => secretsOf(pair, isEnv)), ...keyLines(text)];
}

/** The pairs of a file by its form; those that are no names and values have names of their own. */
function pairsOf(name: string, text: string): readonly Pair[] {
  if (/^[._]netrc$/.test(name)) return found(text, /\bpassword\s+("[^"\r\n]{1,500}"|\S{1,500})/g, 'NETRC_PASSWORD');
  if (/^\.pgpass(file)?$/.test(name))
    return found(text, /^(?!#)(?:(?:\\.|[^:\\\r\n]){0,200}:){4}(.{1,500})$/gm, 'PGPASSWORD');
  if (name === '.git-credentials') return found(text, /^[a-z]+:\/\/[^\s:/@]*:([^\s/@]{1,500})@/gim, 'GIT_PASSWORD');
  if (name === '.htpasswd' || /^g?shadow$/.test(name)) return found(text, /^[^:\s]+:([^:\s]{12,500})/gm, 'PASSWORD');
  if (name === '.vault-token') return [['VAULT_TOKEN', text.trim()]];
  // Of a package manager: `//host/:_authToken=…`.
  if (name === '.npmrc') return settingPairs(text.replace(/^\s*\/\/[^\s=]*:/gm, ''));
  if (/^\s*[{[]/.test(text)) {
    const pairs = jsonPairs(text);
    if (pairs) return pairs;
  }
  return settingPairs(text);
}

const found = (text: string, pattern: RegExp, name: string): Pair[] =>
  Array.from(text.matchAll(pattern), ([, value]): Pair => [name, value!.replace(/^"(.*)"$/, '$1')]);

/** Every text in a JSON file with its key; undefined where it is none. What is called `value` has the name above it. */
function jsonPairs(text: string): Pair[] | undefined {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return undefined;
  }
  const pairs: Pair[] = [];
  const walk = (value: unknown, name: string, level: number): void => {
    if (level > MOST_LEVELS || pairs.length > MOST_PAIRS) return;
    if (typeof value === 'string') pairs.push([name, value]);
    else if (Array.isArray(value)) for (const one of value) walk(one, name, level + 1);
    else if (typeof value === 'object' && value !== null) {
      const isSensitive = 'sensitive' in value && value.sensitive === true;
      for (const [key, inner] of Object.entries(value))
        walk(inner, key !== 'value' ? key : isSensitive ? `${name}_secret` : name, level + 1);
    }
  };
  walk(root, '', 0);
  return pairs;
}

const SETTING =
  /^[ \t]*(?:-[ \t]+)?(?:export[ \t]+|set[ \t]+)?["']?([\w.-]{1,100})["']?[ \t]*[=:][ \t]*("(?:\\.|[^"\\\r\n]){0,8000}"|'[^'\r\n]{0,8000}'|[^\r\n]{0,16000})/gm;

/** Lines such as `name = value` and `name: value`, of INI, TOML, YAML and HCL. */
const settingPairs = (text: string): Pair[] =>
  Array.from(text.matchAll(SETTING), ([, name, raw = '']): Pair => {
    const quote = /^["']/.exec(raw)?.[0];
    return [
      name!,
      quote && raw.length > 1
        ? raw.slice(1, -1)
        : raw
            .replace(/\s[#;].*$/, '')
            .replace(/,\s*$/, '')
            .trim(),
    ];
  }).flatMap(withInner);

/** Also the password of an address. */
function withInner([name, value]: Pair): Pair[] {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:([^\s/@]+)@/i.exec(value)?.[1];
  return password
    ? [
        [name, value],
        [`${name}_PASSWORD`, password],
      ]
    : [[name, value]];
}

/** A value that is secret, what it is the Base64 of, and where it has several lines each of them: they are shown with numbers between. */
function secretsOf([name, value]: Pair, isEnv: boolean): Pair[] {
  if (!isSecretValue(name, value, isEnv)) return [];
  const all: Pair[] = isEnv ? [[name, value]] : [[name, value], ...decoded(name, value)];
  return all.flatMap((pair): Pair[] => {
    if (!pair[1].includes('\n')) return [pair];
    const lines = pair[1].split('\n').map((line) => line.trim());
    return [
      pair,
      ...lines.flatMap((line): Pair[] => (looksSecret(line) && !line.startsWith('-----') ? [[name, line]] : [])),
    ];
  });
}

/** What a value of `secrets.yaml` or of a registry's login stands for: text, or `user:password`. */
function decoded(name: string, value: string): Pair[] {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(value) || value.length % 4 !== 0) return [];
  const text = Buffer.from(value, 'base64').toString('utf8');
  if (!/^[\x20-\x7e\r\n\t]+$/.test(text)) return [];
  const login = /^[\w.@-]{1,100}:(\S{1,500})$/.exec(text)?.[1];
  return [text.trim(), ...(login ? [login] : [])].flatMap((one): Pair[] =>
    isSecretValue(name, one) ? [[name, one]] : [],
  );
}

const KEY_BODY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----([^-]{1,20000})(?:-----END|$)/g;

/** The lines of private keys, written one a line or with `\n` between them. */
const keyLines = (text: string): Pair[] =>
  Array.from(text.matchAll(KEY_BODY)).flatMap(([, body]) =>
    body!
      .split(/\\r|\\n|[\r\n"'`]/)
      .map((line) => line.trim())
      .flatMap((line): Pair[] => (line.length >= MIN_KEY_LINE ? [['private key', line]] : [])),
  );

const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([\w.-]{1,100})[ \t]*[=:][ \t]*("(?:\\.|[^"\\]){0,8000}"|'[^']{0,8000}'|`[^`]{0,8000}`|[^\r\n]*)/gm;

/** The values of a `.env` file with their names: as they are written and as a program has them, and passwords in addresses. */
export function envPairs(text: string): readonly Pair[] {
  const pairs = new Map<string, string>();
  for (const [, name = '', raw = ''] of text.matchAll(ASSIGNMENT)) {
    const quote = /^["'`]/.exec(raw)?.[0];
    const plain =
      quote && raw.length > 1 && raw.endsWith(quote) ? raw.slice(1, -1) : raw.replace(/(^|\s)#.*$/, '').trim();
    const unescaped = quote === '"' ? plain.replace(/\\n/g, '\n').replace(/\\(["\\$])/g, '$1') : plain;
    for (const value of [plain, unescaped.trim()]) if (value) pairs.set(value, name);
    const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:([^\s/@]+)@/i.exec(plain)?.[1];
    if (password) pairs.set(password, `${name}_PASSWORD`);
  }
  return [...pairs].map(([value, name]) => [name, value] as const);
}
