/**
 * A tolerant look at commands that cannot be read: odd characters are dropped, quotes closed, and the rest is cut where a
 * command may begin. What it finds is judged beside the hidden part, so that it can make a verdict worse, never milder.
 */
import { basename } from 'node:path';
import { judgeStatements } from './judge-statements.ts';
import { parseCommand } from './parse.ts';
import { outcome, type Part, type Scene, toPart } from './scene.ts';
import { createShell } from './shell-state.ts';
import { ANY_TEXT } from './syntax.ts';

const MAX_COMMANDS = 4_000;
const MAX_STARTS = 40;
const MAX_WORDS = 1_000;

/** What stands for computed text, controls but tab and line break, and characters that are not seen. */
const COMPUTED = /[\ufffe\uffff]/g;
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Cf}\u115f\u1160\u3164\uffa0]|\u034f|[\u180b-\u180d]|[\ufe00-\ufe0f]/gu;
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2028\u2029\u0085]/g;
const KEYWORD = /^(if|then|elif|else|while|until|do|time|!|\{|\}|coproc|fi|done|esac|-)$/;
const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=(.*)$/s;
/** Programs whose words are only text. */
const TEXT = /^(echo|printf|grep|egrep|fgrep|rg)$/;
/** Where in a list of words a command that destroys may begin: programs that do, and those that run or hide them. */
const START =
  /^(rm|rmdir|unlink|shred|wipe|srm|dd|truncate|mkfs(\..*)?|wipefs|find|git|mv|tar|rsync|sh|bash|zsh|dash|ksh|fish|eval|xargs|sudo|doas|env|busybox|rimraf|trash|docker|podman|kubectl|helm|terraform|tofu|aws|gcloud|gsutil|az|gh|psql|mysql|dropdb|redis-cli|prisma|npm|python\d*|node|perl|ruby|php|chmod|chown|shutdown|reboot|kill)$/;
/** For what is too long to be looked at to its end. */
const SURELY = /\brm\s+-\w*[rRf]|\bgit\s+(clean|reset\s+--hard)|\bfind\b[^\n]*\s-delete\b|\bmkfs\b|\bdd\s+[a-z]+=/;

/** The parts that can still be told; empty while such a look is already being taken. */
export function salvage(source: string, scene: Scene): readonly Part[] {
  if (scene.tolerant) return [];
  const shell = createShell(scene.cwds.slice(0, 1), { ...scene.shell, budget: { left: MAX_COMMANDS } });
  const here: Scene = { ...scene, shell, cwds: shell.cwds, depth: 0, tolerant: true, stdin: 'none', fed: undefined };
  const plain = source.replace(COMPUTED, '$_').replace(/\r\n/g, '\n');
  const texts = [plain.replace(SPACES, ' ').replace(UNSEEN, ''), plain.replace(SPACES, ' ').replace(UNSEEN, ' ')];
  const parts: Part[] = [];
  for (const text of new Set(texts)) {
    if (text !== source) {
      const parsed = parseCommand(text);
      if (parsed.ok) parts.push(...judgeStatements(parsed.statements, here));
      if (parsed.ok && !parts.some((part) => part.unread)) continue;
    }
    parts.push(...scan(text, here));
  }
  return known(parts);
}

/** The same for words of a command whose own options are not understood. */
export function salvageWords(words: readonly string[], scene: Scene): readonly Part[] {
  if (words.length === 0) return [];
  if (scene.tolerant) return [];
  const shell = createShell(scene.cwds.slice(0, 1), { ...scene.shell, budget: { left: MAX_COMMANDS } });
  const here: Scene = { ...scene, shell, cwds: shell.cwds, depth: 0, tolerant: true, stdin: 'none', fed: undefined };
  const parts = [...starts(words, 0, here)];
  for (const word of words) if (/\s/.test(word)) parts.push(...scan(word.replace(COMPUTED, '$_'), here));
  return parts.filter((part) => part.class === 'destructive');
}

/** Only the reasons of what destroys are told: the rest is said by the part that cannot be read. */
function known(parts: readonly Part[]): readonly Part[] {
  const found = new Map<string, Part>();
  for (const part of parts) {
    const shown: Part = part.class === 'destructive' ? part : { ...part, reasons: [] };
    found.set(`${part.class}\0${part.words.join('\0')}\0${shown.reasons.join('\0')}`, { ...shown, unread: false });
  }
  return [...found.values()].filter((part) => part.class === 'destructive' || part.words.length > 0);
}

function scan(text: string, scene: Scene): readonly Part[] {
  const parts: Part[] = [];
  let left = MAX_COMMANDS;
  for (const minding of [true, false]) {
    const values = new Map<string, string>();
    for (const written of commandsIn(text, minding)) {
      if (--left < 0) {
        if (SURELY.test(text)) parts.push(toPart([], outcome('destructive', 'it has a part that deletes')));
        return parts;
      }
      const words = written.map((word) => fill(word, values));
      let at = 0;
      for (; at < words.length; at++) {
        const set = ASSIGNMENT.exec(words[at]!);
        if (set) values.set(set[1]!, set[2]!);
        else if (!KEYWORD.test(words[at]!)) break;
      }
      if (at < words.length) parts.push(...begin(words.slice(at), scene, minding));
    }
  }
  return parts;
}

/** Judges the words as a command, and from each later word that may begin one. */
function begin(words: readonly string[], scene: Scene, whole: boolean): readonly Part[] {
  const parts: Part[] = [];
  const first = scene.command(words.slice(0, MAX_WORDS), scene);
  parts.push(...(whole ? first : first.filter((part) => part.class === 'destructive')));
  return TEXT.test(basename(words[0]!)) ? parts : [...parts, ...starts(words, 1, scene)];
}

/** What destroys, from each word that may begin such a command. */
function starts(words: readonly string[], from: number, scene: Scene): readonly Part[] {
  const parts: Part[] = [];
  let left = MAX_STARTS;
  for (let at = from; at < words.length && left > 0; at++) {
    if (!START.test(basename(words[at]!).toLowerCase())) continue;
    left--;
    parts.push(...scene.command(words.slice(at, at + MAX_WORDS), scene).filter((part) => part.class === 'destructive'));
  }
  return parts;
}

const fill = (word: string, values: ReadonlyMap<string, string>): string =>
  word.replace(
    /\$(?:\{(\w+)[^}]*\}|(\w+)|[@*#?!$-])/g,
    (_match, braced?: string, plain?: string) => values.get(braced ?? plain ?? '') ?? ANY_TEXT,
  );

/** Lists of words, cut wherever a command may begin; without `minding` quotes are no quotes, so that none hides a cut. */
function commandsIn(text: string, minding: boolean): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  let quote = '';
  const endWord = () => {
    if (word !== undefined && word !== '') words.push(word);
    word = undefined;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!;
    if (quote !== '') {
      if (c === quote) quote = '';
      else if (c === '\\' && quote === '"' && /["\\$`\n]/.test(text[at + 1] ?? '')) word = (word ?? '') + text[++at]!;
      else word = (word ?? '') + c;
    } else if (c === "'" || c === '"') {
      if (minding) quote = c;
      word ??= '';
    } else if (c === '\\') {
      const next = text[++at] ?? '';
      if (next !== '\n') word = (word ?? '') + next;
    } else if (c === '#' && minding && word === undefined) {
      const end = text.indexOf('\n', at);
      at = (end < 0 ? text.length : end) - 1;
    } else if (c === '\n' || c === ';' || c === '|' || c === '&' || c === '(' || c === ')' || c === '`') {
      if (c === '(' && word === '$') word = undefined;
      endCommand();
    } else if (/\s/.test(c) || c === '<' || c === '>') endWord();
    else word = (word ?? '') + c;
  }
  endCommand();
  return commands;
}
