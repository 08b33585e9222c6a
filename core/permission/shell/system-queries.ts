/**
 * Programs that change the machine or run what they are told, where their words only ask them something, as data. Sources:
 * the manual of each program.
 */
import { SHELL_WORDS } from './system-programs.ts';

const rows = (list: Readonly<Record<string, RegExp>>) =>
  new Map(Object.entries(list).flatMap(([names, words]) => names.split(' ').map((name) => [name, words] as const)));

/** Words of the command, joined by spaces; the pattern covers all of them. */
const QUERIES = rows({
  // A format can hold `#(command)`.
  tmux: /^(-V|(ls|list-sessions|lsw|list-windows|lsp|list-panes|has-session|has|info)( -[as]| -t [\w:.%@$-]+| -F [^(`]+)*)$/,
  screen: /^(-ls|-list|-v)$/,
  systemctl:
    /^((--user|--system|--no-pager|--quiet|-q|--plain|--no-legend|--all|-a|--full|-l|--failed|-n ?\d+|--lines=\d+|--type=\w+|-t \w+|--state=[\w,]+) ?)*((status|is-active|is-enabled|is-failed|is-system-running|list-units|list-unit-files|list-timers|list-sockets|list-dependencies|get-default)( [\w@.:*-]+)*)?$/,
  service: /^(--status-all|[\w@.-]+ status)$/,
  launchctl: /^(list|print-disabled|version)( [\w.-]+)?$/,
  crontab: /^-l$/,
  timedatectl: /^(status|show|list-timezones|timesync-status)?$/,
  hostnamectl: /^(status|hostname)?$/,
  loginctl: /^(list-sessions|list-users|list-seats)?$/,
  ip: /^((-\w+|-br|--brief|--json) )*(a|addr|address|r|route|l|link|n|neigh|rule)( (s|sh|show|list)( (dev )?[\w@.-]+)?)?$/,
  ifconfig: /^(-a|[a-z]+\d+)?$/,
  route: /^-n$/,
  mount: /^(-l)?$/,
  sysctl: /^(-[an]+ )?[\w.]+$|^-a$/,
  ufw: /^status( verbose| numbered)?$/,
  dpkg: /^(-l|-s|-L|-S|--list|--status|--listfiles|--search|--print-architecture)( [\w.+:*/-]+)*$/,
  'apt apt-get':
    /^(list|show|search|policy|depends|rdepends|changelog)( --installed| --upgradable| -a)*( [\w.+:*-]+)*$/,
  rpm: /^-q[ailcdR]*( [\w.+:*-]+)*$/,
  'dnf yum': /^(list|info|search|repolist|provides|history list)( installed| --installed)*( [\w.+:*-]+)*$/,
  pacman: /^-(Q[ikl]*|Ss|Si)( [\w.+-]+)*$/,
  apk: /^(info|list|search|version)( -\w+)*( [\w.+-]+)*$/,
  snap: /^(list|info|find|version)( [\w-]+)*$/,
  flatpak: /^(list|info|search)( --\w+)*( [\w.-]+)*$/,
  'gpg gpg2': /^(--list-keys|-k|--list-public-keys|--fingerprint)( [\w@.+-]+)*$/,
  'ssh-add': /^-[lL]$/,
  ssh: /^-V$|^-Q [\w-]+$/,
  journalctl:
    /^((--no-pager|--user|--system|--list-boots|--disk-usage|--no-hostname|-[xerkbqa]+|-u [\w@.:*-]+|--unit=[\w@.:*-]+|-n ?\d+|--lines=\d+|-p \w+|-t [\w.-]+|-o [\w-]+|--(since|until)[= ][\w:-]+)( |$))*$/,
  dmesg:
    /^((-[HTtkulxeL]+|--human|--ctime|--decode|--kernel|--userspace|--(level|facility)=[\w,]+|-[lf] [\w,]+)( |$))*$/,
  'nvidia-smi': /^((-L|-q|--list-gpus|--query-[\w-]+=[\w.,]+|--format=[\w,]+|-[id] [\w,]+|pmon -c \d+|topo -m)( |$))*$/,
  'apt-cache': /^(policy|show|showpkg|search|depends|rdepends|madison|stats|pkgnames)( [\w.+:*-]+)*$/,
  iostat: /^((-[cdhkmNtxyz]+|\d+)( |$))*$/,
  help: /^(-[dms] )?[\w[.:]+$/,
  dirs: /^(-[lpv]+|[-+]\d+)?$/,
  stty: /^(-a|-g|size|speed)?$/,
});

const asks = (name: string, line: string): boolean => QUERIES.get(name)?.test(line) ?? false;

/** Whether the words are one of the known questions, of a program that need not be in any other table. */
export const isQuery = (name: string, args: readonly string[]): boolean =>
  !args.some((word) => /[\s\ue000-\ue003\ufffe\uffff]/.test(word) || word === '') && asks(name, args.join(' '));

/** Whether the words only ask: for the version, for help, for what there is. */
export function onlyAsks(name: string, args: readonly string[]): boolean {
  const line = args.join(' ');
  // One word each: what is quoted may hold more than it seems.
  if (args.some((word) => /[\s\ue000-\ue003\ufffe\uffff]/.test(word) || word === '')) return false;
  if (args.length === 1 && /^--(version|help)$/.test(line)) return !SHELL_WORDS.has(name);
  return asks(name, line);
}
