/** The project's own source files and what each imports, read with the TypeScript parser. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface Import {
  /** As written. */
  specifier: string;
  /** Path from the root for a file of the project, else the name of the package (`node:fs`, `ink`, `@scope/name`). */
  target: string;
  /** False for `import type`, `export type … from` and types written `import('…')`: nothing is loaded. */
  value: boolean;
  /** `import()`: loaded when it is reached. */
  dynamic: boolean;
  line: number;
}

export interface SourceFile {
  /** Path from the root, with slashes. */
  path: string;
  text: string;
  lines: number;
  imports: readonly Import[];
  tree: ts.SourceFile;
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const literal = (node: ts.Node | undefined): string | undefined =>
  node && ts.isStringLiteralLike(node) ? node.text : undefined;

/** With `verbatimModuleSyntax` an import is erased only when the whole statement is marked `type`. */
function readImports(path: string, tree: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node, specifier: string | undefined, value: boolean, dynamic = false): void => {
    if (specifier === undefined) return;
    const own = specifier.startsWith('.');
    const target = own ? posix.normalize(posix.join(posix.dirname(path), specifier)) : packageOf(specifier);
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    found.push({ specifier, target, value, dynamic, line });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node, literal(node.moduleSpecifier), !node.importClause?.isTypeOnly);
    else if (ts.isExportDeclaration(node)) add(node, literal(node.moduleSpecifier), !node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node, literal(node.argument.literal), false);
    else if (ts.isCallExpression(node)) {
      const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
      const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
      if (isImport || isRequire) add(node, literal(node.arguments[0]), true, true);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

export function parseSource(path: string, text: string): SourceFile {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, kind);
  return { path, text, lines: text.split('\n').length - 1, imports: readImports(path, tree), tree };
}

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else yield path;
  }
}

/** Every .ts and .tsx file of a room. `omit` names folders that hold data which only looks like source. */
export function sourcesOf(room: string, omit: readonly string[] = []): SourceFile[] {
  if (!existsSync(join(root, room))) return [];
  return [...walk(join(root, room))]
    .map((file) => relative(root, file).replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !omit.some((folder) => path.startsWith(`${folder}/`)))
    .sort()
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));
}

export const folderOf = (path: string): string => dirname(path);
