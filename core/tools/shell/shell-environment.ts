/** The environment of commands: nothing may wait for a person, draw, or page. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const QUIET: NodeJS.ProcessEnv = {
  TERM: 'dumb',
  COLUMNS: '200',
  NO_COLOR: '1',
  PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  EDITOR: 'true',
  VISUAL: 'true',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
};

const DROPPED = ['GIT_ASKPASS', 'SSH_ASKPASS', 'SUDO_ASKPASS', 'FORCE_COLOR', 'CLICOLOR_FORCE', 'ADA_JOB'];

/** `mark` is found again in the environment of everything that the command starts. */
export function shellEnvironment(env: NodeJS.ProcessEnv, mark: string): NodeJS.ProcessEnv {
  const made = { ...env, ...QUIET };
  for (const name of DROPPED) delete made[name];
  // One ada inside another: the outer one finds the children of the inner one too.
  made.ADA_JOB = env.ADA_JOB ? `${env.ADA_JOB} ${mark}` : mark;
  return made;
}

let found: { path: string | undefined; shell: string } | undefined;

/** bash where there is one, else sh. */
export function findShell(env: NodeJS.ProcessEnv): string {
  if (found?.path !== env.PATH || !found) found = { path: env.PATH, shell: lookForShell(env) };
  return found.shell;
}

function lookForShell(env: NodeJS.ProcessEnv): string {
  const inPath = (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, 'bash'));
  return ['/bin/bash', '/usr/bin/bash', ...inPath].find(runnable) ?? '/bin/sh';
}

function runnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
