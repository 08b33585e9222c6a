/**
 * Names of files whose content is a secret, and of files that make other programs run code. All names are compared in
 * lower case, because some file systems do so too.
 */

const SECRET_NAME = [
  /^\.env(\..+)?$/,
  /^\.envrc$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|agekey)$/,
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

/** Patterns for people to copy: they hold no secret. */
const SAMPLE_NAME =
  /^\.env(\..+)?\.(example|sample|template|dist|defaults?|schema)$|^\.env-(example|sample|template)$|(^|[._-])(examples?|samples?|template|defaults?)\.(env|tfvars)$/;

const SECRET_FOLDER =
  /(^|\/)(\.ssh|\.gnupg|\.aws|\.azure|\.password-store|keychains|\.config\/(gh|gcloud|op|doppler))(\/|$)/;
const SECRET_FILE = /(^|\/)(\.kube\/config|\.docker\/config\.json|proc\/[^/]+\/environ)$/;

const START_FILE =
  /^(\.bashrc|\.bash_profile|\.bash_login|\.bash_logout|\.bash_aliases|\.profile|\.zshrc|\.zshenv|\.zprofile|\.zlogin|\.zlogout|\.kshrc|\.cshrc|\.tcshrc|\.login|\.inputrc|config\.fish|\.envrc|\.gitconfig|\.gitmodules|\.mcp\.json)$/;

/** Words of which one, at the end of a name or of a part of it, says that the value of a variable is a secret. */
const SECRET_WORD =
  /(^|_)([A-Z0-9]*KEY|[A-Z0-9]*TOKEN|[A-Z0-9]*SECRET|[A-Z0-9]*PASSWORD|[A-Z]*PASSWD|PASSPHRASE|PASS|PWD|[A-Z0-9]*CREDENTIALS?|AUTH|PAT|JWT|COOKIE|DSN)S?(_|$)/;
/** What tells of a secret, and is none. */
const ABOUT_SECRET =
  /(^|_)(FILE|PATH|DIR|SOCK|SOCKET|METHOD|TYPE|MODE|NAME|USER|HOST|PORT|LENGTH|SIZE|LIMIT|COUNT|TTL|EXPIRY|PUBLIC|PUBKEY|MAX|MIN|CONTEXT)(_|$)|^(OLD)?PWD$/;

/** True when the value of an environment variable of this name is likely a key, a token or a password. */
export function isSecretVariable(name: string): boolean {
  const upper = name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
  return SECRET_WORD.test(upper) && !ABOUT_SECRET.test(upper);
}

/** True when the content of a file of this name needs a yes before a model reads it. */
export function isSecretName(path: string): boolean {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  if (SAMPLE_NAME.test(name)) return false;
  if (SECRET_FOLDER.test(lower)) return !name.endsWith('.pub') && name !== 'known_hosts';
  return SECRET_FILE.test(lower) || SECRET_NAME.some((pattern) => pattern.test(name));
}

/** True when a file of this name is never written unasked: git's and ada's own folders, shell start files, keys. */
export function isGuardedName(path: string): boolean {
  const names = path.toLowerCase().split('/');
  if (names.includes('.git') || names.includes('.ada') || names.includes('.ssh') || names.includes('.gnupg'))
    return true;
  const name = names.at(-1) ?? '';
  return START_FILE.test(name) || SECRET_NAME.slice(2, 4).some((pattern) => pattern.test(name));
}
