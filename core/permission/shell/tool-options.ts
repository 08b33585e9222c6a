/** Options that make a tool run another program, or write where its subcommand only reads, as data. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
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

/** What the options of a tool do beyond its subcommand. */
export function judgeToolOptions(name: string, args: readonly string[], { cwds }: Scene): Outcome {
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
