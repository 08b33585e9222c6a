/** Filters whose second file is written, or whose program can do more than filter. */
import { judgeScript } from './file-texts.ts';
import { findOption, splitArguments } from './options.ts';
import { combine, type Judge, outcome, touch } from './scene.ts';
import { isDescriptor } from './syntax.ts';

const set = (names: string) => new Set(names.split(' '));

export const judgeAwk: Judge = (words, scene) => {
  const values = set(
    '-F -v -f -i -l -e -E -o -p -d --field-separator --assign --file --include --load --source --exec --output-file',
  );
  const { options, operands } = splitArguments(words, { values });
  const odd = options.find(
    ({ name }) => !/^(-F|-v|--field-separator|--assign|--posix|--re-interval|-r|-n|--version|-e|--source)$/.test(name),
  );
  const source = options.find(({ name }) => name === '-e' || name === '--source')?.value;
  const program = source ?? operands[0] ?? '';
  const files = touch(scene, source === undefined ? operands.slice(1) : operands, 'read');
  if (
    options.some(({ name, value = '' }) => /^(-i|--include)$/.test(name) && /inplace/.test(value)) ||
    options.some(({ name, value }) => name === '--include' && value === 'inplace')
  ) {
    return combine({ ...outcome('write', 'awk changes files in place'), readOnly: false }, files);
  }
  const scripts = options.filter(({ name }) => /^(-f|-E|--file|--exec)$/.test(name)).map(({ value = '' }) => value);
  if (scripts.some(isDescriptor))
    return combine(outcome('hidden', 'awk runs a program that comes out of another command'), files);
  const fetched = scripts.map((script) => judgeScript(script, scene, (text) => runsOrWrites(text) === undefined));
  if (odd) {
    // What stands apart from `-d`, `-o` and `-p` is the program, and what is attached is a file that is written.
    const odds = options.filter(
      ({ name }) => !/^(-F|-v|-e|-f|-E|--field-separator|--assign|--source|--file)$/.test(name),
    );
    const written = touch(
      scene,
      odds.map(({ value = '' }) => value).filter((value) => !/[\s{}()]/.test(value)),
      'write',
    );
    const why = [program, ...odds.map(({ value = '' }) => value)].map(runsOrWrites).find((one) => one !== undefined);
    const runs = scripts.length > 0 || why === undefined ? [] : [outcome('hidden', why)];
    return combine(
      outcome('unknown', `awk ${odd.name} is not known to only read`),
      files,
      written,
      ...runs,
      ...fetched,
    );
  }
  const told: string[] = [];
  const why = runsOrWrites(
    program.replace(PIPED, (_match, before: string, command: string) => {
      told.push(command);
      return before;
    }),
  );
  const inner = told.flatMap((command) => scene.code(command, { ...scene, stdin: 'pipe', fed: undefined }));
  return combine({ ...(why === undefined ? outcome('read') : outcome('hidden', why)), inner }, files);
};

/**
 * `print … | "sort -rn"`: what is printed goes into a command that is one plain text. Nothing that could hide what follows
 * stands in it.
 */
const PIPED = /(\bprintf?\b[^|"/]*)\|\s*"([\w .,:=+-]+)"(?=\s*(?:[;}\n]|$))/g;

/** `FILENAME == ARGV[1]` looks at the list, and changes nothing. */
const COMPARED = /(?<![-+][-+ ]*)\bARGV\[\w+\]\s*[!=]=(?!=)|[!=]=\s*ARGV\[\w+\](?=\s*(\{|\}|&&|\)|;|,|\n|$))/g;

function runsOrWrites(program: string): string | undefined {
  // Texts are not taken out first: a quote in a pattern would hide what follows it.
  if (/\bsystem\b|\||@|\bgetline\b/.test(program.replace(/\|\|/g, '')))
    return 'the awk program runs a command or reads other files';
  // The names that it goes through are a list that it may change.
  if (/\bARGV\b|\bSYMTAB\b/.test(program.replace(COMPARED, ' ')))
    return 'the awk program may read files that it names itself';
  return mayWrite(program) ? 'the awk program may write files' : undefined;
}

/**
 * `>` compares, unless it stands behind `print` or `printf` in the same statement. Where a text or a pattern stands
 * between them, it is not told where a statement ends.
 */
function mayWrite(program: string): boolean {
  for (let at = program.indexOf('>'); at >= 0; at = program.indexOf('>', at + 1)) {
    const print = program.lastIndexOf('print', at);
    if (print < 0) continue;
    const between = program.slice(print, at);
    if (/["/]/.test(between) || !/[;}\n]/.test(between)) return true;
  }
  return false;
}

export const judgeUniq: Judge = (words, scene) => {
  const { operands } = splitArguments(words, { values: set('-f -s -w --skip-fields --skip-chars --check-chars') });
  const written = operands.slice(1);
  return combine(
    written.length > 0 ? outcome('write', 'writes a file') : outcome('read'),
    touch(scene, operands.slice(0, 1), 'read'),
    touch(scene, written, 'write'),
    written.length > 0 ? outcome('write') : outcome('read'),
  );
};

export const judgeXxd: Judge = (words, scene) => {
  const { options: given, operands } = splitArguments(words, { values: set('-c -g -l -s -o -n -cols -len -seek') });
  if (operands.length < 2 && !findOption(given, '-r', '-revert'))
    return combine(outcome('read'), touch(scene, operands, 'read'));
  return combine(outcome('write', 'writes a file'), touch(scene, operands, 'write'));
};

export const judgeDate: Judge = (words, scene) => {
  const { options: given, operands } = splitArguments(words, { values: set('-d -f -r --date --file --reference') });
  if (findOption(given, '-s', '--set') || operands.some((word) => !word.startsWith('+')))
    return outcome('outside', 'sets the clock');
  return combine(
    outcome('read'),
    touch(
      scene,
      given.filter(({ name }) => /^(-f|-r|--file|--reference)$/.test(name)).map(({ value = '' }) => value),
      'read',
    ),
  );
};
