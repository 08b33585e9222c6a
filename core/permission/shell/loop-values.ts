/** The words that a `for` loop goes through. */

import { absolute } from '../paths.ts';
import { expandWords, type Surroundings } from './expand.ts';
import { isFolder } from './known-output.ts';
import { namesMatching, type Scene } from './scene.ts';
import { ANY_TEXT, isComputed, isPattern, type Statement, type Word } from './syntax.ts';

/** So many are looked at together, and so many in all. */
const TOGETHER = 4;
const MOST = 64;

/**
 * The values of the variable, in groups whose bodies are judged one after another. A pattern stays one value, which stands
 * for every name that it matches; only where the body goes into folders are those that are there named one by one, since
 * what comes next depends on where each leads.
 */
export function loopValues(
  words: readonly Word[],
  body: Statement,
  around: Surroundings,
  scene: Scene,
): readonly (readonly string[])[] {
  const folders = goesElsewhere(body) ? words.map((word) => foldersFor(word, around, scene)) : [];
  if (folders.length > 0 && folders.every((found) => found !== undefined)) {
    const all = [...new Set(folders.flat())];
    if (all.length > 0 && all.length <= MOST)
      return Array.from({ length: Math.ceil(all.length / TOGETHER) }, (_, index) =>
        all.slice(index * TOGETHER, (index + 1) * TOGETHER),
      );
  }
  return [
    expandWords(words, around)
      .flat()
      .map((value) => (isComputed(value) ? ANY_TEXT : value)),
  ];
}

/** Whether `cd` or `pushd` stands somewhere in it. */
function goesElsewhere(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(goesElsewhere);
  if (typeof node !== 'object' || node === null) return false;
  if ('kind' in node && node.kind === 'text' && 'text' in node) return node.text === 'cd' || node.text === 'pushd';
  return Object.values(node).some(goesElsewhere);
}

/** What a pattern matches here and now; undefined where it is none, matches nothing, or something may have changed that. */
function foldersFor(word: Word, around: Surroundings, scene: Scene): readonly string[] | undefined {
  if (!isPattern(word) || scene.shell.course.isChanged || scene.cwds.length !== 1) return undefined;
  const [only, ...others] = expandWords([word], around);
  const pattern = only?.[0];
  if (pattern === undefined || only!.length !== 1 || others.length > 0 || isComputed(pattern)) return undefined;
  const [cwd] = scene.cwds;
  const names = namesMatching(pattern, cwd!, scene)?.slice(1);
  if (names === undefined || names.length === 0) return undefined;
  // Behind a last slash only folders are matched, and the slash stays.
  if (!pattern.endsWith('/')) return names;
  const found = names.filter((name) => isFolder(absolute(name, cwd!, scene.places.home)));
  return found.length === 0 ? undefined : found.map((name) => `${name.replace(/\/+$/, '')}/`);
}
