/** The texts that a command gave to files, for when it reads or runs them later. */
import { normalize } from 'node:path';
import { absolute } from '../paths.ts';
import { combine, type Outcome, outcome, type Scene } from './scene.ts';
import { isComputed } from './syntax.ts';

const MAX_TEXTS = 8;

const keys = (path: string, { cwds, places }: Scene): readonly string[] =>
  cwds.map((cwd) => normalize(absolute(path, cwd, places.home)));

/** Every text that this command may have given to a file; undefined when it wrote no such file. */
export function writtenTexts(path: string, scene: Scene): readonly (string | undefined)[] | undefined {
  const { files } = scene.shell;
  if (files.size === 0 || isComputed(path)) return undefined;
  const found = keys(path, scene).flatMap((key) => files.get(key) ?? []);
  return found.length === 0 ? undefined : found;
}

/** Adds texts that a file may have from now on. */
export function noteText(path: string, texts: readonly (string | undefined)[], scene: Scene): void {
  if (isComputed(path) || path === '' || path === '-' || path.startsWith('/dev/')) return;
  const { files } = scene.shell;
  for (const key of keys(path, scene)) {
    const all = [...new Set([...(files.get(key) ?? []), ...texts])];
    files.set(key, all.length > MAX_TEXTS ? [undefined, ...all.slice(0, MAX_TEXTS)] : all);
  }
}

/** Adds what a file has from now on besides what it had; undefined: more than can be told. */
export function noteEdit(path: string, texts: readonly string[] | undefined, scene: Scene): void {
  if (texts === undefined || texts.length > MAX_TEXTS) {
    noteText(path, [undefined], scene);
    return;
  }
  if (isComputed(path)) return;
  const { edits } = scene.shell;
  for (const key of keys(path, scene)) edits.set(key, [...new Set([...(edits.get(key) ?? []), ...texts])]);
}

/** What this command put into a file that was there; undefined when it did not change it. */
export function editedTexts(path: string, scene: Scene): readonly string[] | undefined {
  const { edits } = scene.shell;
  if (edits.size === 0 || isComputed(path)) return undefined;
  const found = keys(path, scene).filter((key) => edits.has(key));
  return found.length === 0 ? undefined : found.flatMap((key) => edits.get(key)!);
}

/** The outcome of running a script of a text program that this command may have written; `isMild`: for a text that is known. */
export function judgeScript(path: string, scene: Scene, isMild: (text: string) => boolean): Outcome {
  const texts = [...(writtenTexts(path, scene) ?? []), ...(editedTexts(path, scene) ?? [])];
  // Standard input is such a file as well.
  if (/^(-|\/dev\/(stdin|fd\/0))$/.test(path) && /^(pipe|text|names)$/.test(scene.stdin)) {
    const isKnown = scene.fed !== undefined && !isComputed(scene.fed) && isMild(scene.fed);
    return isKnown ? outcome('read') : outcome('hidden', 'a script is run that this very command makes');
  }
  const bad = texts.some((text) => text === undefined || !isMild(text));
  return combine(
    outcome('read'),
    bad ? outcome('hidden', `${path} is run, and this very command writes it`) : outcome('read'),
  );
}
