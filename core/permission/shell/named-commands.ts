/**
 * Commands that are more than their program, told by the words behind it: those that destroy, and those that print
 * credentials, as data. Sources: the manual of each tool.
 */
import type { AccessClass } from '../../types.ts';

/** Words that stand side by side among the operands; with a pattern, only when an option or operand matches it. */
type Row = string | readonly [string, RegExp];

const rows = (list: string): readonly string[] => list.split('|');

const MIGRATIONS = 'migrate:fresh|migrate:reset|migrate:refresh|migrate:rollback|db:wipe';
const RAILS = 'db:drop|db:reset|db:purge|db:rollback|db:schema:load|db:migrate:reset|db:truncate_all';
const CLUSTER_SECRETS: readonly Row[] = [
  ['get secret', /^(-o|--output|--template)/],
  ['get secrets', /^(-o|--output|--template)/],
  ['config view', /^--raw/],
  'create token',
];

const DESTROYS: Readonly<Record<string, readonly Row[]>> = {
  dropdb: [''],
  dropuser: [''],
  pg_restore: [['', /^(--clean|-[aeOsvx1]*c[aeOsvx1]*)$/]],
  mongorestore: [['', /^--drop$/]],
  mysqladmin: ['drop'],
  podman: ['system reset', 'machine reset'],
  supabase: ['db reset', ['stop', /^--no-backup$/], ['db push', /^--include-all$/]],
  prisma: ['migrate reset', ['db push', /^--(force-reset|accept-data-loss)$/]],
  'drizzle-kit': ['drop', ['push', /^--force$/]],
  typeorm: rows('schema:drop|migration:revert'),
  sequelize: rows('db:drop|db:migrate:undo|db:migrate:undo:all'),
  'sequelize-cli': rows('db:drop|db:migrate:undo|db:migrate:undo:all'),
  knex: ['migrate:rollback', 'migrate:down'],
  php: rows(MIGRATIONS).map((word) => `artisan ${word}`),
  artisan: rows(MIGRATIONS),
  rails: rows(RAILS),
  rake: rows(RAILS),
  mix: rows('ecto.drop|ecto.reset|ecto.rollback'),
  dotnet: ['ef database drop'],
  'dotnet-ef': ['database drop'],
  alembic: ['downgrade'],
  flask: ['db downgrade'],
  diesel: ['database reset', 'migration revert', 'migration redo'],
  sqlx: ['database drop', 'database reset', 'migrate revert'],
  dbmate: ['drop', 'down', 'rollback'],
  goose: ['reset', 'down', 'down-to'],
  migrate: ['drop', 'down'],
  flyway: ['clean', 'undo'],
  liquibase: rows('dropAll|drop-all|rollback|rollback-count'),
  heroku: rows('apps:destroy|apps:delete|pg:reset|pg:copy|addons:destroy'),
  surge: ['teardown'],
  wrangler: ['delete', 'rollback'],
  multipass: ['delete'],
  virsh: ['undefine', 'destroy', 'vol-delete'],
};

const PRINTS: Readonly<Record<string, readonly Row[]>> = {
  gh: ['auth token', ['auth status', /^(-t|--show-token)$/]],
  glab: ['auth token', ['auth status', /^(-t|--show-token)$/]],
  git: [
    ...rows('credential fill|credential-store get|credential-cache get|credential-osxkeychain get'),
    ...rows('credential-manager get|credential-libsecret get|credential-wincred get'),
    ['config', /^(http\..*extraheader|.*(token|password|secret))$/i],
  ],
  aws: [
    ...rows(
      'configure get|configure export-credentials|sts get-session-token|sts assume-role|sts get-federation-token',
    ),
    ...rows('sts assume-role-with-saml|sts assume-role-with-web-identity|sso get-role-credentials'),
    ...rows('ecr get-login-password|ecr get-authorization-token|ecr-public get-login-password|eks get-token'),
    ...rows('secretsmanager get-secret-value|secretsmanager batch-get-secret-value'),
    ...rows('codeartifact get-authorization-token|rds generate-db-auth-token|iam create-access-key'),
    ['ssm get-parameter', /^--with-decryption$/],
    ['ssm get-parameters', /^--with-decryption$/],
    ['ssm get-parameters-by-path', /^--with-decryption$/],
  ],
  gcloud: rows(
    'auth print-access-token|auth print-identity-token|auth application-default print-access-token|config config-helper|secrets versions access|iam service-accounts keys create',
  ),
  az: rows(
    'account get-access-token|keyvault secret show|keyvault secret download|keyvault key download|storage account keys list|ad sp create-for-rbac',
  ),
  doctl: ['auth token'],
  kubectl: CLUSTER_SECRETS,
  oc: [...CLUSTER_SECRETS, 'whoami -t', 'extract'],
  vault: rows('read|kv get|token lookup|token create|print token|unwrap'),
  op: rows('read|item get|document get|inject|signin'),
  bw: rows('get|list|export|unlock'),
  rbw: ['get', 'search'],
  lpass: ['show', 'export'],
  gopass: ['show', 'cat'],
  chamber: rows('read|list|export|exec|env'),
  doppler: rows('secrets|configure get'),
  sops: [['', /^(-d|--decrypt|decrypt|exec-env|exec-file)$/]],
  age: [['', /^(-d|--decrypt)$/]],
  'ansible-vault': ['view', 'decrypt'],
  pulumi: [['', /^--show-secrets$/]],
  heroku: ['auth:token', 'config', 'config:get'],
  fly: ['auth token', 'tokens create'],
  flyctl: ['auth token', 'tokens create'],
  vercel: ['env pull'],
  netlify: ['env:list', 'env:get'],
  firebase: ['login:ci', 'functions:secrets:access'],
  npm: ['token', ['config get', /_auth|_password|token/i], ['config ls', /^-l$/]],
  yarn: [['config get', /auth|token|password/i]],
  pip: [['config get', /token|password/i]],
  snyk: ['config get api'],
  composer: [['config', /^(github-oauth|gitlab-token|http-basic|bearer|bitbucket-oauth)/]],
};

function find(table: Readonly<Record<string, readonly Row[]>>, name: string, args: readonly string[]) {
  if (!Object.hasOwn(table, name)) return undefined;
  const operands = args.filter((word) => !word.startsWith('-')).slice(0, 8);
  const line = ` ${operands.join(' ')} `;
  return table[name]!.map((row): readonly [string, RegExp?] => (typeof row === 'string' ? [row] : row)).find(
    ([words, pattern]) =>
      (words === '' || line.includes(` ${words} `)) && (!pattern || args.some((word) => pattern.test(word))),
  )?.[0];
}

/** The class and the reason of a command that the tables name; undefined for all others. */
export function judgeNamed(name: string, args: readonly string[]): readonly [AccessClass, string] | undefined {
  const program = name.replace(/\.(py|php|js|sh|exe)$/, '');
  if (args.length === 1 && /^(--version|-V|--help|-h)$/.test(args[0]!)) return undefined;
  const destroys = find(DESTROYS, program, args);
  if (destroys !== undefined)
    return ['destructive', `${[name, destroys].join(' ').trim()} deletes or overwrites something for good`];
  if (/^(docker-credential|git-credential)-/.test(name)) return ['outside', `${name} prints credentials`];
  const prints = find(PRINTS, program, args);
  return prints === undefined ? undefined : ['outside', `${[name, prints].join(' ').trim()} prints credentials`];
}
