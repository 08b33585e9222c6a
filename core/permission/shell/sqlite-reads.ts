/**
 * `sqlite3` that only reads: options that set how it prints, a database of the project that is there, and statements of
 * which each begins like a read and names nothing that writes or reaches files. Sources: the manual of sqlite3 3.4x.
 */
import { existsSync } from 'node:fs';
import { absolute } from '../paths.ts';
import { splitArguments } from './options.ts';
import { type Outcome, type Scene, touch } from './scene.ts';
import { isComputed } from './syntax.ts';

const VALUES = new Set(['-separator', '-nullvalue', '-newline', '-maxsize']);
const FLAGS =
  /^--?(readonly|safe|batch|bail|echo|header|noheader|ascii|box|column|csv|html|json|line|list|markdown|quote|table|tabs|stats)$/;
/** Commands of the client that show something, written out. */
const SHOWS =
  /^\.(schema|tables|indexes|indices|databases|fullschema|dbinfo|headers?|mode|width|nullvalue|separator|timer|version|show|help|dump)\b[^|]*$/;
const BEGINS = /^(select|values|with|explain|pragma)\b/i;
const WRITES =
  /\b(insert|update|delete|replace|create|drop|alter|attach|detach|vacuum|reindex|analyze|begin|commit|savepoint|release|rollback)\b/i;
/** Functions and tables of the client that reach files or programs. */
const REACHES =
  /\b(load_extension|edit|readfile|writefile|fsdir|lsmode|zipfile|sqlar\w*|fts3_tokenizer|csv|vsv|unixepoch_file|shell\w*)\s*(\(|$)|\bfsdir\b|\bzipfile\b/i;
/** Settings that are only asked for. */
const ASKS =
  /^pragma\s+(\w+\.)?(table_x?info|table_list|index_x?info|index_list|foreign_key_(list|check)|database_list|collation_list|function_list|module_list|pragma_list|compile_options|integrity_check|quick_check|page_count|freelist_count)\s*(\([^=]*\))?$|^pragma\s+(\w+\.)?(user_version|schema_version|application_id|journal_mode|encoding|page_size|foreign_keys)$/i;

/** Undefined where it may do more, or what it does is not known. */
export function judgeSqliteRead(args: readonly string[], scene: Scene): Outcome | undefined {
  if (args.some(isComputed)) return undefined;
  const { options, operands } = splitArguments(args, { values: VALUES, singleDash: true });
  const [database, ...code] = operands;
  if (database === undefined || code.length === 0 || /^(file:|:memory:)/i.test(database)) return undefined;
  if (!options.every(({ name }) => VALUES.has(name) || FLAGS.test(name))) return undefined;
  // One that is not there would be made.
  if (!scene.cwds.every((cwd) => existsSync(absolute(database, cwd, scene.places.home)))) return undefined;
  return code.every(onlyReads) ? { ...touch(scene, [database], 'read'), readOnly: true } : undefined;
}

function onlyReads(code: string): boolean {
  if (code.trim().startsWith('.')) return !code.trim().includes('\n') && SHOWS.test(code.trim());
  if (/\n\s*\./.test(code)) return false;
  // Names in quotes may be those of functions; texts are none.
  if (/["`[\\]|--|\/\*/.test(code.replace(/'(?:[^']|'')*'/g, "''"))) return false;
  const plain = code.replace(/'(?:[^']|'')*'/g, "''");
  return plain
    .split(';')
    .map((one) => one.trim().replace(/\s+/g, ' '))
    .filter((one) => one !== '')
    .every(
      (one) => BEGINS.test(one) && !WRITES.test(one) && !REACHES.test(one) && (!/^pragma/i.test(one) || ASKS.test(one)),
    );
}
