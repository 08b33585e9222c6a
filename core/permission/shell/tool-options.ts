/** Options that make a tool run another program, or write where its subcommand only reads, as data. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWithin } from '../paths.ts';
import { type Outcome, outcome, type Scene } from './scene.ts';

type Row = readonly [RegExp, 'hidden' | 'write' | 'unknown', string];

const NPM: Row = [
  /^--(script-shell|node-options|shell|editor|browser|viewer|pager|git|userconfig|globalconfig|init-module)(=|$)/,
  'hidden',
  'can run a program that it is given',
];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  go: [
    [/^--?(toolexec|vettool|exec|overlay|modfile)(=|$)/, 'hidden', 'can run a program that it is given'],
    [/^--?(export|compiled)$/, 'write', 'builds'],
  ],
  cargo: [
    [/^(--config|-Z)(=|$)|^-Z./, 'hidden', 'can run a program that it is given'],
    [/^\+/, 'unknown', 'runs another toolchain'],
  ],
  npm: [NPM],
  pnpm: [NPM],
  yarn: [NPM, [/^--use-yarnrc(=|$)/, 'hidden', 'can run a program that it is given']],
  bun: [NPM],
  pip: [[/^--python(=|$)/, 'hidden', 'runs the program that it is given']],
  pip3: [[/^--python(=|$)/, 'hidden', 'runs the program that it is given']],
};
const ANY: Row = [
  /^--?(log|log-file|logfile|log-dir|out|outfile|out-file|output-file|output-dir)(=|$)/,
  'write',
  'writes a file',
];

/** Files of a project that name a program which the tool runs before anything else, whatever it is asked. */
const CONFIGURED: Readonly<Record<string, { files: readonly string[]; names: RegExp }>> = {
  yarn: { files: ['.yarnrc', '.yarnrc.yml'], names: /yarn-?path|plugins/i },
  npm: { files: ['.npmrc'], names: /^\s*(viewer|browser|pager|editor|shell|script-shell|node-options|git)\s*=/m },
  pnpm: { files: ['.npmrc'], names: /^\s*(script-shell|node-options|shell|git|use-node-version)\s*=/m },
  cargo: {
    files: ['.cargo/config.toml', '.cargo/config', 'rust-toolchain.toml', 'rust-toolchain'],
    names: /^\s*(rustc|rustc-(workspace-)?wrapper|rustdoc|runner|linker|credential-process|include|path)\s*=/m,
  },
};

/** What the options of a tool do beyond its subcommand, and what the project makes it run. */
export function judgeToolOptions(name: string, args: readonly string[], { cwds, places }: Scene): Outcome {
  if (Object.hasOwn(CONFIGURED, name)) {
    const { files, names } = CONFIGURED[name]!;
    for (const folder of foldersOf(cwds, places.project))
      for (const file of files)
        if (names.test(contentOf(`${folder}/${file}`)))
          return outcome('unknown', `${name} runs what the project's ${file} names`);
  }
  if (name === 'cargo' && /^(tree|metadata)$/.test(args.find((word) => !/^[-+]/.test(word)) ?? '') && !hasLock(cwds))
    return outcome('write', 'cargo writes Cargo.lock where there is none');
  if (
    name === 'go' &&
    args[0] === 'run' &&
    args.some((word) => /^[\w.-]+\.[\w-]+\/.*@/.test(word) || /:\/\//.test(word))
  )
    return outcome('network', 'go run may download and run a module');
  for (const word of args) {
    const row = [...(Object.hasOwn(ROWS, name) ? ROWS[name]! : []), ANY].find(([pattern]) => pattern.test(word));
    if (row) return outcome(row[1], `${name} ${word.replace(/=.*/s, '')} ${row[2]}`);
  }
  return outcome('read');
}

/** The working directories, and the folders between them and that of the project. */
function foldersOf(cwds: readonly string[], project: string): ReadonlySet<string> {
  const folders = new Set([project, ...cwds]);
  for (const cwd of cwds)
    for (let folder = dirname(cwd); isWithin(folder, project) && folder !== project; folder = dirname(folder))
      folders.add(folder);
  return folders;
}

/** Whether the package, if there is one, has its lock file. */
function hasLock(cwds: readonly string[]): boolean {
  return cwds.every((cwd) => {
    let hasPackage = false;
    for (let folder = cwd; ; folder = dirname(folder)) {
      if (existsSync(`${folder}/Cargo.lock`)) return true;
      hasPackage ||= existsSync(`${folder}/Cargo.toml`);
      if (folder === dirname(folder)) return !hasPackage;
    }
  });
}

function contentOf(path: string): string {
  try {
    return !statSync(path).isFile() || statSync(path).size > 64 * 1024 ? '' : readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
