/**
 * Files that a command writes and then runs: a text that is known is judged as what it runs as; one that is computed or
 * comes from elsewhere is hidden, like the same text in a pipe.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, normalize } from 'node:path';
import { absolute } from '../paths.ts';
import { editedTexts, noteEdit, noteText, writtenTexts } from './file-texts.ts';
import { judgeCode } from './inline-code.ts';
import { isFolder, outputOf } from './known-output.ts';
import { type Option, splitArguments } from './options.ts';
import { combine, type Outcome, outcome, type Scene } from './scene.ts';
import { editsOfSed } from './sed.ts';
import { isComputed, type Redirect } from './syntax.ts';

const SHELLS = new Set('sh bash dash zsh ksh mksh ash fish rbash'.split(' '));
/** Notes what a redirect writes; `words` are those of the command, where it has only one form. */
export function noteRedirects(
  redirects: readonly { op: Redirect['op']; fd?: number; targets: readonly string[] }[],
  words: readonly string[] | undefined,
  scene: Scene,
): void {
  for (const { op, fd, targets } of redirects) {
    if (!op.includes('>') || op === '<>') continue;
    const output =
      (fd ?? 1) !== 1 || words === undefined ? undefined : words.length === 0 ? '' : outputOf(words, scene);
    const text = output !== undefined && isComputed(output) ? undefined : output;
    for (const target of targets) {
      if ((op === '>&' || op === '<&') && /^(\d+-?|-)$/.test(target)) continue;
      const before = op.endsWith('>>') ? (writtenTexts(target, scene) ?? []) : [];
      noteText(
        target,
        [...before.map((old) => (old === undefined || text === undefined ? undefined : old + text)), text],
        scene,
      );
    }
  }
}

const COPIES = new Set('cp mv ln install'.split(' '));

/** Notes the files that a program writes by its own arguments, as far as they may be run later. */
export function noteProgram(program: string, args: readonly string[], scene: Scene): void {
  switch (program) {
    case 'tee': {
      const { options, operands } = splitArguments(args);
      const appends = options.some(({ name }) => name === '-a' || name === '--append');
      const { fed } = scene;
      for (const file of operands)
        noteText(
          file,
          [
            ...(appends && fed !== undefined
              ? (writtenTexts(file, scene) ?? []).map((old) => (old === undefined ? old : old + fed))
              : []),
            fed,
          ],
          scene,
        );
      return;
    }
    case 'curl':
    case 'wget': {
      const values = new Set(
        '-o -O -d -H -X -u -A -b -e -T -F -m -P --output --output-document --header --data --request'.split(' '),
      );
      if (program === 'curl') values.delete('-O');
      const { options, operands } = splitArguments(args, { values });
      const isOutput = ({ name }: Option) =>
        (program === 'curl' ? /^(-o|--output)$/ : /^(-O|--output-document)$/).test(name);
      const named = options.filter(isOutput).map(({ value = '' }) => value);
      const folder = options.find(
        ({ name }) => name === '-P' || name === '--directory-prefix' || name === '--output-dir',
      )?.value;
      const takesName =
        program === 'wget' ? named.length === 0 : options.some(({ name }) => /^(-O|--remote-name(-all)?)$/.test(name));
      const own = takesName ? operands.map((url) => basename(url.replace(/[?#].*$/s, ''))) : [];
      for (const file of [...named, ...own])
        noteText(folder === undefined ? file : `${folder}/${file}`, [undefined], scene);
      return;
    }
    case 'sed':
    case 'gsed': {
      const edit = editsOfSed(args);
      for (const path of edit?.paths ?? []) noteEdit(path, edit!.texts, scene);
      return;
    }
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      notePackage(args, scene);
      return;
    case 'dd':
      for (const word of args) if (word.startsWith('of=')) noteText(word.slice(3), [undefined], scene);
      return;
  }
  if (program === 'ln' && args.every((word) => !isComputed(word))) noteLinked(args, scene);
  if (scene.shell.files.size + scene.shell.edits.size === 0 || !COPIES.has(program)) return;
  const operands = splitArguments(args, { values: new Set(['-m', '-o', '-g', '-S', '-t']) }).operands;
  const target = operands.at(-1);
  if (operands.length < 2 || target === undefined) return;
  for (const source of operands.slice(0, -1)) {
    const texts = writtenTexts(source, scene);
    const edits = editedTexts(source, scene);
    for (const path of [target, `${target}/${basename(source)}`]) {
      if (texts) noteText(path, texts, scene);
      if (edits) noteEdit(path, edits, scene);
    }
  }
}

/** Keys of package.json with commands of hooks in them. */
const HOOK_KEY =
  /^((?:lint-staged|nano-staged|husky\.hooks|simple-git-hooks|gitHooks)[.[][^=]*|pre-(?:commit|push))=(.*)$/s;

/** `npm pkg set scripts.NAME=CODE` and `npm set-script NAME CODE`. */
function notePackage(args: readonly string[], scene: Scene): void {
  const [first, second, ...rest] = args.filter((word) => !word.startsWith('-'));
  const set =
    first === 'pkg' && second === 'set'
      ? rest
      : first === 'set-script' && rest.length > 0
        ? [`scripts.${second}=${rest[0]}`]
        : [];
  for (const word of set) {
    const [, name = '', code = ''] = /^scripts\.([^=]*)=(.*)$/s.exec(word) ?? [];
    const hook = HOOK_KEY.exec(word)?.[2];
    if (isComputed(word)) noteText('package.json', [undefined], scene);
    else if (hook !== undefined) noteText('package.json', [JSON.stringify({ 'lint-staged': { '*': hook } })], scene);
    else if (word.startsWith('scripts'))
      noteText('package.json', [name === '' ? undefined : JSON.stringify({ scripts: { [name]: code } })], scene);
  }
}

/** A link to what is not there yet may lead to what is written later. */
function noteLinked(args: readonly string[], scene: Scene): void {
  const { operands } = splitArguments(args, { values: new Set(['-S', '--suffix', '-t']) });
  if (operands.length === 0 || operands.length > 8) return;
  const sources = operands.length > 1 ? operands.slice(0, -1) : operands;
  const { home } = scene.places;
  for (const cwd of scene.cwds)
    for (const source of sources) {
      const last = normalize(absolute(operands.length > 1 ? operands.at(-1)! : '.', cwd, home)).replace(/(.)\/$/, '$1');
      const link = isFolder(last) || sources.length > 1 ? `${last}/${basename(source)}` : last;
      const isSymbolic = args.some((word) => /^-\w*s|^--symbolic/.test(word));
      const target = normalize(absolute(source, isSymbolic ? dirname(link) : cwd, home)).replace(/(.)\/$/, '$1');
      if (!existsSync(target)) noteText(link, [undefined], scene);
    }
}

/** What running a file does that this command wrote; undefined when it did not. `name`: the interpreter. */
export function judgeWritten(path: string, name: string, scene: Scene, args?: readonly string[]): Outcome | undefined {
  const edits = editedTexts(path, scene);
  // What was there before is not looked at: of a shell script any word may become part of another command.
  const edited = edits && SHELLS.has(name) ? [undefined] : edits;
  const texts = [...(writtenTexts(path, scene) ?? []), ...(edited ?? [])];
  if (texts.length === 0) return undefined;
  const inner: Scene = { ...scene, stdin: 'none', fed: undefined, depth: scene.depth + 1 };
  return combine(
    ...texts.map((text) => {
      if (text === undefined)
        return outcome('hidden', `${path} is run, and this very command writes it with what it computes or fetches`);
      return SHELLS.has(name)
        ? { ...outcome('read'), inner: scene.code(text, inner, args) }
        : judgeCode(name, text, inner);
    }),
  );
}

/** The same for a file that is run by its path: its first line says what runs it. */
export function judgeWrittenProgram(path: string, args: readonly string[], scene: Scene): Outcome | undefined {
  const texts = [...(writtenTexts(path, scene) ?? []), ...(editedTexts(path, scene) ?? [])];
  if (texts.length === 0) return undefined;
  const names = new Set(texts.map((text) => interpreterOf(text ?? '')));
  return combine(...[...names].map((name) => judgeWritten(path, name, scene, [path, ...args]) ?? outcome('read')));
}

function interpreterOf(text: string): string {
  const words = /^#!\s*(.*)/.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
  const named = basename(words[0] ?? 'sh') === 'env' ? words.slice(1).find((word) => !/^-|=/.test(word)) : words[0];
  return basename(named ?? 'sh');
}
