/**
 * Programs that print or list what an archive or a packed file holds, and write nothing. One rule for all: the content of
 * an archive is that of the file, so one within the project is read, whatever is in it; a member that is named counts as a
 * file of that name, so that one with secrets is asked for. With an option that is not listed the tables of programs
 * decide. Sources: the manual of each program.
 */
import { judgeAtFiles, judgeList } from './listed-files.ts';
import { isOption, type Option, splitArguments } from './options.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { searchFilter } from './search-filter.ts';
import { judgeSearch } from './search-secrets.ts';

interface Packer {
  /** With one of these it only prints; absent: always. */
  prints?: readonly string[];
  /** Without operands it passes on what it is fed. */
  filters?: true;
  /** What may stand beside them: letters of one dash, long options, and options with a value that is no path. */
  letters: string;
  long?: readonly string[];
  values?: string;
  /** Options whose value is a file that it reads, or one that names such files. */
  files?: string;
  lists?: string;
  /** It takes one file, and perhaps a name to write to. */
  single?: true;
}

const PRINTING = ['-c', '-l', '-t', '--stdout', '--to-stdout', '--list', '--test'];
const LONG =
  '--decompress --uncompress --compress --keep --force --quiet --verbose --no-name --name --fast --best --recursive --robot --single-stream --threads --memlimit --memlimit-decompress --memory --format --long --no-sparse --no-progress --progress --ignore-check --processes --no-check --check --extreme --ultra --help --version'.split(
    ' ',
  );
const stream: Packer = {
  prints: PRINTING,
  filters: true,
  letters: 'cdfklnNqrtvz123456789ehHV',
  long: LONG,
  values: '-S --suffix -p -b -T -M -F',
  files: '-D --patch-from',
  lists: '--files --files0 --filelist',
};
/** `xz -T0`, `zstd -T0 -19`: the value is attached. */
const attached: Packer = { ...stream, letters: `${stream.letters}0`, values: '-S --suffix -M -F' };
const { prints: _prints, ...always } = stream;

const STREAMS: Readonly<Record<string, Packer>> = {
  ...Object.fromEntries(
    'gzip gunzip bzip2 bunzip2 pigz unpigz pbzip2 lbzip2 lbunzip2 uncompress compress lzop'
      .split(' ')
      .map((name) => [name, stream]),
  ),
  ...Object.fromEntries(
    'xz unxz lzma unlzma zstd unzstd zstdmt pzstd plzip lzip'.split(' ').map((name) => [name, attached]),
  ),
  ...Object.fromEntries(
    'zcat gzcat bzcat xzcat lzcat zstdcat lz4cat lzopcat bsdcat'
      .split(' ')
      .map((name): [string, Packer] => [name, always]),
  ),
  lz4: { ...attached, single: true },
  unlz4: { ...attached, single: true },
  brotli: { ...attached, values: '-S --suffix -q -w --quality --lgwin', single: true },
};

/** Undefined where it is no such program, or does more than print. */
export function judgePrinted(name: string, args: readonly string[], scene: Scene): Outcome | undefined {
  if (Object.hasOwn(STREAMS, name)) return judgeStream(name, STREAMS[name]!, args, scene);
  switch (name) {
    case 'unzip':
    case 'bsdunzip':
      return members(
        args,
        { prints: '-p -c -l -t -v -z -Z'.split(' '), letters: 'pcltvzZqCjabsnhTM12', values: '-P' },
        scene,
      );
    case 'tar':
    case 'gtar':
    case 'bsdtar':
      return judgePrintedTar(args, scene);
    case '7z':
    case '7za':
    case '7zr':
    case '7zz':
      return judgeSeven(name, args, scene);
    case 'unrar':
    case 'rar':
      return /^(l|lb|lt|v|vb|vt|t|p)$/.test(args[0] ?? '')
        ? named(name, args.slice(1), /^-(inul|id\w*|p.*|c-|y|cfg-|v|ver\d*)$/, scene)
        : undefined;
    case 'ar':
      return /^-?[pt][vO]*$/.test(args[0] ?? '') ? named(name, args.slice(1), /^$/, scene) : undefined;
    case 'cpio':
      return judgeCpio(args, scene);
  }
  return undefined;
}

function judgeStream(name: string, packer: Packer, args: readonly string[], scene: Scene): Outcome | undefined {
  const { options, operands } = splitPacked(packer, args);
  const passesOn = packer.filters && operands.length === 0 && scene.stdin !== 'none';
  const tells = options.some((option) => /^(--help|--version|-h|-V)$/.test(option.name));
  if (packer.prints && !passesOn && !tells && !isPrinting(packer.prints, options)) return undefined;
  if (packer.single && operands.length > 1) return undefined;
  const listing = (packer.lists ?? '').split(' ');
  const notes: Outcome[] = [];
  for (const option of options) {
    if (listing.some((one) => isOption(option.name, one) && option.name.length > 4))
      notes.push(judgeList(name, option.value ?? '-', scene));
    else if (!isListed(packer, option)) return undefined;
  }
  const files = options.filter(({ name: one }) => (packer.files ?? '').split(' ').includes(one));
  notes.push(touch(scene, [...operands, ...files.map(({ value = '' }) => value)], 'read'));
  if (options.some((option) => option.name === '-r' || isOption(option.name, '--recursive')))
    notes.push(judgeSearch(scene, operands.length > 0 ? operands : ['.'], searchFilter([])));
  return { ...combine(outcome('read'), ...notes), readOnly: true };
}

const splitPacked = (packer: Packer, args: readonly string[]) =>
  splitArguments(args, { values: new Set([packer.values ?? '', packer.files ?? ''].join(' ').split(' ')) });

const isPrinting = (prints: readonly string[], options: readonly Option[]): boolean =>
  options.some((option) => prints.some((one) => isOption(option.name, one)));

function isListed(packer: Packer, { name }: Option): boolean {
  if ([packer.values, packer.files].some((list) => list?.split(' ').includes(name))) return true;
  if (name.startsWith('--')) return [...(packer.long ?? []), ...(packer.prints ?? PRINTING)].includes(name);
  // `-T0`: each digit is read as a letter of its own.
  return packer.letters.includes(name.slice(1)) || (name === '-T' && packer.letters.includes('0'));
}

/** An archive and members of it, with options in front. */
function members(args: readonly string[], packer: Packer, scene: Scene): Outcome | undefined {
  const { options, operands } = splitPacked(packer, args);
  if (!isPrinting(packer.prints ?? [], options) || !options.every((option) => isListed(packer, option)))
    return undefined;
  return { ...touch(scene, operands, 'read'), readOnly: true };
}

/** The same, with options of a form of their own. */
function named(name: string, args: readonly string[], flags: RegExp, scene: Scene): Outcome | undefined {
  const words = args.filter((word) => word !== '--' && !word.startsWith('@'));
  const options = words.filter((word) => word.startsWith('-') && word.length > 1);
  if (!options.every((option) => flags.test(option))) return undefined;
  const paths = words.filter((word) => !options.includes(word));
  return { ...combine(touch(scene, paths, 'read'), ...judgeAtFiles(name, args, scene)), readOnly: true };
}

function judgeSeven(name: string, args: readonly string[], scene: Scene): Outcome | undefined {
  const [command = '', ...rest] = args;
  if (/^[xe]$/.test(command) ? !rest.includes('-so') : !/^[lth]$/.test(command)) return undefined;
  return named(
    name,
    rest,
    /^-(so|ba|slt|bd|bb\d?|b[sp][oe]?\d?|y|r[-0]?|p.*|scs.*|mmt.*|t(7z|zip|tar|gzip|bzip2|xz))$/,
    scene,
  );
}

const TAR: Packer = {
  prints: ['-O', '--to-stdout'],
  letters: 'xOzjJZvfapmokiBS',
  long: '--extract --get --gzip --gunzip --bzip2 --xz --zstd --lzma --lzip --auto-compress --verbose --wildcards --no-wildcards --wildcards-match-slash --anchored --no-anchored --ignore-case --occurrence --show-transformed-names --warning --no-same-owner --no-same-permissions --force-local'.split(
    ' ',
  ),
  values: '-C -X --directory --exclude --strip-components --transform',
  files: '-f --file',
};

function judgePrintedTar(args: readonly string[], scene: Scene): Outcome | undefined {
  const [first = ''] = args;
  const words = /^[A-Za-z]+$/.test(first) ? [`-${first}`, ...args.slice(1)] : args;
  const { options, operands } = splitPacked(TAR, words);
  const extracts = options.some(({ name }) => name === '-x' || name === '--extract' || name === '--get');
  if (!extracts || !isPrinting(TAR.prints!, options) || !options.every((option) => isListed(TAR, option)))
    return undefined;
  const archives = options.flatMap(({ name, value = '' }) => (name === '-f' || name === '--file' ? value : []));
  const folders = options.flatMap(({ name, value = '' }) => (/^(-C|-X|--directory)$/.test(name) ? value : []));
  // `host:file` is read through a remote shell, and what is renamed by a command is run.
  const isLocal = archives.every((archive) => !archive.includes(':'));
  const isPlain = options.every(({ name, value = '' }) => name !== '--transform' || !/e\w*$/.test(value));
  return isLocal && isPlain
    ? { ...touch(scene, [...archives, ...folders, ...operands], 'read'), readOnly: true }
    : undefined;
}

function judgeCpio(args: readonly string[], scene: Scene): Outcome | undefined {
  const values = new Set(['-F', '--file', '-I', '-E', '--pattern-file', '-H', '--format', '-C', '--io-size']);
  const { options, operands } = splitArguments(args, { values });
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name));
  if (!has('-t', '--list') && !(has('-i', '--extract') && has('--to-stdout'))) return undefined;
  const isKnown = ({ name, value = '' }: Option) =>
    (values.has(name) && !value.includes(':')) ||
    /^(-[itvdmnub]|--(list|extract|to-stdout|verbose|quiet|numeric-uid-gid|make-directories))$/.test(name);
  if (!options.every(isKnown)) return undefined;
  const files = options.flatMap(({ name, value = '' }) =>
    /^(-F|-I|-E|--file|--pattern-file)$/.test(name) ? value : [],
  );
  return { ...touch(scene, [...files, ...operands], 'read'), readOnly: true };
}
