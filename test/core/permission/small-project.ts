/** A project with a secret and a few files, made anew, in which commands are judged. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Its folder, and a home folder beside it; both go with the tests of the file. */
export function makeSmallProject(): { project: string; home: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ada-small-')));
  const project = join(base, 'project');
  const home = join(base, 'home');
  for (const folder of [join(project, 'src'), join(project, '.git'), home]) mkdirSync(folder, { recursive: true });
  const files = { '.env': 'KEY=v', 'body.json': '{}', 'README.md': 'x', 'src/a.ts': 'x', cfg: 'x' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), `${text}\n`);
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  return { project, home };
}
