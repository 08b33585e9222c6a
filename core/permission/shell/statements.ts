/** Statements that clients of databases take from files: their text counts as if it stood in the command. */
import { judgeClientCommands } from './client-commands.ts';
import { writtenTexts } from './file-texts.ts';
import { judgeCode } from './inline-code.ts';
import { textOfFile } from './patch-names.ts';
import { combine, type Outcome, outcome, type Scene } from './scene.ts';

export const isDatabase = (name: string): boolean =>
  /^(psql|mysql|mariadb|sqlite3|mongosh|mongo|clickhouse-client|cqlsh|sqlcmd|duckdb)$/.test(name);

/** Whether a client is told a file of statements, so that it does not read standard input. */
export const listsFiles = (words: readonly string[]): boolean =>
  words.some((word, index) => /^(-f|--file)$/.test(words[index - 1] ?? '') && word !== '-');

/** What the statements in a file do; one that cannot be read is hidden. */
export function judgeStatements(name: string, file: string, scene: Scene, depth = 0): Outcome {
  if (file === '' || file === '-') return outcome('read');
  const texts = writtenTexts(file, scene) ?? [textOfFile(file, scene)];
  return combine(
    ...texts.map((text) =>
      text === undefined
        ? outcome('hidden', `${name} runs the statements in ${file}, which cannot be read here`)
        : combine(judgeCode(name, text, scene), judgeListed(name, text, scene, depth + 1)),
    ),
  );
}

/** Files that statements name as more statements: `\\i` of psql, `source` of mysql, `.read` of sqlite3. */
export function judgeListed(name: string, code: string, scene: Scene, depth = 0): Outcome {
  const own = judgeClientCommands(name, code, scene);
  const files = [...code.matchAll(/^\s*(?:\\i(?:r|nclude\w*)?|\\\.|source|\.read)\s+['"]?([^\s'";|]+)/gim)].map(
    (match) => match[1]!,
  );
  if (files.length === 0) return own;
  if (depth > 3) return outcome('hidden', `${name} runs files that name each other too deeply`);
  return combine(own, ...files.slice(0, 20).map((file) => judgeStatements(name, file, scene, depth)));
}
