/** Files of the work tree that a git command changes, or copies elsewhere, for the rules that speak of them. */
import { existsSync } from 'node:fs';
import { absolute } from '../paths.ts';
import { pathspecs } from './git-content.ts';
import { repositoryOf, trackedFiles } from './git-index.ts';
import { splitArguments } from './options.ts';
import { judgePatched } from './patch-names.ts';
import { combine, type Outcome, outcome, type Scene, touch } from './scene.ts';
import { searchesOf } from './search-secrets.ts';
import { isComputed } from './syntax.ts';

/** Only the paths and searches count: the class of the command is told elsewhere. */
export function judgeGitChanges(name: string, rest: readonly string[], scene: Scene): Outcome {
  const { options, operands } = splitArguments(rest, { values: new Set(['-p', '-s', '--source', '-b', '-B', '-m']) });
  const has = (pattern: RegExp) => options.some((option) => pattern.test(option.name));
  const there = (words: readonly string[]) =>
    words.filter((word) => scene.cwds.some((cwd) => existsSync(absolute(word, cwd, scene.places.home))));
  switch (name) {
    case 'checkout':
    case 'restore':
    case 'rm':
    case 'mv': {
      if (name === 'rm' && has(/^(--cached|-n|--dry-run)$/)) return outcome('read');
      if (name === 'restore' && has(/^(--staged|-S)$/) && !has(/^(--worktree|-W)$/)) return outcome('read');
      const dashes = rest.indexOf('--');
      const words = dashes >= 0 ? rest.slice(dashes + 1) : name === 'checkout' ? there(operands) : operands;
      if (name === 'checkout' && has(/^(-b|-B|--orphan|--detach|--track|-t)$/)) return outcome('read');
      const named = touch(scene, words, 'write');
      const changed = { ...outcome('read'), writes: named.writes ?? [], changes: searchesOf(scene, words) };
      if (name !== 'mv') return changed;
      // What it held can be read by its new name.
      const from = words.slice(0, -1);
      return { ...changed, reads: touch(scene, from, 'read').reads ?? [], searches: searchesOf(scene, from) };
    }
    case 'clean':
      return has(/^(-n|--dry-run)$/)
        ? outcome('read')
        : { ...outcome('read'), mayChange: searchesOf(scene, operands.length > 0 ? operands : ['.']) };
    case 'apply': {
      if (has(/^--(stat|numstat|summary|check|cached)$/)) return outcome('read');
      const strip = Number(options.find((option) => option.name === '-p')?.value ?? '1');
      return judgePatched(operands, Number.isNaN(strip) ? 1 : strip, scene);
    }
    case 'am':
      return judgePatched(operands, 1, scene);
    case 'checkout-index':
      return tracked(scene);
    case 'worktree':
      return operands[0] === 'add' ? tracked(scene) : outcome('read');
    case 'archive':
    case 'fast-export':
      return tracked(scene, operands.slice(1));
    case 'clone':
      return there(operands.slice(0, 1)).length > 0 ? tracked(scene) : outcome('read');
    case 'cat-file':
      // A number may be that of any file.
      return operands.some((word) => /^[0-9a-f]{4,64}$/.test(word)) ? tracked(scene) : outcome('read');
    case 'bundle':
      return operands[0] === 'create' ? tracked(scene) : outcome('read');
  }
  return outcome('read');
}

/** It takes along all files that git knows, or those among the pathspecs. */
function tracked(scene: Scene, specs: readonly string[] = []): Outcome {
  return combine(
    outcome('read'),
    ...scene.cwds.map((cwd): Outcome => {
      const root = repositoryOf(cwd)?.root;
      const known = trackedFiles(cwd, scene.places);
      if (root === undefined) return outcome('read');
      if (!known || known.isUnread) return { ...outcome('read'), searches: [{ folder: root }] };
      const isNamed = specs.length > 0 && !specs.some(isComputed) ? pathspecs(specs, '.', cwd) : () => true;
      const names = new Set(known.files.map((file) => file.path).filter((path) => isNamed(`${root}/${path}`)));
      return { ...outcome('read'), searches: [{ folder: root, fits: (path) => names.has(path) }] };
    }),
  );
}
