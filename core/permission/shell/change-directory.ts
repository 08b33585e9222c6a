/** Where later commands run after a `cd`, and which folders a command surely made. */
import { existsSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { absolute, realPath } from '../paths.ts';
import { throughLinks } from './brought-links.ts';
import { isFolder } from './known-output.ts';
import { splitArguments } from './options.ts';
import type { Scene } from './scene.ts';
import type { Shell } from './shell-state.ts';
import { isComputed } from './syntax.ts';

const at = (path: string, cwd: string, home: string): string =>
  normalize(absolute(path, cwd, home)).replace(/(.)\/$/, '$1');

export const changesDirectory = (program: string | undefined): boolean => /^(cd|pushd|popd)$/.test(program ?? '');

/** The words of `cd` that mean the same: without any, `pushd` and `popd` go back to where the shell was. */
export const directoryIn = (program: string, args: readonly string[]): readonly string[] =>
  program !== 'cd' && args.every((word) => word === '-n') ? ['-'] : args;

/** The folder that `cd` is given, and whether it goes by where links lead (`-P`) or by their names; the last option counts. */
export function whereTo(args: readonly string[]): { target?: string; isPhysical?: boolean } {
  let isPhysical: boolean | undefined;
  let at = 0;
  for (; /^-[LPe@]+$/.test(args[at] ?? ''); at++) {
    const last = /[LP](?=[^LP]*$)/.exec(args[at]!)?.[0];
    if (last !== undefined) isPhysical = last === 'P';
  }
  const target = args[at] === '--' ? args[at + 1] : args[at];
  return { ...(target === undefined ? {} : { target }), ...(isPhysical === undefined ? {} : { isPhysical }) };
}

/**
 * Follows `cd`: to the new folder when it is there, or was made by the command itself; to either where something may have
 * made it.
 */
export function follow(program: string, args: readonly string[], { shell, places }: Scene): void {
  const { target, isPhysical } = whereTo(args);
  const next = new Set<string>();
  const arrived = new Set<string>();
  let mayStay = false;
  const isThere = (path: string) => isFolder(path) || shell.made.has(path);
  for (const cwd of shell.cwds) {
    if (target === '-' && program === 'cd') {
      for (const old of shell.before) next.add(old);
      if (shell.before.length === 0) next.add(cwd);
      continue;
    }
    if (target === '-' || (target !== undefined && /^[-+]\d+$/.test(target))) {
      for (const old of shell.seen) next.add(old);
      next.add(cwd);
      continue;
    }
    const written = absolute(target ?? '~', cwd, places.home);
    const to = at(written, cwd, places.home);
    const led = throughLinks(written, shell.links).filter((path) => path !== undefined);
    const real = [realPath(written), ...led].filter((path) => path !== undefined);
    // By name it goes through a link that the command made as well.
    const byName = isThere(to) || throughLinks(to, shell.links).some((path) => path !== undefined && isThere(path));
    const found = [
      ...(byName && !isPhysical ? [to] : []),
      // Where there is nothing of that name, the shell tries where the links lead.
      ...(isPhysical || (isPhysical === undefined && shell.isPhysical) || !byName ? real.filter(isThere) : []),
    ];
    for (const path of found) arrived.add(path);
    if (found.length === 0) {
      mayStay = true;
      next.add(cwd);
      // Nothing that ran before it can have made the folder: it stays where it is.
      if (shell.course.isChanged || isComputed(to))
        for (const path of isPhysical ? [to, ...real] : [to]) arrived.add(path);
    }
  }
  for (const path of arrived) next.add(path);
  shell.arrived = [...arrived];
  // Where it stays, what was before stays too; at first that is what the environment says.
  if (!mayStay) shell.before = shell.cwds;
  else if (shell.before.length > 0) shell.before = [...new Set([...shell.cwds, ...shell.before])];
  for (const cwd of next) shell.seen.add(cwd);
  shell.cwds = [...next];
}

/** Programs after which a folder need not be there any more. */
const MOVES = new Set('rm rmdir mv unlink find rsync trash'.split(' '));

/** Remembers the folders that `mkdir`, `git clone` and their kin make. */
export function noteFolders(program: string, args: readonly string[], scene: Scene): void {
  const { shell } = scene;
  if (MOVES.has(program)) shell.made.clear();
  for (const folder of foldersOf(program, args)) {
    if (isComputed(folder) || /[*?[]/.test(folder)) continue;
    for (const cwd of scene.cwds) {
      const path = at(folder, cwd, scene.places.home);
      if (existsSync(path) && !isFolder(path)) continue;
      const isDeep = program !== 'mkdir' || args.some((word) => /^(-\w*p\w*|--parents)$/.test(word));
      if (isDeep || isFolder(dirname(path)) || shell.made.has(dirname(path)))
        for (let one = path; one !== '/' && !shell.made.has(one) && !isFolder(one); one = dirname(one))
          shell.made.add(one);
    }
  }
}

function foldersOf(program: string, args: readonly string[]): readonly string[] {
  if (program === 'mkdir') return splitArguments(args, { values: new Set(['-m', '--mode']) }).operands;
  if (program !== 'git') return [];
  const values = new Set('-b -o -c -j --branch --depth --origin --config --jobs --reference --template'.split(' '));
  const { operands } = splitArguments(args, { values });
  if (operands[0] === 'worktree' && operands[1] === 'add') return operands.slice(2, 3);
  if (operands[0] === 'init') return operands.slice(1, 2);
  if (operands[0] !== 'clone' || operands[1] === undefined) return [];
  // Without a folder it is named after the repository.
  return [
    operands[2] ??
      operands[1]
        .replace(/\/+$/, '')
        .replace(/(\/?\.git|\.bundle)$/, '')
        .replace(/^.*[/:]/, ''),
  ];
}

/** `set -P` and its kin; and the words behind `set` are `$1` … from then on, as those behind `shift` are others. */
export function noteOptions(shell: Shell, program: string, args: readonly string[]): void {
  if (program === 'shopt') {
    // That an option is taken back is not followed.
    shell.patterns = new Set([...shell.patterns, ...args]);
    return;
  }
  if (program !== 'setopt') shell.args = undefined;
  if (program === 'setopt' || args.some((word) => /^[-+]\w*P|^physical$/.test(word) || isComputed(word)))
    shell.isPhysical = true;
}

/** It is where the last `cd` led, if that went well. */
export function goOn(shell: Shell): void {
  if (shell.arrived.length > 0 && ![...shell.functions.keys()].some(changesDirectory)) shell.cwds = shell.arrived;
}
