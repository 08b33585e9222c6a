/**
 * What an argument that is known only when the command runs may do: be an option, be several words, or name any path.
 */
import { asksOnly } from './builtins.ts';
import { combine, type Outcome, outcome } from './scene.ts';
import { mayBeOption } from './syntax.ts';

/** Programs of which no argument reads a file, writes, or runs anything. */
const HARMLESS = new Set(
  'echo true false : basename dirname seq sleep expr exit return break continue shift wait pwd'.split(' '),
);
/** Programs that only read, whatever their options are. */
const READERS = new Set(
  'cat tac head tail wc nl cut rev strings od md5sum sha1sum sha256sum cksum ls stat grep egrep fgrep realpath readlink test [ [['.split(
    ' ',
  ),
);

/** The outcome of a program, made worse where its computed words demand it. */
export function judgeComputedWords(name: string, args: readonly string[], judged: Outcome): Outcome {
  const options = args.filter((word, index) => mayBeOption(word) && !isValue(args[index - 1], word));
  if (options.length === 0 || HARMLESS.has(name)) return judged;
  switch (name) {
    case 'kill':
      if (asksOnly(args)) return judged;
      break;
    case 'printf':
      return mayBeOption(args[0] ?? '')
        ? combine(judged, outcome('hidden', 'printf is given a format that is computed'))
        : judged;
    case 'test':
    case '[':
      // One word each, compared: only `-v` works out what it names.
      if (!options.some((word, index) => mayExpand(word) || /^-[vR]$/.test(args[index - 1] ?? ''))) return judged;
      break;
    case 'export':
    case 'local':
    case 'declare':
    case 'readonly':
    case 'typeset':
      return judged;
  }
  const why = outcome('outside', `${name} is given arguments that are known only when it runs`);
  return combine(judged, { ...why, readOnly: judged.readOnly && READERS.has(name) });
}

const mayExpand = (word: string): boolean => word.includes('\uffff');

/** The message of a commit is text, whatever it begins with. */
const isValue = (before: string | undefined, word: string): boolean =>
  !mayExpand(word) && before !== undefined && /^(-m|-am|--message|--title|--body)$/.test(before);
