/** The tools that ada brings, in the order in which models see them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '../types.ts';
import { applyPatch } from './apply-patch.ts';
import { askUser } from './ask-user.ts';
import { createBackground } from './background.ts';
import { type BashOptions, createBash } from './bash.ts';
import type { SkillSource } from './call/skill-source.ts';
import { editFile } from './edit-file.ts';
import { createFindSkill } from './find-skill.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { createListSkills } from './list-skills.ts';
import { ls } from './ls.ts';
import { readFile } from './read-file.ts';
import type { Job } from './shell/job.ts';
import { updateTodos } from './update-todos.ts';
import { createUseSkill } from './use-skill.ts';
import { useTool } from './use-tool.ts';
import { writeFile } from './write-file.ts';

export { canCall, type ResolvedCall, resolveCall } from './call/resolve-call.ts';
export type { SkillBody, SkillLine, SkillSource } from './call/skill-source.ts';
export type { Job };

/** Ends everything that `bash` started in the session of this memory; to be called when the session closes. */
export async function endJobs(memory: Map<string, unknown>): Promise<void> {
  // Without the key no command ran, and the shell is not loaded only to say so.
  if (memory.has('shell')) await (await import('./shell/shell-state.ts')).endJobs(memory);
}

/** What `bash` left running in the session of this memory. */
export async function listJobs(memory: Map<string, unknown>): Promise<readonly Job[]> {
  return memory.has('shell') ? (await import('./shell/shell-state.ts')).listJobs(memory) : [];
}

/** Ends what adas that were killed in this project left running; `stateDir` is the project's. Gives how many processes. */
export async function endSurvivors(stateDir: string): Promise<number> {
  if (!existsSync(join(stateDir, 'shells'))) return 0;
  return (await import('./shell/survivors.ts')).endSurvivors(stateDir);
}

/** The tools whose schemas are in every request. */
export function coreTools(options: Partial<BashOptions> = {}): readonly Tool[] {
  const bash = createBash({ ...options, env: options.env ?? process.env });
  return [readFile, writeFile, editFile, bash, ls, glob, grep, updateTodos, useTool];
}

/** The tools that are named in one line each and reached through `use_tool`. */
export function lateTools({ skills, ...options }: { skills?: SkillSource } & Partial<BashOptions>): readonly Tool[] {
  const background = createBackground({ ...options, env: options.env ?? process.env });
  return [
    applyPatch,
    askUser,
    background,
    ...(skills ? [createListSkills(skills), createFindSkill(skills), createUseSkill(skills)] : []),
  ];
}
