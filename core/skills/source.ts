/** The words of skills: what the tools and the `skills` command are given. */

/** Where a skill comes from; of two with one name the later in this order is used. */
export type SkillOrigin = 'builtin' | 'user' | 'project';

export interface SkillInfo {
  name: string;
  /** Folder above the skill's own, or empty. */
  category: string;
  /** One line: what it does and when to use it. */
  description: string;
  origin: SkillOrigin;
  /** Path of its SKILL.md. */
  file: string;
}

export interface SkillMatch extends SkillInfo {
  /** Above 0; comparable within one answer only. */
  score: number;
}

export interface Skill extends SkillInfo {
  /** The instructions, without front matter. */
  body: string;
  /** Folder that relative paths in the body start from. */
  folder: string;
}

/** Something in a skill's file that was read with forgiveness, or not at all. */
export interface SkillProblem {
  file: string;
  /** 1-based; null when it concerns the whole file. */
  line: number | null;
  message: string;
}

export interface SkillSource {
  /** Sorted by category, then name. */
  list(category?: string): readonly SkillInfo[];
  /** The skills that share words with `query`, best first. */
  find(query: string, limit?: number): readonly SkillMatch[];
  /** Undefined when no skill has that name, in any case of letters. Throws when its file can no longer be read. */
  load(name: string): Skill | undefined;
  /** What is wrong in the files of the person and the project, and with `all` in the built-in ones. */
  problems(all?: boolean): readonly SkillProblem[];
}
