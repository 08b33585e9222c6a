/** Patches with the folders that they must leave, byte for byte. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { patch } from '../../app/lab/patch.ts';

const CASES = fileURLToPath(new URL('../../../shared/cases/apply-patch/', import.meta.url));

function tree(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return Object.fromEntries(
    files
      .filter((file) => statSync(file).isFile())
      .sort()
      .map((file) => [relative(folder, file), readFileSync(file, 'latin1')]),
  );
}

describe.skipIf(!existsSync(CASES))('apply-patch', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'ada-patches-'));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));
  const names = existsSync(CASES) ? readdirSync(CASES).filter((name) => statSync(join(CASES, name)).isDirectory()) : [];
  it.each(names)('%s', async (name) => {
    const root = join(scratch, name);
    mkdirSync(root);
    const input = join(CASES, name, 'input');
    if (existsSync(input)) cpSync(input, root, { recursive: true });
    const outcome = await patch({ patch: readFileSync(join(CASES, name, 'patch.txt'), 'utf8'), root });
    expect(tree(root), JSON.stringify(outcome)).toEqual(tree(join(CASES, name, 'expected')));
  });
});
