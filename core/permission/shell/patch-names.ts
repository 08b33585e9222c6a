/** Programs that apply a patch: which files its text names, so that rules on those files bind. */
import { readFileSync, statSync } from 'node:fs';
import { absolute } from '../paths.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { searchesOf } from './search-secrets.ts';

const MAX_BYTES = 1 << 20;

/** The text of a file, where it is there and not too large; undefined where it cannot be told. */
export function textOfFile(path: string, { cwds, places }: Scene): string | undefined {
  for (const cwd of cwds.slice(0, 1)) {
    try {
      const full = absolute(path, cwd, places.home);
      const found = statSync(full);
      return found.isFile() && found.size <= MAX_BYTES ? readFileSync(full, 'utf8') : undefined;
    } catch {}
  }
  return undefined;
}

/**
 * The outcome for what patches change; `files`: those named in the words, none where standard input holds the patch.
 * `strip`: how many folders fall away in front of each name.
 */
export function judgePatched(files: readonly string[], strip: number, scene: Scene): Outcome {
  const sources = files.length > 0 ? files : (scene.from ?? []);
  const texts = sources.length > 0 ? sources.map((file) => textOfFile(file, scene)) : [scene.fed];
  const names: string[] = [];
  for (const text of texts) {
    // Any file below the folder may be among them.
    if (text === undefined) return { ...outcome('read'), mayChange: searchesOf(scene, ['.']) };
    for (const [, name = '', moved = ''] of text.matchAll(
      /^(?:(?:---|\+\+\+) ([^\t\n]+)|(?:rename|copy) (?:from|to) (.+))/gm,
    )) {
      if (moved !== '') names.push(moved);
      else if (name.trim() !== '/dev/null') names.push(name.trim().split('/').slice(strip).join('/'));
    }
  }
  return combine(outcome('read'), touch(scene, [...new Set(names)], 'write'));
}
