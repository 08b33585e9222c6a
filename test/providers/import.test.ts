/** What importing the library costs: one file of its own, and nothing of Node that is slow to load. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../providers/', import.meta.url));

interface Imports {
  atOnce: string[];
  late: string[];
}

/** The modules that a file imports, types apart; own ones as paths. */
function importsOf(file: string): Imports {
  const source = readFileSync(file, 'utf8');
  const named = (pattern: RegExp) =>
    [...source.matchAll(pattern)].map(([, name]) => (name!.startsWith('.') ? join(dirname(file), name!) : name!));
  return {
    atOnce: named(/^(?:import|export) (?!type\b)(?:[^;'"]*? from )?'([^']+)';$/gm),
    late: named(/(?<!typeof )import\(\s*'([^']+)'\s*\)/g),
  };
}

/** Everything that is loaded with `entry`, and what it can load later. */
function loadedWith(entry: string): { all: Set<string>; late: Set<string> } {
  const all = new Set([entry]);
  const late = new Set<string>();
  for (const file of all) {
    if (!existsSync(file)) continue;
    const imports = importsOf(file);
    for (const one of imports.atOnce) all.add(one);
    for (const one of imports.late) late.add(one);
  }
  return { all, late };
}

const library = loadedWith(join(root, 'index.ts'));
const isOwn = (name: string): boolean => name.startsWith(root);
const shown = (files: Iterable<string>): string[] =>
  [...files].map((file) => (isOwn(file) ? relative(root, file) : file));

test('importing the library imports no package, and of Node only what is there at every start', () => {
  expect(library.all.size).toBeGreaterThan(50);
  const foreign = [...library.all].filter((name) => !isOwn(name));
  // node:fs, node:stream, node:http and node:timers/promises cost 2 ms and more each.
  expect(foreign.sort()).toEqual(['node:module', 'node:string_decoder']);
});

test('what is loaded late shares nothing with it, since each shared piece is one more file to load', () => {
  const late = [...library.late].filter(isOwn);
  expect(shown(late)).toEqual(expect.arrayContaining(['recovery/recovery.ts', 'wire/tunnel.ts', 'answer-check.ts']));
  for (const entry of late) {
    const { all } = loadedWith(entry);
    expect(shown([...all].filter((file) => isOwn(file) && library.all.has(file)))).toEqual([]);
  }
});
