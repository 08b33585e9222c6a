/** Reads the command line by the tables of flags and commands. Pure: it reads no file and no environment. */
import { nearest } from '../core/nearest.ts';
import { COMMANDS, type CommandName, FLAGS, type FlagRow, type Flags, knows, RESERVED } from './flag-table.ts';

export type { CommandName, Flags } from './flag-table.ts';

export interface Parsed {
  command: CommandName;
  flags: Flags;
  /** The words that are not flags, without the command. */
  rest: readonly string[];
}

/** Reads the arguments after the program's name. `usage` is one line for standard error; the exit code is then 2. */
export function parseFlags(argv: readonly string[]): Parsed | { usage: string } {
  const flags: Record<string, unknown> = {};
  const given: FlagRow[] = [];
  const rest: string[] = [];
  let command: CommandName = 'chat';
  let literal = false;
  for (let i = 0; i < argv.length; i++) {
    const token = argv[i]!;
    if (token === '--') {
      literal = true;
      rest.push(...argv.slice(i + 1));
      break;
    }
    // A lone "-" means standard input, which is read anyway. What has a blank in its name is text, not a flag.
    if (token === '-') continue;
    if (!token.startsWith('-') || /^[^=]*\s/.test(token)) {
      const first = rest.length === 0 && command === 'chat' && flags.print === undefined;
      if (first && isCommand(token)) command = token;
      else rest.push(token);
      continue;
    }
    const problem = token.startsWith('--') ? long(token) : shorts(token);
    if (problem) return { usage: problem };

    function long(text: string): string | undefined {
      const equals = text.indexOf('=');
      const name = equals < 0 ? text.slice(2) : text.slice(2, equals);
      const row = FLAGS.find((r) => r.long === name);
      return row ? take(row, `--${name}`, equals < 0 ? undefined : text.slice(equals + 1)) : unknown(`--${name}`);
    }
    function shorts(text: string): string | undefined {
      for (let at = 1; at < text.length; at++) {
        const row = FLAGS.find((r: FlagRow) => r.short === text[at]);
        if (!row) return unknown(text);
        const tail = text.slice(at + 1);
        if (row.kind !== 'switch') return take(row, `-${text[at]}`, tail === '' ? undefined : tail.replace(/^=/, ''));
        const problem = take(row, `-${text[at]}`, undefined);
        if (problem) return problem;
      }
      return undefined;
    }
    /** Stores one flag; `inline` is the value written in the same word. */
    function take(row: FlagRow, shown: string, inline: string | undefined): string | undefined {
      given.push(row);
      if (row.kind === 'switch') {
        flags[row.long] = true;
        // `--print=prompt` is the prompt; no other switch has a value.
        if (inline !== undefined && row.long === 'print') rest.push(inline);
        else if (inline !== undefined) return `${shown} takes no value`;
        return undefined;
      }
      let value = inline;
      if (value === undefined) {
        const next = argv[i + 1];
        if (row.kind === 'optional') {
          // A prompt has blanks, a session's id has none.
          const isValue = next !== undefined && next !== '' && !next.startsWith('-') && !/\s/.test(next);
          value = isValue ? argv[++i]! : '';
        } else if (next === undefined || (next.startsWith('-') && isFlag(next)))
          return `${shown} needs a value: ${row.value}`;
        else value = argv[++i]!;
      }
      return store(flags, row, shown, value);
    }
  }
  const stray = given.find((row) => !knows(row, command));
  if (stray) return { usage: `--${stray.long} is not a flag of ${command === 'chat' ? 'ada' : `ada ${command}`}` };
  const word = flags.print === undefined && command === 'chat' && !literal ? mistaken(rest) : undefined;
  if (word) return { usage: word };
  const problem = settle(flags as Flags);
  return problem ? { usage: problem } : { command, flags: flags as Flags, rest };
}

const isCommand = (word: string): word is CommandName => Object.hasOwn(COMMANDS, word) || word === 'lab';

function isFlag(token: string): boolean {
  const name = token.replace(/=.*$/s, '');
  return name === '--' || FLAGS.some((row: FlagRow) => `--${row.long}` === name || `-${row.short}` === name);
}

function unknown(name: string): string {
  const known = FLAGS.flatMap((row: FlagRow) =>
    row.short && name.length === 2 ? [`-${row.short}`] : [`--${row.long}`],
  );
  return `unknown flag ${name}; the nearest is ${nearest(name, known)} (ada --help lists all)`;
}

/** One word that was surely meant as a command, or undefined: then it is a prompt. */
function mistaken(rest: readonly string[]): string | undefined {
  const word = rest[0];
  if (word === undefined || !/^[a-z-]+$/.test(word)) return undefined;
  const names = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];
  const near = nearest(word, names, Math.floor(word.length / 3));
  const reserved = RESERVED.includes(word);
  const followed =
    rest.length === 1 ||
    (rest.length === 2 && near && COMMANDS[near as keyof typeof COMMANDS].actions.includes(rest[1]!));
  if (!followed || !(near || reserved)) return undefined;
  return `unknown command ${word}; the nearest is ${near ?? nearest(word, names)} (to send it as a prompt: ada -p ${word})`;
}

function store(flags: Record<string, unknown>, row: FlagRow, shown: string, value: string): string | undefined {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  switch (row.kind) {
    case 'choice':
      if (!row.choices!.includes(value))
        return `${shown} must be one of ${row.choices!.join(', ')}, not ${value || 'empty'}`;
      flags[row.long] = value;
      return undefined;
    case 'count':
      if (!Number.isSafeInteger(number) || number < 1)
        return `${shown} must be a whole number from 1, not ${value || 'empty'}`;
      flags[row.long] = number;
      return undefined;
    case 'number':
      if (!Number.isFinite(number) || number <= 0) return `${shown} must be a number above 0, not ${value || 'empty'}`;
      flags[row.long] = number;
      return undefined;
    case 'texts':
    case 'list': {
      const values = row.kind === 'list' ? splitList(value) : [value];
      if (values.length === 0 || values.includes('')) return `${shown} needs a value: ${row.value}`;
      flags[row.long] = [...((flags[row.long] as string[] | undefined) ?? []), ...values];
      return undefined;
    }
    default:
      if (value === '' && row.kind === 'text' && row.long !== 'append-system-prompt')
        return `${shown} needs a value: ${row.value}`;
      flags[row.long] = value;
      return undefined;
  }
}

/** Splits at commas and blanks that are outside parentheses: `read_file,bash(git diff *)` has two parts. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const char of text) {
    if (char === '(') depth++;
    if (char === ')') depth--;
    if (depth <= 0 && /[\s,]/.test(char)) {
      if (part) parts.push(part);
      part = '';
    } else part += char;
  }
  if (part) parts.push(part);
  return parts;
}

/** Applies short forms to what they stand for and refuses flags that contradict each other. */
function settle(flags: Flags): string | undefined {
  if (flags.yolo) {
    if (flags.mode && flags.mode !== 'auto') return `--yolo means --mode auto and contradicts --mode ${flags.mode}`;
    flags.mode = 'auto';
  }
  if (flags.json) {
    if (flags['output-format'] && flags['output-format'] !== 'json')
      return `--json contradicts --output-format ${flags['output-format']}`;
    flags['output-format'] = 'json';
  }
  // Such an answer is for a program; nothing on a screen could use it.
  if (flags['json-schema'] !== undefined) flags.print = true;
  if (flags.continue && flags.resume !== undefined) return '--continue and --resume exclude each other';
  const resumes = flags.continue || flags.resume !== undefined;
  if (flags.fork && !resumes) return '--fork needs --continue or --resume';
  if (flags['session-id'] && resumes && !flags.fork)
    return '--session-id names a new session: add --fork, or leave out --continue and --resume';
  return undefined;
}
