/**
 * Tools whose first operands say what they do, as data: package managers, containers, clusters, cloud and secret tools.
 * What the lists do not name has the class of `otherwise`, or `destructive` when a verb of deletion stands in front.
 */
import type { AccessClass } from '../../types.ts';

export interface SubcommandTool {
  read?: string;
  write?: string;
  /** Those of `write` that change nothing but what can be made again: builds and tests. */
  checks?: string;
  network?: string;
  outside?: string;
  destructive?: string;
  /** Read over the network: changes nothing anywhere. */
  look?: string;
  otherwise: AccessClass;
  /** What it does without any operand, where that is more than telling how it is used. */
  alone?: readonly [AccessClass, string];
  /** Options with a value that stand before the subcommand. */
  values?: string;
  /** Further verbs of deletion, or of overwriting what cannot be had back. */
  verbs?: string;
  /** Options that make a destructive command only tell what it would do. */
  dry?: string;
  /** Of the destructive ones, those that `dry` holds for; absent: all. */
  rehearses?: string;
  /** What only shows something, although its subcommand can do more; unless a word of this form stands there. */
  shows?: readonly (readonly [string, RegExp?])[];
  /** Verbs of deletion of which only these options delete what cannot be had back. */
  mild?: readonly [string, RegExp];
  /** Subcommands that, with nothing behind them, list what they could run. */
  lists?: string;
  /** Subcommands that run the rest of the words as a command. */
  runs?: string;
  /** Without operands it takes its commands from standard input. */
  reads?: true;
  /** Operands that begin with `//` or `@` are names of targets, no paths. */
  labels?: true;
  /** `apply` without the file of a plan destroys. */
  applies?: true;
}

const npm: SubcommandTool = {
  read: 'ls list ll la explain why root prefix bin help completion query',
  write:
    'run run-script test t tst start build stop restart pack rebuild version prune dedupe dlx-local init-local set-script pkg',
  checks: 'test t tst',
  lists: 'run run-script',
  look: 'view info show outdated search ping audit whoami',
  network:
    'install i in add ci update up upgrade uninstall remove rm un link create init exec x dlx fund login logout import install-test it cit',
  shows: [['config get'], ['config list'], ['config ls'], ['pkg get'], ['cache ls']],
  destructive: 'publish unpublish deprecate access owner token hook org team',
  otherwise: 'unknown',
  values: '--prefix -C --dir --filter -F --workspace -w --cwd --registry',
  dry: '--dry-run',
  rehearses: 'publish unpublish',
};
const pip: SubcommandTool = {
  read: 'list show freeze check help debug inspect hash',
  look: 'index search',
  network: 'install download wheel',
  write: 'uninstall cache config',
  otherwise: 'unknown',
};
const cloud: SubcommandTool = { otherwise: 'network', look: 'version help' };
const container: SubcommandTool = {
  look: 'ps images info version inspect logs top stats port diff history events search',
  network: 'build pull push login logout buildx create start stop restart wait tag commit save load import export',
  destructive: 'rm rmi kill',
  otherwise: 'network',
  values: '-H --host -c --context --config -l --log-level -f --file -p --project-name --profile --env-file',
  verbs: 'rm rmi kill down',
  mild: ['down', /^(-v|--volumes?|--rmi)$/],
};
const cluster: SubcommandTool = {
  look: 'get describe logs top explain version api-resources api-versions cluster-info diff events config wait auth',
  network:
    'apply create expose label annotate rollout port-forward proxy cp attach set autoscale patch edit taint uncordon run debug',
  destructive: 'delete drain replace scale cordon',
  otherwise: 'network',
  values: '-n --namespace --context --kubeconfig --cluster --user -s --server',
  dry: '--dry-run',
};
const infra: SubcommandTool = {
  applies: true,
  read: 'fmt-check version',
  look: 'plan show output validate graph providers',
  network: 'init apply import refresh get workspace login test console',
  write: 'fmt',
  destructive: 'destroy taint untaint force-unlock',
  otherwise: 'network',
  verbs: 'rm destroy -destroy -auto-approve --auto-approve',
};
const kafka: SubcommandTool = { otherwise: 'network' };

const bazel: SubcommandTool = {
  labels: true,
  read: 'help version',
  write: 'build test run coverage query cquery aquery info fetch sync mod',
  checks: 'build test coverage',
  destructive: 'clean shutdown',
  otherwise: 'unknown',
};

export const SUBCOMMAND_TOOLS: Readonly<Record<string, SubcommandTool>> = {
  bazel,
  bazelisk: bazel,
  buck2: bazel,
  npm,
  pnpm: npm,
  yarn: { ...npm, alone: ['network', 'yarn alone installs packages'], write: `${npm.write} workspaces workspace` },
  bun: { ...npm, write: `${npm.write} --print`, otherwise: 'unknown' },
  pip,
  pip3: pip,
  pipx: { ...pip, write: '', network: 'install run upgrade inject uninstall ensurepath', otherwise: 'network' },
  uv: {
    read: 'help',
    // To tell what a project needs, `tree` may build it and write the lock file.
    write: 'tree version lock venv build format init',
    shows: [['version', /^(\d.*|--bump.*|--no-.*)$/]],
    network: 'add remove sync pip tool python',
    destructive: 'publish',
    otherwise: 'unknown',
    runs: 'run',
  },
  poetry: {
    read: 'show about check',
    write: 'build new init config version env',
    shows: [['env info'], ['env list'], ['version', /^(\d.*|(pre)?(major|minor|patch)|prerelease|--next-phase)$/]],
    network: 'add install update remove lock',
    destructive: 'publish',
    otherwise: 'unknown',
    runs: 'run',
  },
  pipenv: { read: 'graph', network: 'install update sync lock uninstall', otherwise: 'unknown', runs: 'run' },
  conda: {
    read: 'list info',
    look: 'search',
    network: 'install create update',
    destructive: 'remove clean',
    otherwise: 'unknown',
    runs: 'run',
  },
  cargo: {
    read: 'tree metadata version help pkgid locate-project read-manifest --list verify-project',
    write: 'build b check c test t run r bench doc fmt clippy fix clean new init generate-lockfile nextest expand',
    checks: 'build b check c test t bench doc clippy nextest',
    look: 'search info',
    network: 'add install update fetch remove rm uninstall vendor login logout',
    destructive: 'publish yank owner',
    dry: '--dry-run -n',
    rehearses: 'publish',
    otherwise: 'unknown',
    values: '--manifest-path --color --config -Z -C',
  },
  go: {
    read: 'version list doc help',
    write: 'build test run vet fmt generate clean tool env work fix telemetry',
    checks: 'build test vet',
    network: 'get install mod',
    shows: [['env', /^-(w|u|-w|-u)$/]],
    otherwise: 'unknown',
  },
  gem: {
    read: 'list contents specification environment which help',
    look: 'search info outdated',
    write: 'build',
    network: 'install update uninstall',
    destructive: 'push yank owner cleanup',
    otherwise: 'unknown',
  },
  bundle: {
    alone: ['network', 'bundle alone installs packages'],
    write: 'list show info check outdated',
    network: 'install update add remove',
    otherwise: 'unknown',
    runs: 'exec',
  },
  composer: {
    // Plug-ins of the project are loaded with each of them.
    write: 'validate show licenses depends',
    look: 'outdated search',
    network: 'require install update remove create-project',
    otherwise: 'unknown',
    runs: 'exec',
  },
  dotnet: {
    read: '--list-sdks --list-runtimes --info --version',
    write: 'build test run clean format new publish pack',
    checks: 'build test',
    network: 'add restore remove tool nuget',
    otherwise: 'unknown',
  },
  brew: {
    read: 'list ls info deps leaves config --prefix --cellar',
    look: 'search outdated doctor',
    outside: 'install update upgrade reinstall tap link services',
    destructive: 'uninstall remove rm cleanup autoremove untap',
    otherwise: 'outside',
  },
  winget: {
    read: 'list',
    look: 'search show',
    outside: 'install upgrade source',
    destructive: 'uninstall',
    otherwise: 'outside',
  },
  rustup: {
    read: 'show which',
    outside: 'install update default toolchain target component override',
    otherwise: 'outside',
  },
  docker: container,
  podman: container,
  nerdctl: container,
  'docker-compose': { ...container, network: `${container.network} up run exec` },
  kubectl: cluster,
  oc: cluster,
  helm: {
    look: 'list ls status get history show search template lint version',
    network: 'install upgrade repo pull dependency test package',
    destructive: 'uninstall delete rollback',
    otherwise: 'network',
    values: cluster.values!,
    dry: '--dry-run',
  },
  terraform: infra,
  tofu: infra,
  terragrunt: infra,
  pulumi: {
    look: 'preview stack-ls whoami about logs',
    network: 'up refresh login config',
    destructive: 'destroy',
    otherwise: 'network',
    verbs: 'rm --yes -y',
  },
  vagrant: { look: 'status', otherwise: 'unknown', destructive: 'destroy' },
  aws: {
    ...cloud,
    verbs: 'rm rb unsubscribe update-secret put-secret-value modify-db-instance reboot',
    dry: '--dryrun',
    values: '--profile --region --output --endpoint-url --query',
  },
  gcloud: { ...cloud, values: '--project --account --format' },
  gsutil: { ...cloud, verbs: 'rm rb rsync' },
  az: cloud,
  doctl: cloud,
  gh: { ...cloud, verbs: 'archive', values: '-R --repo' },
  glab: { ...cloud, verbs: 'archive', values: '-R --repo' },
  'gitlab-runner': cloud,
  circleci: cloud,
  vault: { ...cloud, verbs: 'revoke disable seal', values: '-address -namespace' },
  op: cloud,
  doppler: { ...cloud, runs: 'run' },
  consul: { ...cloud, verbs: 'leave' },
  nomad: { ...cloud, verbs: 'stop' },
  etcdctl: { ...cloud, verbs: 'del' },
  rclone: { ...cloud, verbs: 'sync move moveto purge deletefile cleanup dedupe rmdirs', dry: '-n --dry-run' },
  restic: { ...cloud, verbs: 'forget prune rewrite', dry: '-n --dry-run', values: '-r --repo -p --password-file' },
  borg: { ...cloud, verbs: 'compact rdelete recreate', dry: '-n --dry-run' },
  velero: cloud,
  nats: cloud,
  rabbitmqctl: {
    ...cloud,
    verbs: 'reset force_reset clear forget_cluster_node stop stop_app',
    values: '-n --node -p --vhost',
  },
  rabbitmqadmin: { ...cloud, verbs: 'purge' },
  'kafka-topics': kafka,
  'kafka-topics.sh': kafka,
  'kafka-consumer-groups': { ...kafka, verbs: '--reset-offsets' },
  'kafka-consumer-groups.sh': { ...kafka, verbs: '--reset-offsets' },
  'kafka-configs': kafka,
  'kafka-configs.sh': kafka,
  'kafka-acls': { ...kafka, verbs: '--remove' },
  'kafka-acls.sh': { ...kafka, verbs: '--remove' },
  'redis-cli': { ...cloud, reads: true, verbs: 'flushall flushdb del unlink shutdown' },
};

const DELETES = new Set(
  'delete del destroy remove purge drop prune forget revoke disable terminate unregister deregister wipe erase nuke flush truncate uninstall unsubscribe clear rm rmi rmdir'.split(
    ' ',
  ),
);
const DELETES_START = /^(delete|destroy|purge|unregister|deregister|terminate|unpublish|wipe|erase)/;

/** True when a word is, or is made with, a verb of deletion: `delete-secret`, `clear_permissions`, `db:drop`, `doDelete`. */
export function saysDelete(word: string): boolean {
  if (!/^[A-Za-z][\w:.-]*$/.test(word)) return false;
  const tokens = word
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_:.]/);
  return tokens.some((token) => DELETES.has(token) || DELETES_START.test(token));
}

/** True for options that delete: `--delete-before`, `--prune`; never `--rm`, which only tidies up after itself. */
export function optionDeletes(option: string): boolean {
  return (
    /^--?(x|m(e(t(h(od?)?)?)?)?|req(uest)?)=?delete$/i.test(option) ||
    /^--?(delete|del|destroy|purge|prune|remove-source|wipe|force-delete|unsafe-allow-remove)(?![a-z])/.test(option)
  );
}
