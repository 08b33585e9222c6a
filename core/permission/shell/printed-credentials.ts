/** Commands that print credentials, as data. Sources: the manual of each tool. */
import type { Row } from './named-commands.ts';

const rows = (list: string): readonly string[] => list.split('|');

/** A kind of thing in a cluster, alone or in a list of kinds: `secret`, `secrets/NAME`, `all,secret`, `secrets.v1.`. */
const SECRET_KIND = /^([\w.,/-]*,)?secrets?(\.v1\.?)?([/,].*)?$/i;
const WHOLE = /^(-o|--output|--template|-\w*o(y|j|g|c|=)|-oya?ml|-ojson)/;
const CLUSTER: readonly Row[] = [
  ['get', [SECRET_KIND, WHOLE]],
  ['edit', SECRET_KIND],
  ['get', /^--raw(=|$)/],
  ['config view', /^--raw(=true)?$/],
  'create token',
];
/** What a format of `inspect` shows without the environment of the container. */
const WITHOUT_ENVIRONMENT =
  /^(?!.*(\bEnv\b|%|\.Config\b(?!\.(Image|Labels|Cmd|Entrypoint|ExposedPorts|WorkingDir|Hostname|User|Healthcheck)\b)|(json|\{|index|with|range|\(|=)\s*\.\s*[})|\s])).*\{\{.*\}\}|^--type=?(network|volume|image)|^(network|volume|image|node|service|swarm|plugin|context|manifest)$/s;
const CONTAINER: readonly Row[] = [
  ['inspect', undefined, WITHOUT_ENVIRONMENT],
  [
    'compose config,convert',
    undefined,
    /^(-q|--quiet|--services|--images|--volumes|--profiles|--networks|--hash.*|--no-interpolate)$/,
  ],
  ['context export', undefined],
  ['secret inspect', /^--showsecret/],
];
const COMPOSE: readonly Row[] = [
  [
    'config,convert',
    undefined,
    /^(-q|--quiet|--services|--images|--volumes|--profiles|--networks|--hash.*|--no-interpolate)$/,
  ],
];
const TOKENS: readonly Row[] = [
  'auth token',
  ['auth status', /^(-t|--show-token(=true)?)$/],
  ['config get', /token|password|secret/i],
];
const ENV_SCRIPT: Row = 'run,run-script,rum,urn env';
const NODE: readonly Row[] = [
  'token',
  ['config,c get', /_auth|_password|token/i],
  ['get', /_auth|_password|token/i],
  ['config,c ls,list', /^(-l|--long|--json)$/],
  ENV_SCRIPT,
];
const INFRA: readonly Row[] = [['output', /^--?(json|raw)$/], 'state pull', ['show', /^--?json$/]];
const FLY = rows('auth token|tokens create|config env');

export const PRINTS: Readonly<Record<string, readonly Row[]>> = {
  gh: TOKENS,
  glab: TOKENS,
  git: [
    'credential fill',
    'credential-store,credential-cache,credential-osxkeychain,credential-manager,credential-libsecret,credential-wincred get',
    ['config', /^(http\..*extraheader|.*(token|password|secret))$/i],
    ['config', [/^--get-(regexp|urlmatch)$/, /http|header|token|pass|cred|url|\.\*/i]],
  ],
  aws: [
    'configure get,export-credentials',
    'sts get-session-token,assume-role,get-federation-token,assume-role-with-saml,assume-role-with-web-identity',
    'sso get-role-credentials',
    'ecr get-login-password,get-authorization-token',
    'ecr-public get-login-password,get-authorization-token',
    'eks get-token',
    'secretsmanager get-secret-value,batch-get-secret-value',
    'codeartifact get-authorization-token',
    'rds generate-db-auth-token',
    'iam create-access-key',
    'kms decrypt',
    'lambda get-function,get-function-configuration,list-functions',
    'ecs describe-task-definition',
    ['ssm get-parameter,get-parameters,get-parameters-by-path', /^--with-decryption$/],
  ],
  gcloud: [
    'auth print-access-token,print-identity-token',
    'auth application-default print-access-token',
    'config config-helper',
    'secrets versions access',
    'sql generate-login-token',
    'iam service-accounts keys create',
  ],
  az: [
    'account get-access-token',
    'keyvault secret show,download',
    'keyvault key download',
    'storage account keys list',
    'storage account show-connection-string',
    'acr credential show',
    ['acr login', /^--expose-token/],
    'webapp,functionapp config appsettings list',
    'webapp,functionapp config connection-string list',
    'webapp,functionapp deployment list-publishing-credentials,list-publishing-profiles',
    'functionapp keys list',
    'cosmosdb keys list',
    'cosmosdb list-keys',
    'redis list-keys',
    'ad sp create-for-rbac',
    'ad app,sp credential reset',
  ],
  doctl: ['auth token'],
  hcloud: ['context token'],
  kubectl: CLUSTER,
  oc: [...CLUSTER, ['whoami', /^(-t|--show-token)/], 'extract'],
  helm: ['get values,all'],
  docker: CONTAINER,
  podman: CONTAINER,
  nerdctl: CONTAINER,
  'docker-compose': COMPOSE,
  'podman-compose': COMPOSE,
  vault: [...rows('read|kv get|token lookup|token create|print token|unwrap'), 'kv get'],
  op: rows('read|item get|document get|inject|signin'),
  bw: rows('get|list|export|unlock'),
  rbw: ['get', 'search'],
  lpass: ['show', 'export'],
  gopass: [['', /^[^-]/, /^(ls|list|find|search|version|help|sync|git|audit|config|--version)$/]],
  keyring: ['get'],
  'kwallet-query': [''],
  secretctl: ['get'],
  chamber: rows('read|list|export|exec|env'),
  doppler: ['secrets', 'configure get'],
  infisical: ['secrets', 'export'],
  teller: rows('show|env|sh|export|yaml'),
  direnv: ['export'],
  dotenv: ['list', 'get'],
  dotenvx: ['get', 'decrypt', 'keypair'],
  'aws-vault': ['export'],
  sops: [['', /^(-d|--decrypt|decrypt|exec-env|exec-file)$/]],
  age: [['', /^(-d|--decrypt)$/]],
  'ansible-vault': ['view', 'decrypt'],
  pulumi: [
    ['', /^--show-secrets$/],
    ['config get', undefined],
  ],
  terraform: INFRA,
  tofu: INFRA,
  terragrunt: INFRA,
  rclone: ['config show,dump', 'reveal'],
  heroku: ['auth:token', 'config', 'config:get', 'pg:credentials:url', 'redis:credentials'],
  fly: FLY,
  flyctl: FLY,
  vercel: ['env pull'],
  netlify: ['env:list', 'env:get'],
  railway: ['variables', 'variable list'],
  render: ['env'],
  eb: ['printenv'],
  cf: ['env'],
  dokku: ['config', 'config:show', 'config:get', 'config:export'],
  firebase: ['login:ci', 'functions:secrets:access', 'functions:config:get'],
  supabase: ['status'],
  stripe: [['config', /^(-l|--list)$/]],
  mysql_config_editor: [['print', /^--all$|^-G|^--login-path/]],
  npm: NODE,
  pnpm: NODE,
  yarn: [
    ['config get', /auth|token|password/i],
    ['config', /^(-v|--verbose)$/],
    ENV_SCRIPT,
    ['env', undefined, /^(run|exec|dlx|add|remove|workspace|workspaces|why|info)$/],
  ],
  pip: [['config get', /token|password/i]],
  php: [['', /^(-i|--info)$/]],
  java: [['', /^-XshowSettings(:(all|properties|system))?$/]],
  systemctl: ['show-environment', ['show', /Environment/]],
  tmux: ['show-environment', 'showenv'],
  snyk: ['config get api'],
  composer: [['config', /^(github-oauth|gitlab-token|http-basic|bearer|bitbucket-oauth)/]],
  poetry: [['config', [/^(pypi-token|http-basic)\./], undefined]],
};
