/** Loads the grammar of bash (tree-sitter, WebAssembly), once. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Parser } from 'web-tree-sitter';

let parser: Parser | undefined;

/** Loads the grammar; rejects when its files are missing. */
export async function prepare(): Promise<void> {
  if (parser) return;
  const web = await import('web-tree-sitter');
  await withoutOptimising(async () => {
    await web.Parser.init({ wasmBinary: grammarFile('web-tree-sitter/web-tree-sitter.wasm') });
    const bash = await web.Language.load(grammarFile('tree-sitter-bash/tree-sitter-bash.wasm'));
    const made = new web.Parser();
    made.setLanguage(bash);
    parser = made;
  });
}

/**
 * V8 compiles a hot function of WebAssembly anew, with all its might: for the lexer of bash, one function of thousands of
 * states, that costs 0.7 s of CPU after a handful of commands, and saves less than 0.1 ms a command. A module that is
 * loaded under these flags stays as it was first compiled, and what is never called is not even checked.
 */
async function withoutOptimising(load: () => Promise<void>): Promise<void> {
  setFlagsFromString('--liftoff-only');
  setFlagsFromString('--wasm-lazy-validation');
  try {
    await load();
  } finally {
    setFlagsFromString('--no-liftoff-only');
    setFlagsFromString('--no-wasm-lazy-validation');
  }
}

/** Beside the bundle, or above its chunks, or else in the package that it comes from. */
function grammarFile(path: string): Uint8Array {
  const name = path.slice(path.indexOf('/') + 1);
  const near = ['./', '../'].map((folder) => fileURLToPath(new URL(`${folder}${name}`, import.meta.url)));
  return readFileSync(near.find((file) => existsSync(file)) ?? createRequire(import.meta.url).resolve(path));
}

/** The parser; it must have been prepared. */
export function grammarParser(): Parser {
  if (!parser) throw new Error('the grammar is not loaded');
  return parser;
}
