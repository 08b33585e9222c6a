/**
 * What a program is judged in: where it runs, what feeds it, and how the judge comes back for a command inside a
 * command; and the shapes in which judgements are given.
 */
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { AccessClass } from '../../types.ts';
import { CLASSES, worse } from '../modes.ts';
import { pathGlob } from '../path-glob.ts';
import { absolute, isWithin, type Placed, type Places, placePath } from '../paths.ts';
import { isGuardedName, isSecretName } from '../sensitive-names.ts';
import { throughLinks } from './brought-links.ts';
import type { Search } from './file-walk.ts';
import type { Shell } from './shell-state.ts';
import { isComputed, mayClimb, SOME_ADDRESS, SOME_FOLDER, SOME_NAME } from './syntax.ts';

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
  /** Folders of which it reads every file, or those that fit. */
  searches?: readonly Search[];
  /** Files that it changes without naming each. */
  changes?: readonly Search[];
  /** Folders in which it may change any file, which only what it is given tells. */
  mayChange?: readonly Search[];
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
  searches?: readonly Search[];
  changes?: readonly Search[];
  mayChange?: readonly Search[];
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
  /** With `file`: its name, where it is one. */
  from?: readonly string[] | undefined;
  /** With `names`: where the files of these names lie. */
  named?: readonly Search[] | undefined;
  /** With `names`: true when each line leads to the file as it is; `ls DIR` gives names without their folder. */
  leads?: boolean | undefined;
  /** Standard output is no terminal: it goes into a file, a pipe or a word. */
  piped?: true | undefined;
  depth: number;
  /** Variables with secrets in the words of this command, or of one around it. */
  secrets?: readonly string[] | undefined;
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
/** A folder that `mktemp` makes for this very command. */
export const NEW_FOLDER = `${tmpdir()}/${SOME_FOLDER}`;

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
  ...(judged.searches?.length ? { searches: judged.searches } : {}),
  ...(judged.changes?.length ? { changes: judged.changes } : {}),
  ...(judged.mayChange?.length ? { mayChange: judged.mayChange } : {}),
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
    searches: outcomes.flatMap((one) => one.searches ?? []),
    changes: outcomes.flatMap((one) => one.changes ?? []),
    mayChange: outcomes.flatMap((one) => one.mayChange ?? []),
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
      if (isComputed(absolute(path, cwd, scene.places.home)) || path.includes(SOME_ADDRESS)) {
        raise('outside', `${path} is known only when it runs`);
        continue;
      }
      if (mayClimb(path)) {
        raise('outside', `${path} goes up from a name that is known only when it runs`);
        continue;
      }
      const names = namesMatching(path, cwd, scene);
      if (use !== 'list' && path.includes('**') && scene.shell.patterns.has('globstar')) {
        raise('outside', `${path} matches files of folders below, which are not looked at each`);
        continue;
      }
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
        for (const one of [placed.path, placed.real ?? placed.path, ...placed.led])
          if (!found.includes(one)) found.push(one);
        if (!placed.inside) {
          const where = placed.real !== undefined && placed.real !== placed.path ? ` (really ${placed.real})` : '';
          raise('outside', `${name}${where} is outside the project`);
        }
        if (name === path && use !== 'list' && mayMatchSecret(path, cwd, scene))
          raise('outside', `${path} may match a file that holds secrets`);
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
    ...(use === 'read' && paths.some((path) => path.includes(SOME_NAME)) ? { searches: scene.shell.found } : {}),
    ...(use === 'write' && paths.some((path) => path.includes(SOME_NAME)) ? { changes: scene.shell.found } : {}),
    ...(use === 'write' ? { writes: found } : use === 'read' ? { reads: found } : {}),
  };
}

/** Nothing runs while a command is judged: what was found out of a path holds until its end, but for links that it makes. */
function place(path: string, cwd: string, { places, placed, shell }: Scene): Placed & { led: readonly string[] } {
  const key = `${cwd}\0${path}`;
  let found = placed.get(key);
  if (!found) placed.set(key, (found = placePath(path, cwd, places)));
  const ways = [...new Set([absolute(path, cwd, places.home), found.path])].flatMap((one) =>
    throughLinks(one, shell.links),
  );
  const led = ways.filter((one) => one !== undefined).map((one) => placePath(one, '/', places));
  return {
    ...found,
    // A folder that this very command made, beside the project.
    inside:
      (found.inside || isWithin(found.path, NEW_FOLDER)) &&
      !ways.includes(undefined) &&
      led.every((one) => one.inside || isWithin(one.path, NEW_FOLDER)),
    secret: found.secret || led.some((one) => one.secret),
    guarded: found.guarded || led.some((one) => one.guarded),
    led: led.flatMap((one) => (one.real === undefined ? one.path : [one.path, one.real])),
  };
}

/** The literal name, and what the pattern matches where it is one. Undefined: too many to look at. */
export function namesMatching(path: string, cwd: string, scene: Scene): readonly string[] | undefined {
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

/** What files with secrets are mostly called. */
const SECRET_NAMES = [
  '.env',
  '.env.local',
  '.npmrc',
  '.netrc',
  'id_rsa',
  'id_ed25519',
  'server.key',
  'server.pem',
  'secrets.json',
  'credentials.json',
];

/** True when a pattern names a kind of secret in a folder that is not there yet: what it will match cannot be looked up. */
function mayMatchSecret(path: string, cwd: string, { places }: Scene): boolean {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1).toLowerCase();
  if (!/[*?[]/.test(name) || /^\*+$/.test(name)) return false;
  const folder = absolute(path.slice(0, Math.max(0, slash)), cwd, places.home);
  if (!/[*?[]/.test(folder) && existsSync(folder)) return false;
  const pattern = pathGlob(name.replace(/\[[^\]]*\]/g, '?').replace(/\*+/g, '*'));
  return SECRET_NAMES.some((secret) => (name.startsWith('.') || !secret.startsWith('.')) && pattern.test(secret));
}

/** True when a pattern without folder may turn into an option, because a file of such a name lies there. */
export function matchesOptionName(word: string, scene: Scene): boolean {
  if (!/^[*?[]/.test(word) || word.includes('/')) return false;
  return scene.cwds.some((cwd) => (namesMatching(word, cwd, scene) ?? ['-']).some((name) => name.startsWith('-')));
}

/** True for names that make sense only as secrets or protected files; used for words of unknown meaning. */
export function isNotableName(word: string): boolean {
  return isSecretName(word) || isGuardedName(word);
}
