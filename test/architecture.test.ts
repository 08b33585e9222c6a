/**
 * The rules of ARCHITECTURE.md that a parser can check: which way imports run, one list for each kind of thing, sizes
 * and names. A rule gives the list of what breaks it, so that a failure names file and line.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { type Import, parseSource, root, type SourceFile, sourcesOf } from './source-files.ts';

const ROOMS = ['providers', 'core', 'app', 'bench'] as const;
type Room = (typeof ROOMS)[number];

/** What each room may import besides itself. */
const BELOW: Record<Room, readonly Room[]> = {
  providers: [],
  core: ['providers'],
  app: ['providers', 'core'],
  bench: ['providers', 'core', 'app'],
};

/** Plain values of the intermediate representation and its errors: core may use these of providers, and no others. */
const SHARED_VALUES = ['providers/ir.ts', 'providers/errors.ts'];

/**
 * Files of app that may import values of providers.
 * - compose.ts is the one place where a session gets its backends.
 * - models.ts makes the router for it, from settings and the environment; it takes nothing of core.
 * - lab.ts and lab/ answer `ada lab`: they call pure functions of any room and start nothing.
 */
const JOINS = (path: string): boolean =>
  path === 'app/compose.ts' || path === 'app/models.ts' || path === 'app/lab.ts' || path.startsWith('app/lab/');

/** Code that belongs to the sample project of the demonstration, which the recorded model edits: not part of ada. */
const SAMPLES = ['app/demo/sample'];

const files = ROOMS.flatMap((room) => sourcesOf(room, SAMPLES));
const roomOf = (path: string): string => path.split('/')[0]!;
const isRoom = (name: string): name is Room => (ROOMS as readonly string[]).includes(name);
const at = (file: SourceFile, found: Import): string => `${file.path}:${found.line} imports ${found.specifier}`;
const importsThat = (breaks: (file: SourceFile, found: Import) => boolean): string[] =>
  files.flatMap((file) => file.imports.filter((found) => breaks(file, found)).map((found) => at(file, found)));

describe('the parser', () => {
  it('tells values from types, and finds every form of import', () => {
    const text = `
      import a from 'a'; import type { B } from './b.ts'; import { type C } from '../c.ts'; import 'd/sub';
      export * from './e.ts'; export type { F } from './f.ts';
      const g = await import('./g.ts'); type H = import('@scope/h/deep').H; const i = require('node:i');
    `;
    const seen = parseSource('core/x/y.ts', text).imports.map(
      ({ target, value, dynamic }) => `${target} ${value} ${dynamic}`,
    );
    expect(seen).toEqual([
      'a true false',
      'core/x/b.ts false false',
      'core/c.ts true false',
      'd true false',
      'core/x/e.ts true false',
      'core/x/f.ts false false',
      'core/x/g.ts true true',
      '@scope/h false false',
      'node:i true true',
    ]);
  });

  it('finds the rooms', () => {
    for (const room of ['providers', 'core', 'app'])
      expect(files.some((file) => roomOf(file.path) === room)).toBe(true);
  });
});

describe('imports', () => {
  it('lead to files that exist', () => {
    expect(
      importsThat(
        (_, found) =>
          found.specifier.startsWith('.') &&
          /\.(tsx?|json)$/.test(found.target) &&
          !existsSync(join(root, found.target)),
      ),
    ).toEqual([]);
  });

  it('run one way: providers <- core <- app <- bench', () => {
    expect(
      importsThat(({ path }, { target }) => {
        const [from, to] = [roomOf(path) as Room, roomOf(target)];
        if (to === 'test') return true;
        return isRoom(to) && from !== to && !BELOW[from].includes(to);
      }),
    ).toEqual([]);
  });

  it('core takes types of providers, and values only of ir.ts and errors.ts', () => {
    expect(
      importsThat(
        ({ path }, { target, value }) =>
          roomOf(path) === 'core' && value && roomOf(target) === 'providers' && !SHARED_VALUES.includes(target),
      ),
    ).toEqual([]);
  });

  it('only app/compose.ts joins core and providers', () => {
    expect(
      importsThat(
        ({ path }, { target, value }) =>
          roomOf(path) === 'app' && value && roomOf(target) === 'providers' && !JOINS(path),
      ),
    ).toEqual([]);
  });

  it('only app/tui imports React and Ink', () => {
    const screen = /^(react|react-dom|ink|ink-.*)$/;
    expect(importsThat(({ path }, { target }) => screen.test(target) && !path.startsWith('app/tui/'))).toEqual([]);
  });

  it('core opens no socket and knows no vendor', () => {
    const out = /^(node:)?(http|https|http2|net|tls|dgram|undici|ollama|openai|@anthropic-ai\/.*)$/;
    expect(importsThat(({ path }, { target }) => roomOf(path) === 'core' && out.test(target))).toEqual([]);
  });

  it('schemas come from zod/mini, which starts faster', () => {
    expect(
      importsThat((_, { target, specifier, value }) => target === 'zod' && value && specifier !== 'zod/mini'),
    ).toEqual([]);
  });

  it('of packages name only those that package.json declares', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const declared = new Set(Object.keys({ ...dependencies, ...devDependencies }));
    expect(importsThat((_, { specifier, target }) => !/^(\.|node:)/.test(specifier) && !declared.has(target))).toEqual(
      [],
    );
  });

  it('of Node modules carry the node: prefix', () => {
    const { builtinModules } = process.getBuiltinModule('node:module');
    expect(importsThat((_, { specifier }) => builtinModules.includes(specifier))).toEqual([]);
  });
});

/** Things of which there are many: each is one file (or folder) in `folder`, and one line in `list`. */
interface Kind {
  name: string;
  folder: string;
  list: string;
  /** Of the files in the folder, those that are one of the kind; all but the list when left out. */
  is?(file: SourceFile): boolean;
}

const exportsA = (type: RegExp) => (file: SourceFile) => type.test(file.text);

const KINDS: readonly Kind[] = [
  {
    name: 'tools',
    folder: 'core/tools',
    list: 'core/tools/index.ts',
    is: exportsA(/export const \w+(: Tool\b| = (tool|defineTool)\()/),
  },
  {
    name: 'backends',
    folder: 'providers/backends',
    list: 'providers/index.ts',
    is: exportsA(/export class \w+BackendAdapter\b/),
  },
  {
    name: 'frontends',
    folder: 'providers/frontends',
    list: 'providers/index.ts',
    is: exportsA(/export class \w+FrontendAdapter\b/),
  },
  {
    name: 'middleware',
    folder: 'providers/middleware',
    list: 'providers/index.ts',
    is: exportsA(/export (function|const) create\w+Middleware\b/),
  },
  {
    name: 'commands',
    folder: 'app/commands',
    list: 'app/main.ts',
    is: exportsA(/export (async function|const) run\b/),
  },
  {
    name: 'slash commands',
    folder: 'app/slash',
    list: 'app/slash/index.ts',
    is: exportsA(/export const \w+: SlashCommand\b/),
  },
  { name: 'lab rooms', folder: 'app/lab', list: 'app/lab.ts' },
];

/** `core/tools/bash.ts` and `core/tools/bash/run.ts` both belong to the member `core/tools/bash`. */
const memberOf = (folder: string, path: string): string =>
  path
    .replace(/\.tsx?$/, '')
    .split('/')
    .slice(0, folder.split('/').length + 1)
    .join('/');

describe.each(KINDS)('$name', ({ folder, list, is }) => {
  const inside = files.filter((file) => file.path.startsWith(`${folder}/`) && file.path !== list);
  const members = inside.filter((file) => is?.(file) ?? true);

  it('are each in the one list', () => {
    const listed = files.find((file) => file.path === list)?.imports.filter((found) => found.value);
    expect(members.map((file) => file.path).filter((path) => !listed?.some((found) => found.target === path))).toEqual(
      [],
    );
    // Files, but none of the kind: then the rule above looks for the wrong thing.
    expect(members.length > 0 || inside.length === 0).toBe(true);
  });

  it('import neither a sibling nor the list', () => {
    const broken = members.flatMap((file) =>
      file.imports
        .filter(
          ({ target, value }) =>
            value &&
            (target === list ||
              members.some(
                (other) => other.path === target && memberOf(folder, other.path) !== memberOf(folder, file.path),
              )),
        )
        .map((found) => at(file, found)),
    );
    expect(broken).toEqual([]);
  });
});

/** A door lets people or programs in: a folder of app, or a file of its own. */
const DOOR_FILES = ['app/print.ts'];
/** Folders of app that are no doors: commands and slash commands are checked above, lab answers measurement. */
const NO_DOORS = ['app/commands', 'app/slash', 'app/lab'];
const doorOf = (path: string): string | undefined => {
  if (DOOR_FILES.includes(path)) return path;
  const folder = path.split('/').slice(0, 2).join('/');
  return path.startsWith('app/') && folder !== path && !NO_DOORS.includes(folder) ? folder : undefined;
};

describe('doors', () => {
  it('never import another door', () => {
    expect(
      importsThat(({ path }, { target, value }) => {
        const [from, to] = [doorOf(path), doorOf(target)];
        return value && from !== undefined && to !== undefined && from !== to;
      }),
    ).toEqual([]);
  });

  it('never import a tool, and call no model', () => {
    expect(
      importsThat(
        ({ path }, { target, value }) =>
          value && doorOf(path) !== undefined && (target.startsWith('core/tools/') || roomOf(target) === 'providers'),
      ),
    ).toEqual([]);
  });
});

describe('every source file', () => {
  const breaking = (breaks: (file: SourceFile) => boolean): string[] => files.filter(breaks).map((file) => file.path);

  it('can be read in one sitting', () => {
    expect(files.filter((file) => file.lines > 400).map((file) => `${file.path}: ${file.lines} lines`)).toEqual([]);
  });

  it('has a name in kebab-case that says what it is', () => {
    const vague = /^(utils?|helpers?|managers?|services?|common|misc)$/;
    const parts = (path: string) => path.replace(/\.d?\.?tsx?$/, '').split('/');
    expect(
      breaking(({ path }) =>
        parts(path).some((part) => vague.test(part) || part.split('-').some((word) => vague.test(word))),
      ),
    ).toEqual([]);
    expect(breaking(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)?\.tsx?$/.test(basename(path)))).toEqual([]);
  });

  it('has no default export, enum or namespace', () => {
    const banned = (node: ts.Node): boolean =>
      ts.isEnumDeclaration(node) ||
      ts.isExportAssignment(node) ||
      (ts.isModuleDeclaration(node) && ts.isIdentifier(node.name) && !(node.flags & ts.NodeFlags.GlobalAugmentation)) ||
      (ts.canHaveModifiers(node) &&
        !!ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword));
    expect(breaking((file) => file.tree.statements.some(banned))).toEqual([]);
  });

  it('does not know that it is being tested', () => {
    expect(
      breaking(({ text }) => /\b(VITEST|JEST_WORKER_ID|isTest(ing)?)\b|NODE_ENV\s*===?\s*['"]test/.test(text)),
    ).toEqual([]);
  });

  it('reads the environment only outside of providers', () => {
    expect(breaking(({ path, text }) => roomOf(path) === 'providers' && /process\.env\b/.test(text))).toEqual([]);
  });

  it('logs nothing from providers or core', () => {
    expect(
      breaking(
        ({ path, text }) => /^(providers|core)\//.test(path) && /\bconsole\.\w+\(|process\.std(out|err)\b/.test(text),
      ),
    ).toEqual([]);
  });
});

describe('the map', () => {
  const rooms = readdirSync(root, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !['node_modules', 'dist'].includes(entry.name),
    )
    .map((entry) => entry.name);

  it.each(['README.md', 'ARCHITECTURE.md'])('in %s names every room', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    expect(rooms.filter((room) => !new RegExp(`\\b${room}/`).test(text))).toEqual([]);
  });
});
