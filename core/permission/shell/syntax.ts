/**
 * The shapes in which a shell command is read: statements of simple commands, whose words are made of atoms. What a word
 * becomes when it runs is worked out later (`expand.ts`), since it depends on the statements before it.
 */

/**
 * A piece of a word. `quoted` text is one word with its neighbours; an unquoted value is split into words. `fallback` is
 * the word of `${name:-word}` and its kin, `derived` a value that is changed in a way that is not followed.
 */
export type Atom =
  | { kind: 'text'; text: string; quoted: boolean }
  | {
      kind: 'variable';
      name: string;
      quoted: boolean;
      many?: true;
      derived?: true;
      /** With `derived`: the operator behind the name, `%.js` or `/a/b`. */
      change?: string;
      fallback?: { how: '-' | '=' | '+' | '?'; word: Word };
    }
  /** Arithmetic gives a number; `names` are the variables that it looks at, `sets` those that it changes. */
  | {
      kind: 'arithmetic';
      names: readonly string[];
      sets: readonly string[];
      /** Commands whose output is counted with. */
      bodies?: readonly (readonly Statement[])[];
      quoted: boolean;
    }
  | { kind: 'command'; body: readonly Statement[]; quoted: boolean }
  | { kind: 'process'; body: readonly Statement[]; into: boolean };

export type Word = readonly Atom[];

/** `>&` and `<&` copy a descriptor when the target is a number or `-`; `&>` and `>&` with a name take both outputs. */
export interface Redirect {
  op: '>' | '>>' | '<' | '<>' | '>|' | '&>' | '&>>' | '>&' | '<&' | '<<<' | '<<';
  /** The file, or the text of a here-string or here-document. */
  target: Word;
  fd?: number;
}

export interface Assignment {
  name: string;
  /** The words of an array, or else one value. */
  value: Word | { items: readonly Word[] };
  append: boolean;
}

export interface SimpleCommand {
  kind: 'command';
  words: readonly Word[];
  assignments: readonly Assignment[];
  redirects: readonly Redirect[];
}

/** `case` has branches without conditions, of which any or none may run. */
export interface Branch {
  condition: readonly Statement[];
  body: readonly Statement[];
  otherwise?: true;
}

export type Statement =
  | SimpleCommand
  | { kind: 'pipeline'; parts: readonly Statement[] }
  /** The operators stand before the second and later items. */
  | { kind: 'and-or'; items: readonly Statement[]; operators: readonly ('&&' | '||')[] }
  | { kind: 'group'; body: readonly Statement[] }
  | { kind: 'subshell'; body: readonly Statement[] }
  | { kind: 'background'; body: Statement }
  /** Conditions are tried in turn; a last branch without one is `else`. `about` is the word of a `case`. */
  | { kind: 'branches'; about: readonly Word[]; branches: readonly Branch[] }
  | { kind: 'loop'; variable?: string; values?: readonly Word[]; condition: readonly Statement[]; body: Statement }
  | { kind: 'function'; name: string; body: Statement }
  | { kind: 'redirected'; body: Statement; redirects: readonly Redirect[] }
  /** `[[ … ]]`: the words that name files, the variables that are read as numbers, and all words. */
  | { kind: 'test'; words: readonly Word[]; numeric: readonly string[]; all: readonly Word[] }
  | { kind: 'arithmetic'; names: readonly string[]; sets: readonly string[] };

/** The message continues the sentence "the command cannot be read: …". */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Characters that no command may hold stand for text that is known only when it runs: none, one or several words … */
export const ANY_WORDS = '\uffff';
/** … or a text inside one word. */
export const ANY_TEXT = '\ufffe';
const COMPUTED = /[\ufffe\uffff]/;

export const isComputed = (text: string): boolean => COMPUTED.test(text);

/** A computed word that may begin with a dash, or be followed by words that do. */
export const mayBeOption = (word: string): boolean => word.startsWith(ANY_TEXT) || word.includes(ANY_WORDS);

/** For people: computed text is an ellipsis. */
export const showComputed = (text: string): string =>
  text.replace(/env:\/\/4242|\ue002?\uffff|[\ue000\ue001\ufffe\uffff]/g, '…');

/** Stands for a number that is known only when it runs; neither a file descriptor nor a process of the system. */
export const SOME_NUMBER = '4242';

/** Stands for the number of a process that this very command started, or is; larger than any that Linux gives. */
export const SOME_JOB = '4194305';

/** Stands for names of files inside the project, of which none is a secret. */
export const SOME_NAME = '\ue000';

/** A name that is known only when it runs: one that was found, or the mark of `xargs`, `find` and `fd` for it. */
const FOUND = '(?:\ue000|\\{(?:/|\\.|/\\.|//)?\\})';
const CLIMBS = new RegExp(
  [`${FOUND}.*/\\.\\.(?:/|$)`, `(?:^|/)\\.${FOUND}(?:/|$)`, `(?:^|/)${FOUND}(?:\\.|${FOUND})(?:/|$)`].join('|'),
  's',
);

/**
 * Whether a path goes up behind such a name, which may be a link, or becomes `..` where the name is `.`: then it need not be
 * in the project.
 */
export const mayClimb = (path: string): boolean => CLIMBS.test(path);

/** Stands for the last part of a new folder or file that `mktemp` makes: nothing is in it but what the command puts there. */
export const SOME_FOLDER = '\ue001';

/** Stands for the address of a server that a variable of the environment holds. */
export const SOME_ADDRESS = 'env://4242';

/** Stands for flags of a compiler, which only compilers take; for all others a word like any computed one. */
export const SOME_FLAGS = '\ue002\uffff';

export const text = (value: string, quoted = false): Atom => ({ kind: 'text', text: value, quoted });

/** The text of a word that computes nothing, else undefined. */
export function plainText(word: Word): string | undefined {
  let all = '';
  for (const atom of word) {
    if (atom.kind !== 'text') return undefined;
    all += atom.text;
  }
  return all;
}

/** Whether the shell would look up file names for the word. */
export const isPattern = (word: Word): boolean =>
  word.some((atom) => atom.kind === 'text' && !atom.quoted && /[*?[]/.test(atom.text));

/** What a process substitution is named, and standard input under other names. */
export const isDescriptor = (path: string | undefined): boolean =>
  /^\/(dev|proc\/self)\/fd\/[1-9]\d*$/.test(path ?? '');
