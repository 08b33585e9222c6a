/** The commands that `xargs` makes of a text which is known (manual of GNU findutils 4.9). */
import type { Option } from './options.ts';
import { isComputed } from './syntax.ts';

const MOST = 64;
/** They only say how it runs what it makes. */
const PLAIN = /^(-r|-t|-x|-P|-s|--no-run-if-empty|--verbose|--exit|--max-procs|--max-chars)$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', 0: '\0', '\\': '\\' };

/** Each as its words; undefined where it is not sure what they are. */
export function toldCommands(
  operands: readonly string[],
  options: readonly Option[],
  fed: string,
): string[][] | undefined {
  // Of what a shell would read in them it is not told whether it is meant.
  if (isComputed(fed) || /[^\t\n\r\0\x20-\x7e]|[$`]/.test(fed)) return undefined;
  let delimiter: string | undefined;
  let count: number | undefined;
  let mark: string | undefined;
  for (const { name, value = '' } of options) {
    if (PLAIN.test(name)) continue;
    if (/^(-0|--null)$/.test(name)) delimiter = '\0';
    else if (/^(-d|--delimiter)$/.test(name)) {
      delimiter = value.length === 2 && value.startsWith('\\') ? ESCAPES[value[1]!] : value;
      if (delimiter?.length !== 1) return undefined;
    } else if (/^(-n|--max-args)$/.test(name) && /^[1-9]\d{0,3}$/.test(value))
      [count, mark] = [Number(value), undefined];
    else if (/^(-I|--replace|-i)$/.test(name)) [mark, count] = [value || '{}', undefined];
    // Lines that go on, and an end of the text that is told, are not followed.
    else return undefined;
  }
  const words = delimiter === undefined ? (mark === undefined ? wordsOf(fed) : linesOf(fed)) : split(fed, delimiter);
  if (!words) return undefined;
  if (mark !== undefined) {
    if (words.length > MOST) return undefined;
    return words.map((line) => operands.map((word) => word.replaceAll(mark, line)));
  }
  const size = count ?? words.length;
  if (size === 0) return [[...operands]];
  if (words.length / size > MOST) return undefined;
  const commands: string[][] = [];
  for (let at = 0; at < words.length; at += size) commands.push([...operands, ...words.slice(at, at + size)]);
  return commands;
}

/** What ends the text ends the last item too; an empty item is one. */
function split(text: string, delimiter: string): string[] {
  const items = text.split(delimiter);
  if (items.at(-1) === '') items.pop();
  return items;
}

/** Each line that is not empty, without the space before it; quotes and backslashes are taken away. */
function linesOf(text: string): string[] | undefined {
  const lines = text.split('\n').map((line) => line.trimStart());
  if (/['"\\]/.test(text)) return undefined;
  return lines.filter((line) => line !== '');
}

/** Words as xargs reads them: quotes hold until the same quote in the same line, a backslash holds for one character. */
function wordsOf(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === '"' || character === "'") {
      const end = text.indexOf(character, at + 1);
      if (end < 0 || text.slice(at, end).includes('\n')) return undefined;
      word = (word ?? '') + text.slice(at + 1, end);
      at = end;
    } else if (character === '\\') word = (word ?? '') + (text[++at] ?? '');
    else word = (word ?? '') + character;
  }
  return word === undefined ? words : [...words, word];
}
