/** Golden text files in test/fixtures/tui; `UPDATE_GOLDEN=1` rewrites them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../fixtures/tui');

export const fixture = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Lines as a file that a person can read: ESC shows as ␛, and a ruler tells the width. */
export function expectGolden(name: string, columns: number, lines: readonly string[]): void {
  const rows = [`${'-'.repeat(columns)}|`, ...lines.map((line) => line.replaceAll('\x1b', '␛'))];
  const text = `${rows.join('\n')}\n`;
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  expect(text).toBe(fixture(name));
}

/** Without the styles of our own renderer. */
export const bare = (line: string): string => line.replace(/\x1b\[[\d;]*m/g, '');
