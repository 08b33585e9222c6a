/**
 * What a program is judged in: where it runs, what feeds it, and how the judge comes back for a command inside a
 * command; and the shapes in which judgements are given.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { normalize } from 'node:path';
import type { AccessClass } from '../../types.ts';
import { CLASSES, worse } from '../modes.ts';
import { pathGlob } from '../path-glob.ts';
import { absolute, type Placed, type Places, placePath } from '../paths.ts';
import { isGuardedName, isSecretName } from '../sensitive-names.ts';
import type { Shell } from './shell-state.ts';
import { isComputed } from './syntax.ts';

/** One simple command, or a redirect of one, and what it does. */
export interface Part {
  /** The words that rules are matched against; empty for a redirect. */
  words: readonly string[];
  class: AccessClass;
  readOnly: boolean;
  reasons: readonly string[];
  /** Absolute paths that it names, for the path rules of other tools. */
  reads: readonly string[];
  writes: readonly string[];
  /** Writes what is never written unasked. */
  guarded?: boolean;
  /** No command, only the form in which others stand: a rule need not allow it. */
  structure?: true;
  /** Stands for code that could not be read. */
  unread?: boolean;
}

/** What one program with its arguments does; `inner` are the commands that it runs. */
export interface Outcome {
  class: AccessClass;
  readOnly: boolean;
  reasons: readonly string[];
  reads?: readonly string[];
  writes?: readonly string[];
  guarded?: boolean;
  inner?: readonly Part[];
}

export interface Scene {
  places: Places;
  /** Paths that were looked up for this command. */
  placed: Map<string, Placed>;
  /** Every directory that the command may run in; more than one where a `cd` may have failed. */
  cwds: readonly string[];
  /** What standard input is: nothing, a pipe, names of files inside the project, a file, or text of the command itself. */
  stdin: 'none' | 'pipe' | 'names' | 'file' | 'text';
  /** With `text` and `pipe`: the text, where it is known. */
  fed?: string | undefined;
  /** With `names`: the folders that they come from. */
  named?: readonly string[] | undefined;
  depth: number;
  /** A look at something that cannot be read is being taken: no second one is taken inside it. */
  tolerant?: true;
  shell: Shell;
  /** Judges the words of a command inside this one. */
  command(words: readonly string[], scene: Scene): readonly Part[];
  /** Judges shell code that another shell runs, with its `$0`, `$1` …, where they are known. */
  code(source: string, scene: Scene, args?: readonly string[]): readonly Part[];
  /** Judges shell code that runs in this very shell. */
  evaluate(source: string, scene: Scene): readonly Part[];
}

/** Judges one program by the words after its name. */
export type Judge = (words: readonly string[], scene: Scene) => Outcome;

/** How a path is used: only named or listed, its content read, or changed. */
export type Use = 'list' | 'read' | 'write';

const DEVICES = /^\/dev\/(null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd\/\d+)$/;
const RAW_DEVICES = /^\/dev\/(sd|hd|vd|nvme|mmcblk|disk|rdisk|mapper\/|dm-|loop|xvd|mem|kmem)/;
const MAX_MATCHES = 2_000;

export const outcome = (accessClass: AccessClass, ...reasons: string[]): Outcome => ({
  class: accessClass,
  readOnly: accessClass === 'read',
  reasons,
});

export const toPart = (words: readonly string[], judged: Outcome): Part => ({
  words,
  class: judged.class,
  readOnly: judged.readOnly,
  reasons: judged.reasons,
  reads: judged.reads ?? [],
  writes: judged.writes ?? [],
  guarded: judged.guarded ?? false,
});

/** The worst of several outcomes, with all their reasons, worst first. */
export function combine(...outcomes: readonly Outcome[]): Outcome {
  const sorted = [...outcomes].sort((a, b) => CLASSES.indexOf(b.class) - CLASSES.indexOf(a.class));
  return {
    class: outcomes.reduce<AccessClass>((worst, one) => worse(worst, one.class), 'read'),
    readOnly: outcomes.every((one) => one.readOnly),
    reasons: [...new Set(sorted.flatMap((one) => one.reasons))],
    reads: outcomes.flatMap((one) => one.reads ?? []),
    writes: outcomes.flatMap((one) => one.writes ?? []),
    guarded: outcomes.some((one) => one.guarded ?? false),
    inner: outcomes.flatMap((one) => one.inner ?? []),
  };
}

/** Judges paths that a program is given. Patterns are looked up, since a name that they match may be a link or a secret. */
export function touch(scene: Scene, paths: readonly string[], use: Use): Outcome {
  const reasons: string[] = [];
  const found: string[] = [];
  let worst: AccessClass = 'read';
  let guarded = false;
  const raise = (to: AccessClass, reason: string) => {
    worst = worse(worst, to);
    if (!reasons.includes(reason)) reasons.push(reason);
  };
  for (const path of paths) {
    if (path === '' || path === '-') continue;
    for (const cwd of scene.cwds) {
      // A path that begins with a known folder can still lead out of it.
      if (isComputed(absolute(path, cwd, scene.places.home))) {
        raise('outside', `${path} is known only when it runs`);
        continue;
      }
      const names = expand(path, cwd, scene);
      if (names === undefined) {
        raise('outside', `${path} matches too many files to look at each`);
        continue;
      }
      for (const name of names) {
        const written = absolute(name, cwd, scene.places.home);
        if (DEVICES.test(written)) continue;
        if (written.startsWith('/dev/tcp/') || written.startsWith('/dev/udp/')) {
          raise('hidden', 'opens a network connection through a redirect');
          continue;
        }
        if (use === 'write' && RAW_DEVICES.test(written)) raise('destructive', `writes to the device ${name}`);
        const placed = place(name, cwd, scene);
        if (!found.includes(placed.path)) found.push(placed.path);
        if (!placed.inside) {
          const where = placed.real !== undefined && placed.real !== placed.path ? ` (really ${placed.real})` : '';
          raise('outside', `${name}${where} is outside the project`);
        }
        if (placed.secret && use !== 'list') raise('outside', `${name} may hold secrets`);
        if (placed.guarded && use === 'write') {
          guarded = true;
          raise('outside', `${name} is protected`);
        }
      }
    }
  }
  return {
    class: worst,
    readOnly: use !== 'write' || found.length === 0,
    reasons,
    guarded,
    ...(use === 'write' ? { writes: found } : use === 'read' ? { reads: found } : {}),
  };
}

/** Nothing runs while a command is judged: what was found out of a path holds until its end. */
function place(path: string, cwd: string, { places, placed }: Scene): Placed {
  const key = `${cwd}\0${path}`;
  let found = placed.get(key);
  if (!found) placed.set(key, (found = placePath(path, cwd, places)));
  return found;
}

/** The literal name, and what the pattern matches where it is one. Undefined: too many to look at. */
function expand(path: string, cwd: string, scene: Scene): readonly string[] | undefined {
  if (!/[*?[]/.test(path)) return [path];
  const matches = [path];
  const start = path.startsWith('~/') ? `${scene.places.home}/` : path.startsWith('/') ? '/' : '';
  let level = [start];
  for (const part of path.slice(path.startsWith('~/') ? 2 : start.length).split('/')) {
    const next: string[] = [];
    for (const base of level) {
      if (!/[*?[]/.test(part)) {
        next.push(`${base}${part}/`);
        continue;
      }
      // A set of characters is read as any one character: more names than the shell would find, never fewer.
      const pattern = pathGlob(part.replace(/\[[^\]]*\]/g, '?').replace(/\*+/g, '*'));
      let names: string[] = [];
      try {
        names = readdirSync(absolute(base === '' ? '.' : base, cwd, scene.places.home));
      } catch {}
      for (const name of names) {
        if (pattern.test(name) && (part.startsWith('.') || !name.startsWith('.'))) next.push(`${base}${name}/`);
        if (next.length > MAX_MATCHES) return undefined;
      }
    }
    level = next;
  }
  for (const name of level) matches.push(name.slice(0, -1));
  return matches;
}

/** True when a pattern without folder may turn into an option, because a file of such a name lies there. */
export function matchesOptionName(word: string, scene: Scene): boolean {
  if (!/^[*?[]/.test(word) || word.includes('/')) return false;
  return scene.cwds.some((cwd) => (expand(word, cwd, scene) ?? ['-']).some((name) => name.startsWith('-')));
}

/**
 * Why reading all files at or below some folders needs a yes: a secret among them or, where links are followed, a link
 * that leads outside. Looks at no more than 3,000 names, nearest first, and not into `.git` and `node_modules`.
 */
export function findSecret(scene: Scene, folders: readonly string[], followsLinks: boolean): string | undefined {
  const queue = scene.cwds.flatMap((cwd) => folders.map((folder) => absolute(folder, cwd, scene.places.home)));
  let seen = 0;
  for (let at = 0; at < queue.length && seen < 3_000; at++) {
    const folder = queue[at]!;
    try {
      if (!lstatSync(folder).isDirectory()) continue;
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        seen++;
        if (entry.name === '.git' || entry.name === 'node_modules') continue;
        const path = `${folder}/${entry.name}`;
        if (entry.isDirectory()) queue.push(path);
        else if (isSecretName(path) && !isPlainNpmrc(path))
          return `may read ${normalize(path)}, which may hold secrets`;
        else if (followsLinks && entry.isSymbolicLink() && !placePath(path, '/', scene.places).inside) {
          return `may read ${normalize(path)}, which leads out of the project`;
        }
      }
    } catch {}
  }
  return undefined;
}

/** Most projects have a `.npmrc` that only sets options: a search through the project need not ask for it. */
function isPlainNpmrc(path: string): boolean {
  if (!path.endsWith('/.npmrc') || lstatSync(path).size > 64 * 1024) return false;
  return !/_auth|password|token/i.test(readFileSync(path, 'utf8'));
}

/** True for names that make sense only as secrets or protected files; used for words of unknown meaning. */
export function isNotableName(word: string): boolean {
  return isSecretName(word) || isGuardedName(word);
}
