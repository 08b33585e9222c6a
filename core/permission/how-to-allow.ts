/** Says what a person can do about a call that was denied, so that no refusal is a dead end. */
import { resolve } from 'node:path';
import type { Access, Mode, Verdict } from '../types.ts';
import { escapeGlob } from './path-glob.ts';

export interface Denial {
  tool: string;
  access: Access;
  /** Where relative paths start. */
  cwd: string;
  mode: Mode;
  verdict: Verdict;
  /** Nobody could be asked: flags are named, else commands of the screen. */
  headless: boolean;
}

/** One clause for people: `to allow it: …`. */
export function howToAllow({ tool, access, cwd, mode, verdict, headless }: Denial): string {
  const where = headless ? 'settings or --deny' : 'settings';
  if (verdict.by === 'rule' && verdict.verdict === 'deny')
    return `to allow it, a person takes the rule ${verdict.rule} out of permissions.deny (${where})`;
  if (mode === 'plan')
    return headless
      ? 'to allow it, a person starts ada with --mode ask or --mode auto'
      : 'to allow it, a person leaves plan mode (/run carries the plan out, /ask and /auto switch)';
  // The same words in another folder are another command: no rule spells where it runs.
  const isAway = verdict.reasons.some((reason) => /^the working directory .* is outside the project$/.test(reason));
  const exact = isAway ? undefined : exactRule(tool, access, cwd);
  const ways: string[] = [];
  if (verdict.by === 'rule') ways.push(`takes the rule ${verdict.rule} out of permissions.ask`);
  else if (exact !== undefined) ways.push(`gives --allow ${quote(exact)} or puts that into permissions.allow`);
  const isMild = verdict.class === 'write' || verdict.class === 'unknown' || verdict.class === 'network';
  if (isMild && mode === 'ask') ways.push('starts ada with --mode auto');
  if (verdict.reasons.some((reason) => / is outside the project$/.test(reason)))
    ways.push('adds a folder with --add-dir');
  ways.push('works without --print, where ada can ask');
  return `to allow it, a person ${ways.join(', or ')}`;
}

/** The rule that allows this very call; undefined where no rule can spell it. */
export function exactRule(tool: string, access: Access, cwd: string): string | undefined {
  switch (access.kind) {
    case 'none':
      return tool;
    case 'network':
      return `${tool}(${access.host})`;
    case 'read':
    case 'write': {
      const [path] = access.paths;
      if (access.paths.length !== 1 || path === undefined) return undefined;
      return `${tool}(${escapeGlob(path.startsWith('~') ? path : resolve(cwd, path))})`;
    }
    case 'command': {
      const command = access.command.trim();
      return command === '' || command.includes('\n') || command.length > 500
        ? undefined
        : `bash(${command.replace(/[\\*]/g, '\\$&')})`;
    }
  }
}

/** For a shell. */
const quote = (text: string): string => `'${text.replace(/'/g, `'\\''`)}'`;
