/** From the command line to what a session is composed of; used by every door that starts one itself. */
import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { ComposeOptions } from './compose.ts';
import type { Flags } from './flags.ts';
import { StartError } from './start-error.ts';

/** The working directory that `-C` or the shell names, absolute. */
export function workingDirectory(flags: Flags): string {
  let here: string;
  try {
    here = process.cwd();
  } catch {
    if (!flags.cwd || !isAbsolute(flags.cwd)) throw new StartError('the working directory no longer exists');
    here = '/';
  }
  if (!flags.cwd) return here;
  const cwd = resolve(here, flags.cwd);
  if (!isDirectory(cwd)) throw new StartError(`--cwd ${flags.cwd}: no such directory`);
  return cwd;
}

export function composeOptions(flags: Flags, cwd: string, env: NodeJS.ProcessEnv, headless: boolean): ComposeOptions {
  const directories = (flags['add-dir'] ?? []).map((dir) => {
    const path = resolve(cwd, dir);
    if (!isDirectory(path)) throw new StartError(`--add-dir ${dir}: no such directory`);
    return path;
  });
  return {
    cwd,
    env: flags['no-color'] ? { ...env, NO_COLOR: '1' } : env,
    model: fromHere(flags.model, cwd),
    mode: flags.mode,
    resume: flags.continue ? 'latest' : flags.resume === '' ? 'latest' : flags.resume,
    fork: flags.fork,
    sessionId: flags['session-id'],
    headless,
    maxTurns: flags['max-turns'],
    maxCost: flags['max-cost'],
    timeoutMs: flags.timeout === undefined ? undefined : Math.ceil(flags.timeout * 1000),
    allow: flags.allow ?? [],
    deny: flags.deny ?? [],
    allowedTools: flags['allowed-tools'],
    disallowedTools: flags['disallowed-tools'],
    appendSystemPrompt: flags['append-system-prompt'],
    directories,
    offline: flags.offline ?? false,
    noSkills: flags['no-skills'] ?? false,
    trust: flags.trust ?? false,
    effort: flags.reasoning,
  };
}

/** A recording that is named by a relative path lies in the working directory, as all such paths do. */
function fromHere(model: string | undefined, cwd: string): string | undefined {
  return model?.startsWith('replay:') ? `replay:${resolve(cwd, model.slice('replay:'.length))}` : model;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
