/**
 * Names of files whose content is a secret, and of files that make other programs run code. All names are compared in
 * lower case, because some file systems do so too.
 */

const KEY_NAMES = [/^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/, /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|agekey)$/];
const SECRET_NAMES = [
  ...KEY_NAMES,
  /^\.env(\..+)?$/,
  /^\.envrc$/,
  /^[._]netrc$/,
  /^\.(pgpass|npmrc|pypirc|git-credentials|htpasswd|my\.cnf|boto|s3cfg|dockercfg|vault-token|pgpassfile)$/,
  /^credentials(\.(json|toml|ya?ml|db))?$/,
  /^secrets?\.(json|toml|ya?ml|env)$/,
  /^service[-_]?account.*\.json$/,
  /^(shadow|gshadow)$/,
  /^kubeconfig(\..+)?$|\.kubeconfig$/,
  /\.tfstate(\.backup)?$/,
  /\.tfvars(\.json)?$/,
  // `process.env` is a word of programs.
  /^(?!(process|import\.meta|meta)\.env$).+\.env$/,
];
/** As one expression: every path of every call is asked about. */
const any = (patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'));
const KEY_NAME = any(KEY_NAMES);
const SECRET_NAME = any(SECRET_NAMES);

/** Patterns for people to copy: they hold no secret. */
const SAMPLE_NAME =
  /^\.env(\..+)?\.(example|sample|template|dist|defaults?|schema)$|^\.env-(example|sample|template)$|(^|[._-])(examples?|samples?|template|defaults?)\.(env|tfvars)$/;

const SECRET_FOLDER =
  /(^|\/)(\.ssh|\.gnupg|\.aws|\.azure|\.password-store|keychains|\.config\/(gh|gcloud|op|doppler))(\/|$)/;
const SECRET_FILE = /(^|\/)(\.kube\/config|\.docker\/config\.json|proc\/[^/]+\/environ)$|^\/(var\/)?run\/secrets\//;

const START_FILE =
  /^(\.bashrc|\.bash_profile|\.bash_login|\.bash_logout|\.bash_aliases|\.profile|\.zshrc|\.zshenv|\.zprofile|\.zlogin|\.zlogout|\.kshrc|\.cshrc|\.tcshrc|\.login|\.inputrc|config\.fish|\.envrc|\.gitconfig|\.gitmodules|\.mcp\.json)$/;

/** Words of which one, at the end of a name or of a part of it, says that the value of a variable is a secret. */
const SECRET_WORD =
  /(^|_)([A-Z0-9]*KEY|[A-Z0-9]*TOKEN|[A-Z0-9]*SECRET|[A-Z0-9]*PASSWORD|[A-Z]*PASSWD|PASSPHRASE|PASS|PWD|[A-Z0-9]*CREDENTIALS?|AUTH|PAT|JWT|COOKIE|DSN)S?(_|$)/;
/** What tells of a secret, and is none. */
const NO_SECRET =
  /(^|_)(FILE|PATH|DIR|SOCK|SOCKET|METHOD|TYPE|MODE|NAME|USER|HOST|PORT|LENGTH|SIZE|LIMIT|COUNT|TTL|EXPIRY|PUBLIC|PUBKEY|MAX|MIN|CONTEXT)(_|$)|^(OLD)?PWD$/;
/** Names whose last words tell what a secret is like, not what it is; and keys that open nothing. */
const ABOUT_SECRET =
  /_(HEADER|PREFIX|SUFFIX|TYPE|ALG|ALGO|ALGORITHM|CIPHER|CURVE|HASHER|ENCODER|ENCODING|FORMAT|NAME|LABEL|FIELD|COLUMN|TABLE|URL|URI|ENDPOINT|HOST|DOMAIN|REGION|VERSION|FILE|FILENAME|PATH|DIR|TTL|AGE|EXPIRES?|EXPIRES_IN|EXPIRY|EXPIRATION|LIFETIME|TIMEOUT|INTERVAL|LENGTH|SIZE|BITS|ROUNDS|ITERATIONS|ISSUER|AUDIENCE|SCOPES?|REALM|SUBJECT|CLAIM|PROVIDER|BACKEND|DRIVER|STORE|STORAGE|STRATEGY|POLICY|SCHEME|MODE|METHOD|CLASS|ENABLED|REQUIRED|USER|USERNAME|EMAIL|PATTERN|REGEX)S?$|(^|_)(PRIMARY|FOREIGN|PARTITION|SORT|ROUTING|CACHE|OBJECT|IDEMPOTENCY|PUBLIC|PUB|ALG|ALGO|ALGORITHM|HASHER|TYPE)_?KEYS?(_|$)/;
const SURE_NAME = /(PASSWORD|PASSWD|PASSPHRASE|SECRET)S?$/;

/** `apiKey` and `api-key` as variables are written: `API_KEY`. */
export const inCapitals = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[.-]/g, '_')
    .toUpperCase();

/** True when a name, in capitals, only speaks about a secret. */
export const speaksOfSecret = (upper: string): boolean => ABOUT_SECRET.test(upper);

/** True when the value of a variable of this name is likely a key, a token or a password. */
export function isSecretVariable(name: string): boolean {
  const upper = inCapitals(name);
  if (speaksOfSecret(upper)) return false;
  return (SECRET_WORD.test(upper) && !NO_SECRET.test(upper)) || SURE_NAME.test(upper);
}

/** True when the content of a file of this name needs a yes before a model reads it. */
export function isSecretName(path: string): boolean {
  // Editors keep copies as `name~` and `#name#`.
  const lower = path
    .toLowerCase()
    .replace(/(?<=[^/~])~+$/, '')
    .replace(/(^|\/)#([^/#]+)#$/, '$1$2');
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  if (SAMPLE_NAME.test(name)) return false;
  if (SECRET_FOLDER.test(lower)) return !name.endsWith('.pub') && name !== 'known_hosts';
  return SECRET_FILE.test(lower) || SECRET_NAME.test(name);
}

/** True when a file of this name is never written unasked: git's and ada's own folders, shell start files, keys. */
export function isGuardedName(path: string): boolean {
  const names = path.toLowerCase().split('/');
  if (names.includes('.git') || names.includes('.ada') || names.includes('.ssh') || names.includes('.gnupg'))
    return true;
  const name = names.at(-1) ?? '';
  return START_FILE.test(name) || KEY_NAME.test(name);
}
