/**
 * Reads a shell command as statements, or says why it cannot be read, so that what is read is what will run. Nearly
 * every command is read at once; the rest with the grammar of bash, which is loaded with the first one that needs it.
 */
import type { readGrammar } from './read-grammar.ts';
import { readScript } from './read-script.ts';
import { type Statement, Unreadable } from './syntax.ts';

/** `reason` continues the sentence "the command cannot be read: …". */
export type Parsed = { ok: true; statements: readonly Statement[] } | { ok: false; reason: string };

/** Characters that are not seen or look like a space; line breaks and tabs are read. */
const INVISIBLE =
  /[\p{Cf}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0]|\u034f|[\u180b-\u180d]/u;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/;
const MAX_LENGTH = 100_000;

/** The grammar must be loaded before this command can be read: `loadGrammar`, then again. */
export class GrammarNeeded extends Error {
  override readonly name = 'GrammarNeeded';
}

type Reader = typeof readGrammar | { missing: string };
let reader: Reader | undefined;
let loading: Promise<void> | undefined;

/** Loads the grammar once; when it cannot be loaded, what needs it counts as not readable. */
export function loadGrammar(): Promise<void> {
  loading ??= Promise.all([import('./load-grammar.ts'), import('./read-grammar.ts')])
    .then(async ([grammar, module]) => {
      await grammar.prepare();
      reader = module.readGrammar;
    })
    .catch((error: Error) => {
      reader = { missing: error.message };
    });
  return loading;
}

/** Splits a command into statements. Throws only `GrammarNeeded`. */
export function parseCommand(code: string): Parsed {
  if (code.length > MAX_LENGTH) return { ok: false, reason: 'it is too long' };
  if (CONTROL.test(code)) return { ok: false, reason: 'it has control characters' };
  if (INVISIBLE.test(code)) return { ok: false, reason: 'it has invisible characters' };
  const byHand = attempt(() => readScript(code));
  if (byHand.ok) return byHand;
  if (reader === undefined) throw new GrammarNeeded();
  if (typeof reader !== 'function') return { ok: false, reason: `the grammar is not there (${reader.missing})` };
  const read = reader;
  return attempt(() => read(code));
}

function attempt(read: () => readonly Statement[]): Parsed {
  try {
    return { ok: true, statements: read() };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, reason: error.message };
    throw error;
  }
}
