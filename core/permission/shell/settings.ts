/**
 * Settings of the environment before a command, or alone: those that make programs run code or find other programs are
 * hidden, unless their value is one of the plain ones that are set every day. Sources: the manual of each tool.
 */
import { placePath } from '../paths.ts';
import { combine, type Outcome, outcome, type Scene } from './scene.ts';
import { ANY_TEXT, isComputed, Unreadable } from './syntax.ts';

/** Settings of the environment that make programs run code, or find other programs. */
const RISKY_VARIABLE = new RegExp(
  `^(${[
    'PATH|IFS|ENV|BASH_\\w+|BASHOPTS|SHELLOPTS|SHELL|PS[0-4]|PROMPT_COMMAND|CDPATH|HOME|HISTFILE|INPUTRC|FCEDIT',
    'XDG_\\w+|LD_\\w+|DYLD_\\w+|GCONV_PATH|LOCPATH|NLSPATH|TERMINFO\\w*|TERMCAP|OPENSSL_\\w+|COMPILER_PATH|GCC_\\w+',
    'GIT_\\w+|SSH_ASKPASS|RSYNC_RSH|CVS_RSH|SVN_SSH|HG\\w*|TAPE|GNUPGHOME',
    '\\w*PAGER|MANOPT|MANPATH|MANROFFSEQ|GROFF_\\w+|LESS\\w*|(\\w*_)?EDITOR|VISUAL|BROWSER|VIMINIT|EXINIT|MYVIMRC',
    'NODE_OPTIONS|NODE_PATH|PYTHON\\w*|PERL\\w*|RUBY\\w*|GEM_\\w+|BUNDLE_\\w+|LUA_\\w+|PHPRC|PHP_INI_SCAN_DIR|AWK\\w*|R_PROFILE\\w*',
    'JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_(HOME|OPTS)|CLASSPATH|(MAVEN|GRADLE|ANT|SBT)_(OPTS|HOME)|DOTNET_STARTUP_HOOKS|CORECLR_\\w+',
    'GO(FLAGS|ENV|ROOT|PATH|TOOLDIR|TOOLCHAIN)|RUSTC|RUSTDOC|RUSTFLAGS|RUSTUP_\\w+|CARGO_\\w+|CC|CXX|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES',
    'RIPGREP_CONFIG_PATH|GREP_OPTIONS|TAR_OPTIONS|UNZIP\\w*|ZIP\\w*|GZIP|ACKRC|BAT_\\w+|FZF_\\w+|CURL_HOME|WGETRC|KUBECONFIG|AWS_CONFIG_FILE|DOCKER_CONFIG',
    'npm_config_\\w+|NPM_CONFIG_\\w+|YARN_\\w+|PIP_\\w+|UV_\\w+|\\w+_PRELOAD|\\w+_ASKPASS|\\w+_WRAPPER',
  ].join('|')})$`,
);
const HARMLESS_SETTING =
  /^((GIT_)?PAGER|MANPAGER)=(cat)?$|^(GIT_)?(EDITOR|SEQUENCE_EDITOR)=(true|:|false)$|^VISUAL=(true|:)$|^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)=|^GIT_TERMINAL_PROMPT=|^GIT_OPTIONAL_LOCKS=|^PYTHON(UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|IOENCODING|UTF8)=|^CARGO_(TERM_COLOR|INCREMENTAL)=|^GIT_(TRACE\w*|CURL_VERBOSE)=[0-2]?$|^GIT_(TRACE\w*|CURL_VERBOSE|LFS_SKIP_SMUDGE)=(true|false)$|^GIT_LFS_SKIP_SMUDGE=1$|^PYTHON(FAULTHANDLER|DEVMODE|NOUSERSITE|OPTIMIZE|TRACEMALLOC|ASYNCIODEBUG|BREAKPOINT)=\d?$|^PYTHONWARNINGS=(ignore|error|default|always|once)$|^PIP_(DISABLE_PIP_VERSION_CHECK|NO_INPUT|NO_CACHE_DIR|QUIET|PROGRESS_BAR)=\w*$|^(npm_config|NPM_CONFIG)_(loglevel|yes|fund|audit|progress|update_notifier|legacy_peer_deps|LOGLEVEL|YES|FUND|AUDIT|PROGRESS)=[\w-]*$|^(GNU)?MAKEFLAGS=-?(j\d*|k|s)$|^UV_(NO_PROGRESS|LINK_MODE|OFFLINE|FROZEN|NO_SYNC)=\w*$|^CARGO_(NET_OFFLINE|PROFILE_\w+|BUILD_JOBS|NET_RETRY)=[\w-]+$|^LESSCHARSET=[\w-]+$|^GOTOOLCHAIN=local$|^RUBYOPT=-W\d?$/;

/** A name that no command may set unseen, in whatever way a shell sets variables. */
export function checkName(name: string): void {
  if (RISKY_VARIABLE.test(name)) throw new Unreadable(`it sets ${name}, which can change what runs`);
}

const COMPILER =
  /^(ccache )?([\w]+-)*(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|tcc|icc|icx|ar|ranlib|nm|strip)(-\d+(\.\d+)*)?( -(m\d\d|W[\w=-]+|O\w|g\d?|f(sanitize|PIC|pic|no-omit-frame-pointer)[\w=,-]*|std=[\w+]+))*$/;
const NODE_FLAG =
  /^--(experimental-(?!.*(loader|import|config|policy|sea))[\w-]+|max-(old|semi)-space-size=\d+|(no-)?(warnings|deprecation|experimental-[\w-]+)|trace-(warnings|deprecation|uncaught|exit|sync-io)|enable-source-maps|openssl-legacy-provider|unhandled-rejections=\w+|stack-trace-limit=\d+|expose-gc|preserve-symlinks|throw-deprecation|dns-result-order=\w+|conditions=[\w-]+)$/;
const RUST_FLAG =
  /^(-[DAWF]\s?[\w:-]+|--cfg(=|\s)[\w="]+|-C\s?(target-cpu=[\w.-]+|target-feature=[\w+,.-]+|opt-level=\w|debuginfo=\w+|lto(=\w+)?|codegen-units=\d+|panic=\w+|instrument-coverage|link-arg=-fuse-ld=(lld|mold|gold|bfd)|overflow-checks=\w+|debug-assertions(=\w+)?|strip=\w+)|--cap-lints(=|\s)\w+)$/;
const GO_FLAG = /^-(mod=(mod|vendor|readonly)|count=\d+|race|tags=[\w,.-]+|v|trimpath|buildvcs=\w+|short|p=\d+)$/;
const JAVA_FLAG =
  /^-(X(m[sxn]|ss)\w+|XX:[+-]?(MaxMetaspaceSize=\w+|Use\w+GC|MaxRAMPercentage=[\d.]+)|D(file\.encoding|user\.timezone|user\.language|org\.gradle\.(daemon|jvmargs|parallel))=[\w./+-]+)$/;
const JAVA_FOLDER = /^(\/usr\/lib\/jvm|\/usr\/java|\/Library\/Java\/JavaVirtualMachines|\/opt\/java)\/[\w./+-]+$/;
const SYSTEM_FOLDER = /^\/(usr\/(local\/)?)?s?bin$/;

const every = (flag: RegExp) => (value: string) =>
  flagsOf(value).every((word) => flag.test(word)) ? ('read' as const) : undefined;
/** `-D warnings` is one flag in two words. */
const flagsOf = (value: string): readonly string[] =>
  value
    .trim()
    .replace(/(^|\s)(-[CDAWF]|--cfg|--cap-lints)\s+/g, '$1$2\0')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.replace('\0', ' '));

/** What a value of such a setting means, where it is plain; undefined where it is not. */
const PLAIN_VALUES: readonly (readonly [RegExp, (value: string, scene: Scene) => 'read' | 'unknown' | undefined])[] = [
  [/^(CC|CXX)$/, (value) => (COMPILER.test(value) ? 'read' : undefined)],
  [/^NODE_OPTIONS$/, every(NODE_FLAG)],
  [/^RUSTFLAGS$/, every(RUST_FLAG)],
  [/^GOFLAGS$/, every(GO_FLAG)],
  [/^((JAVA|MAVEN|GRADLE|SBT|ANT)_OPTS|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$/, every(JAVA_FLAG)],
  [/^JAVA_HOME$/, (value) => (JAVA_FOLDER.test(value) && !value.includes('..') ? 'read' : undefined)],
  [
    /^(PYTHONPATH|NODE_PATH|RUBYLIB|PERL5LIB|CLASSPATH)$/,
    (value, scene) => (value.split(':').every((folder) => isOwn(folder, scene)) ? 'unknown' : undefined),
  ],
  [/^CARGO_TARGET_DIR$/, (value, scene) => (isOwn(value, scene) ? 'unknown' : undefined)],
  [/^PATH$/, (value, scene) => (isLonger(value, scene) ? 'unknown' : undefined)],
];

function isOwn(path: string, { cwds, places }: Scene): boolean {
  // The value that the variable had before stands for itself.
  if (path === '' || path === ANY_TEXT) return true;
  return !isComputed(path) && cwds.every((cwd) => placePath(path, cwd, places).inside);
}

/** Where a person's own programs are put, below the home directory and beside the system's. */
const OWN_FOLDER =
  /^(\.local|\.cargo|go|\.go|\.npm-global|\.deno|\.bun|\.yarn|\.volta|\.pyenv|\.rbenv|\.nodenv|\.dotnet\/tools|\.krew|\.composer\/vendor|\.config\/composer\/vendor|\.poetry|\.pixi|\.rye|\.foundry|\.ghcup|\.cabal)?\/?(bin|shims)$|^\.(dotnet\/tools|dotnet|rye\/shims|asdf\/(bin|shims))$|^\.nvm\/versions\/node\/v[\d.]+\/bin$/;
const INSTALLED_FOLDER =
  /^(\/usr\/local\/(go|cuda|node)\/bin|\/opt\/homebrew\/s?bin|\/home\/linuxbrew\/\.linuxbrew\/s?bin|\/snap\/bin|\/usr\/games|\/usr\/lib\/jvm\/[\w.+-]+\/bin|\/opt\/(go|node|java|maven|gradle)\/bin)$/;

function isInstalled(folder: string, { places }: Scene): boolean {
  if (folder.includes('..')) return false;
  if (INSTALLED_FOLDER.test(folder)) return true;
  const home = folder.startsWith('~/')
    ? folder.slice(2)
    : folder.startsWith(`${places.home}/`)
      ? folder.slice(places.home.length + 1)
      : '';
  return OWN_FOLDER.test(home);
}

/** `PATH=folder:$PATH`: folders of the system, and those in which the project keeps its programs. */
function isLonger(value: string, scene: Scene): boolean {
  const folders = value.split(':');
  const isBefore = (folder: string) => folder === ANY_TEXT || SYSTEM_FOLDER.test(folder);
  return (
    folders.includes(ANY_TEXT) &&
    folders.every(
      (folder) =>
        isBefore(folder) ||
        isInstalled(folder, scene) ||
        (/(^|\/)(\.?bin|scripts|Scripts)$/.test(folder) && isOwn(folder, scene)),
    )
  );
}

/** Judges settings before a command, or alone. */
export function judgeAssignments(assignments: readonly { name: string; value: string }[], scene: Scene): Outcome {
  const notes: Outcome[] = [];
  for (const { name, value } of assignments) {
    if (!RISKY_VARIABLE.test(name) || HARMLESS_SETTING.test(`${name}=${value}`)) continue;
    const plain = PLAIN_VALUES.find(([pattern]) => pattern.test(name))?.[1](value, scene);
    if (plain === undefined) notes.push(outcome('hidden', `sets ${name}, which can change what runs`));
    else if (plain === 'unknown')
      notes.push(outcome('unknown', `sets ${name} to folders of the project, whose code then runs`));
  }
  return combine(outcome('read'), ...notes);
}
