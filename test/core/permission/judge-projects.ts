/** Three projects under git in which commands are judged: without secrets, with an ignored one, and with a tracked one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type CommandVerdict, judgeCommand } from '../../../core/permission/judge-command.ts';
import type { Mode } from '../../../core/types.ts';

export type ProjectName = 'clean' | 'env' | 'tracked';

let base: string;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ada-projects-')));
  for (const name of ['clean', 'env', 'tracked'] as const) makeProject(name);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function makeProject(name: ProjectName): void {
  const project = join(base, name);
  for (const folder of ['src', 'lib', '.venv/bin']) mkdirSync(join(project, folder), { recursive: true });
  const files = {
    'src/a.js': 'x=1\n',
    'lib/b.js': 'y\n',
    'README.md': '# r\n',
    'body.md': 'b\n',
    'package.json': '{}',
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  writeFileSync(join(project, 'Makefile'), 'all:\n\ttrue\n');
  writeFileSync(join(project, '.venv/bin/activate'), '');
  writeFileSync(join(project, '.gitignore'), '.venv\n.env\n');
  if (name !== 'clean') writeFileSync(join(project, '.env'), 'KEY=abc\n');
  const git = (...args: string[]) => execFileSync('git', ['-C', project, ...args], { stdio: 'ignore' });
  git('init', '-q', '-b', 'master');
  git('add', '.');
  if (name === 'tracked') git('add', '-f', '.env');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first');
  git('branch', 'side');
}

export const projectPath = (name: ProjectName): string => join(base, name);

export function judgeIn(name: ProjectName, command: string, mode: Mode): Promise<CommandVerdict> {
  const project = projectPath(name);
  return judgeCommand(command, { cwd: project, project, home: join(base, 'home'), mode });
}
