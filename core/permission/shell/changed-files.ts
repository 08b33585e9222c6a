/** Which files a program changes besides those that its words name, for the rules that speak of them. */
import { basename } from 'node:path';
import { absolute } from '../paths.ts';
import { isFolder } from './known-output.ts';
import type { Option } from './options.ts';
import { judgePatched } from './patch-names.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { searchesOf } from './search-secrets.ts';

const RECURSIVE = /^(-r|-R|-a|--recursive|--archive)$/;
const REWRITES = /^(-w|-i|--write|--fix|--in-place)$/;

/** For a program of the table: `operands` and `options` are its words. */
export function judgeChanged(
  name: string,
  operands: readonly string[],
  options: readonly Option[],
  scene: Scene,
): Outcome {
  const has = (pattern: RegExp) => options.some((option) => pattern.test(option.name));
  const given = (pattern: RegExp) => options.find((option) => pattern.test(option.name))?.value;
  const all = (paths: readonly string[]): Outcome => ({ ...outcome('read'), changes: searchesOf(scene, paths) });
  switch (name) {
    case 'mv':
    case 'cp':
    case 'install':
    case 'ln': {
      const folder = given(/^(-t|--target-directory)$/) ?? (operands.length > 1 ? operands.at(-1)! : '.');
      const sources = given(/^(-t|--target-directory)$/)
        ? operands
        : operands.length > 1
          ? operands.slice(0, -1)
          : operands;
      return combine(outcome('read'), name === 'mv' ? all(sources) : outcome('read'), into(folder, sources, scene));
    }
    case 'chmod':
    case 'chown':
    case 'chgrp':
      return has(RECURSIVE) ? all(operands.slice(1)) : outcome('read');
    case 'unzip':
      return mayChange((has(/^-d$/) ? operands.at(-1) : undefined) ?? '.', scene);
    case 'patch': {
      const strip = Number(given(/^(-p|--strip)$/) ?? '0');
      const file = given(/^(-i|--input)$/) ?? operands[1];
      const judged = judgePatched(file === undefined ? [] : [file], Number.isNaN(strip) ? 0 : strip, scene);
      return combine(judged, touch(scene, operands.slice(0, 1), 'write'));
    }
    case 'black':
    case 'prettier':
    case 'eslint':
    case 'biome':
    case 'ruff':
    case 'gofmt':
    case 'rustfmt':
      return has(REWRITES) || (name === 'black' && !has(/^--(check|diff)$/)) ? all(operands) : outcome('read');
  }
  return outcome('read');
}

/** A folder into which files of names that are not known are put. */
export const mayChange = (folder: string, scene: Scene): Outcome => ({
  ...outcome('read'),
  mayChange: searchesOf(scene, [folder]),
});

/** What is copied or moved into a folder gets its own name there; a folder brings what it holds. */
function into(target: string, sources: readonly string[], scene: Scene): Outcome {
  const isThere = scene.cwds.some((cwd) => isFolder(absolute(target, cwd, scene.places.home)));
  const notes: Outcome[] = [];
  for (const source of sources.slice(0, 50)) {
    const isBoth = scene.cwds.some((cwd) => isFolder(absolute(source, cwd, scene.places.home)));
    const name = basename(source);
    const path =
      isThere && !/^\.{1,2}$/.test(name) && !source.endsWith('/.') ? `${target.replace(/\/$/, '')}/${name}` : target;
    if (isBoth) notes.push(mayChange(path, scene));
    else if (isThere) notes.push(touch(scene, [path], 'write'));
  }
  return combine(outcome('read'), ...notes);
}
