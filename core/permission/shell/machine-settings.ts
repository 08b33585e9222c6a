/**
 * What package managers and clients change beyond the project: programs that they put where a shell finds them, and
 * settings and logins of the person. The rest of what they do is told by their tables.
 */
import { asSet } from './judge-table.ts';
import { isOption, splitArguments } from './options.ts';
import { type Outcome, outcome } from './scene.ts';
import { SUBCOMMAND_TOOLS } from './subcommands.ts';

/** By name: subcommands that do so, and an option with which they stay in the project. */
type Row = readonly [subcommands: RegExp, unless?: RegExp];

const NODE: Row = [
  /^(config|c) (set|delete|rm|edit|fix)( |$)|^set( |$)|^(login|adduser|add-user|logout|setup|self-update) |^env use |^(link|ln) $/,
  /^(--location=project|project)$/,
];
const PIP: Row = [/^config (set|unset|edit) /, /^--site$/];
const CLOUD: Row = [
  /^(login|logout|configure (set|sso|import)|config set|auth (login|application-default (login|revoke|set-quota-project)|revoke|configure-docker|activate-service-account)|sso (login|logout)|account (set|clear)|config (set|unset)|config configurations (activate|create)|init|components (install|update|remove)|extension (add|remove|update)|container clusters get-credentials|eks update-kubeconfig|aks get-credentials) |^configure (--defaults .*)?$/,
];
const CONTAINER: Row = [
  /^(login|logout|context (use|create|update|import)|plugin (install|enable|disable|set|upgrade)|buildx use) /,
];
const LOGIN: Row = [/^((auth|auth:)?[ :]?(login|logout|signup|register)|login|logout|plugins:install) /];
const CONDA: Row = [/^(config|init) /, /^--(show|show-sources|get|describe|validate)$/];
const VERSIONS: Row = [
  /^(install|uninstall|global|default|use-default|alias|update|upgrade|plugin|plugin-add|reshim|pin|self|settings|env-create) /,
  /^(list|ls|--list|-l)$/,
];

const ROWS: Readonly<Record<string, Row>> = {
  npm: NODE,
  pnpm: NODE,
  yarn: [
    /^global (add|remove|upgrade) |^npm (login|logout) |^(login|logout) |^config (set|delete|unset) .*(-H|--home) |^config (set|delete) registry /,
  ],
  bun: [/^(login|logout|upgrade) |^pm cache rm /],
  deno: [/^install .*(-g|--global) |^upgrade /],
  pip: PIP,
  pip3: PIP,
  pipx: [/^(install|install-all|upgrade|upgrade-all|inject|uninstall|reinstall|reinstall-all|ensurepath) /],
  uv: [/^(tool (install|upgrade|uninstall|update-shell)|python (install|uninstall)|self update|cache (clean|prune)) /],
  poetry: [/^config [^ ]+ [^ ]|^self /, /^(--local|--list)$/],
  conda: CONDA,
  mamba: CONDA,
  micromamba: [/^(config|shell init|shell deinit) /],
  gem: [
    /^(install|update|uninstall|signin|signout) |^sources .*(-a|-r|-c|--add|--remove|--clear-all) /,
    /^(-i|--install-dir)/,
  ],
  bundle: [/^config .*--global /],
  composer: [
    /^global (require|update|remove|install|config) |^(config .*(-g|--global)|self-update|selfupdate) /,
    /^(-l|--list)$/,
  ],
  cargo: [/^(install|uninstall|login|logout) /, /^--(root|list)/],
  go: [/^install |^env --?[wu](=\w+)? |^clean .*--?modcache |^telemetry (on|off|local) /],
  dotnet: [
    /^tool (install|update|uninstall) .*(-g|--global) |^nuget (add|remove|update|enable|disable) source |^dev-certs https .*--(trust|clean) |^workload install /,
  ],
  nuget: [/^sources (add|remove|update|enable|disable) |^(setapikey|config) /i],
  docker: CONTAINER,
  podman: CONTAINER,
  nerdctl: CONTAINER,
  helm: [/^(plugin (install|update|uninstall)|registry (login|logout)|repo (add|remove)) /],
  kubectl: [
    /^config (set|set-cluster|set-context|set-credentials|use-context|use|rename-context|unset|delete-context|delete-cluster|delete-user) |^krew (install|uninstall|upgrade) /,
  ],
  oc: [/^(login|logout|project [^ ]|config (set|use|rename|unset|delete)[\w-]*) /],
  kubectx: [/^[^-\s]|^-d|^--?unset/],
  kubens: [/^[^-\s]/],
  gh: [
    /^(auth (login|logout|refresh|setup-git|switch)|config (set|clear-cache)|alias (set|import|delete)|(extension|ext|extensions) (install|upgrade|remove)|(ssh-key|gpg-key) (add|delete)) /,
  ],
  glab: [/^(auth (login|logout)|config set|alias (set|delete)|ssh-key add) /],
  git: [/^(maintenance (start|stop|register|unregister)|credential (approve|reject)|credential-\w+ (store|erase)) /],
  scalar: [/^(register|unregister|clone|reconfigure|delete) /],
  aws: CLOUD,
  gcloud: CLOUD,
  az: CLOUD,
  terraform: LOGIN,
  tofu: LOGIN,
  pulumi: LOGIN,
  heroku: LOGIN,
  fly: LOGIN,
  flyctl: LOGIN,
  vercel: LOGIN,
  netlify: LOGIN,
  firebase: LOGIN,
  wrangler: LOGIN,
  railway: LOGIN,
  wandb: LOGIN,
  'huggingface-cli': LOGIN,
  hf: LOGIN,
  doctl: [/^(auth (init|switch|remove)|kubernetes cluster kubeconfig save) /],
  op: [/^(account (add|forget)|signin|signout) /],
  brew: [/^services (start|stop|restart|run|kill|cleanup) /],
  code: [/^--(un)?install-extension/],
  defaults: [/^(write|delete|import|rename) /],
  gsettings: [/^(set|reset|reset-recursively) /],
  dconf: [/^(write|reset|load) /],
  'xdg-mime': [/^(default|install|uninstall) /],
  'xdg-settings': [/^set /],
  'update-alternatives': [/^--(set|install|remove|auto|config)/],
  chsh: [/^/],
  nvm: VERSIONS,
  fnm: VERSIONS,
  volta: [/^(install|uninstall|setup) /],
  asdf: VERSIONS,
  pyenv: VERSIONS,
  rbenv: VERSIONS,
  nodenv: VERSIONS,
  goenv: VERSIONS,
  jenv: VERSIONS,
  sdk: VERSIONS,
  mise: [/^(use .*(-g|--global)|settings (set|unset|add)|self-update|plugins? (install|add|uninstall)|trust|implode) /],
  corepack: [/^(enable|disable|prepare .*--activate|install -g|use) /],
  direnv: [/^(allow|permit|grant|deny|edit) /],
  flutter: [/^(config --|upgrade|downgrade|channel [^ ])/, /^--list$/],
  dart: [/^pub global (activate|deactivate) /],
  luarocks: [/^config [^ ]+ [^ ]/, /^--scope=project$/],
  jupyter: [/^(kernelspec|labextension|server extension) (install|remove|uninstall|enable|disable) /],
  ipykernel: [/^install /, /^--(prefix|sys-prefix)/],
  'ssh-copy-id': [/^/],
  vault: [/^login /],
};

/** Options with which `pip install` leaves the environment of the project. */
const PIP_BEYOND = /^--(user|break-system-packages)$/;

/** The outcome of what a tool changes beyond the project. */
export function judgeMachine(name: string, args: readonly string[]): Outcome {
  if (!Object.hasOwn(ROWS, name) || args.some((word) => isOption(word, '--help') || word === '-h'))
    return outcome('read');
  const [subcommands, unless] = ROWS[name]!;
  const line = `${args.join(' ')} `;
  // Options of the tool itself may stand before its subcommand.
  const values = asSet(SUBCOMMAND_TOOLS[name]?.values);
  const bare = `${splitArguments(args, { values }).operands.join(' ')} `;
  const stays = unless !== undefined && args.some((word) => unless.test(word));
  const isBeyond = /^pip3?$/.test(name) && args[0] === 'install' && args.some((word) => PIP_BEYOND.test(word));
  if (!isBeyond && (stays || !(subcommands.test(line) || subcommands.test(bare)))) return outcome('read');
  return { ...outcome('outside', `${name} changes what is installed or set beyond the project`), readOnly: false };
}
