/** What an instance's tests need from this machine. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runChild } from './child.ts';
import { WorkspaceError } from './workspace.ts';

export interface EnvironmentOptions {
  /** Folder that is filled and that the caller removes. */
  scratch: string;
  env: NodeJS.ProcessEnv;
  timeoutSeconds: number;
  signal?: AbortSignal;
}

/**
 * Environments to try the tests in, most likely first: for pytest one for each Python that has it, with the checkout
 * on its path; for Node.js the installed dependencies. Throws WorkspaceError when there is none.
 */
export async function testEnvironments(
  folder: string,
  command: string,
  options: EnvironmentOptions,
): Promise<NodeJS.ProcessEnv[]> {
  const env: NodeJS.ProcessEnv = { ...options.env, PYTHONDONTWRITEBYTECODE: '1', CI: '1', NO_COLOR: '1' };
  if (/\bpytest\b/.test(command)) {
    const pythons = findPythons(env);
    if (pythons.length === 0) throw new WorkspaceError('no Python with pytest on this machine');
    env.PYTHONPATH = ['src', 'lib', '.']
      .map((part) => join(folder, part))
      .filter((part) => existsSync(part))
      .join(delimiter);
    return pythons.map((python, index) => {
      // The command says `python`, which some machines call otherwise.
      const bin = join(options.scratch, `python-${index}`);
      mkdirSync(bin, { recursive: true });
      symlinkSync(python, join(bin, 'python'));
      return { ...env, PATH: `${bin}${delimiter}${env.PATH ?? ''}` };
    });
  }
  if (existsSync(join(folder, 'package.json')) && !existsSync(join(folder, 'node_modules'))) {
    await installPackages(folder, options);
  }
  return [env];
}

function findPythons(env: NodeJS.ProcessEnv): string[] {
  const found = new Set<string>();
  for (const name of ['python', 'python3', '/usr/bin/python3']) {
    try {
      // sys.executable keeps a virtual environment, which following links by hand would lose.
      const script = 'import sys, pytest; print(sys.executable)';
      found.add(
        execFileSync(name, ['-c', script], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(),
      );
    } catch {
      // no such Python, or it has no pytest
    }
  }
  return [...found];
}

async function installPackages(folder: string, options: EnvironmentOptions) {
  const install = existsSync(join(folder, 'package-lock.json')) ? ['ci'] : ['install', '--no-save'];
  let last = '';
  const { code } = await runChild('npm', [...install, '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    env: options.env,
    timeoutMs: options.timeoutSeconds * 1000,
    signal: options.signal,
    onLine: (line) => {
      last = line.trim() || last;
    },
  });
  if (code !== 0) throw new WorkspaceError(`npm ${install[0]} failed: ${last}`);
}
