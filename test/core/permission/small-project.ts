/** A project with a secret and a few files, made anew, in which commands are judged. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { judgeCommand } from '../../../core/permission/judge-command.ts';

/** Its folder, a home folder beside it, and how a command is judged there in auto mode; both go with the tests of the file. */
export function makeSmallProject() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ada-small-')));
  const project = join(base, 'project');
  const home = join(base, 'home');
  for (const folder of [join(project, 'src'), join(project, '.git'), home]) mkdirSync(folder, { recursive: true });
  const files = { '.env': 'KEY=v', 'body.json': '{}', 'README.md': 'x', 'src/a.ts': 'x', cfg: 'x' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), `${text}\n`);
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  const verdict = async (command: string) =>
    (await judgeCommand(command, { cwd: project, project, home, mode: 'auto' })).verdict;
  return { project, home, verdict };
}
