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
  // What pages all the same is answered (see pager-prompt.ts): no warning of the terminal, no wait at the end, one prompt.
  LESS: '-dEFX -Ps:$',
  MORE: '-e',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  EDITOR: 'true',
  VISUAL: 'true',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** The last ones make a command do another thing than its words say, which are what is judged. */
const DROPPED =
  'GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS FORCE_COLOR CLICOLOR_FORCE ADA_JOB CDPATH OLDPWD RIPGREP_CONFIG_PATH GREP_OPTIONS ACKRC ACK_OPTIONS LESSOPEN LESSCLOSE TAR_OPTIONS UNZIP UNZIPOPT ZIPOPT GIT_EXTERNAL_DIFF'.split(
    ' ',
  );

let quieted: { from: NodeJS.ProcessEnv; made: NodeJS.ProcessEnv } | undefined;

/**
 * Without the mark. Made once for each environment: copying the one of a process asks the C library for every variable,
 * which costs 0.1 ms.
 */
export function quietEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (quieted?.from === env) return quieted.made;
  const made = { ...env, ...QUIET };
  for (const name of DROPPED) delete made[name];
  quieted = { from: env, made };
  return made;
}

/** The value of `ADA_JOB`, which is found again in the environment of everything that a command starts. */
export const jobMark = (env: NodeJS.ProcessEnv, mark: string): string =>
  // One ada inside another: the outer one finds the children of the inner one too.
  env.ADA_JOB ? `${env.ADA_JOB} ${mark}` : mark;

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
