/** Skills: instructions in SKILL.md files that are listed by one line and read whole only when they are used. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseFrontMatter } from './front-matter.ts';
import { rank } from './rank.ts';
import { type Scan, scanSkills } from './scan.ts';
import type { SkillInfo, SkillOrigin, SkillSource } from './source.ts';

export type { Skill, SkillInfo, SkillMatch, SkillOrigin, SkillProblem, SkillSource } from './source.ts';

export interface LoadSkillsOptions {
  /** Folder of the skills that ship with ada. */
  builtin: string;
  adaHome: string;
  project: string;
  /** The project's own skills are read only when it is trusted. */
  trusted: boolean;
  /** Names that are switched off, `settings.skills.off`. */
  off?: readonly string[];
}

/**
 * A source over built-in < `$ADA_HOME/skills` < the project's `.agents/skills`, `.claude/skills`, `.ada/skills`
 * (CONTRACT, "Environment and files"). Touches no file before the first question; each folder is scanned once.
 */
export function loadSkills(options: LoadSkillsOptions): SkillSource {
  const roots: { folder: string; origin: SkillOrigin }[] = [
    { folder: options.builtin, origin: 'builtin' },
    { folder: join(options.adaHome, 'skills'), origin: 'user' },
  ];
  if (options.trusted) {
    for (const folder of ['.agents/skills', '.claude/skills', '.ada/skills']) {
      roots.push({ folder: join(options.project, folder), origin: 'project' });
    }
  }
  const off = new Set((options.off ?? []).map((name) => name.toLowerCase()));
  const scans = new Map<string, Scan>();
  let index: Map<string, SkillInfo> | undefined;

  const scan = (root: (typeof roots)[number]) => {
    let found = scans.get(root.folder);
    if (!found) scans.set(root.folder, (found = scanSkills(root.folder, root.origin)));
    return found;
  };
  const all = () => {
    if (index) return index;
    index = new Map();
    for (const root of roots) {
      for (const skill of scan(root).skills)
        if (!off.has(skill.name.toLowerCase())) index.set(skill.name.toLowerCase(), skill);
    }
    return index;
  };
  const sorted = () => [...all().values()].sort((a, b) => compare(a.category, b.category) || compare(a.name, b.name));

  return {
    list(category) {
      const wanted = category?.trim().toLowerCase();
      return wanted ? sorted().filter((skill) => skill.category.toLowerCase() === wanted) : sorted();
    },
    find: (query, limit) => rank(query, sorted(), limit).map(({ item, score }) => ({ ...item, score })),
    load(name) {
      // Models write a skill's name with spaces, underscores or its category in front.
      const key = name.trim().toLowerCase();
      const skill =
        all().get(key) ??
        all().get(
          key
            .split('/')
            .at(-1)!
            .replace(/[\s_]+/g, '-'),
        );
      if (!skill) return undefined;
      const text = readFileSync(skill.file, 'utf8');
      return {
        ...skill,
        body: text.slice(parseFrontMatter(text).bodyStart).replace(/\r\n/g, '\n').trim(),
        folder: dirname(skill.file),
      };
    },
    problems: (everything) =>
      roots.filter((root) => everything || root.origin !== 'builtin').flatMap((root) => scan(root).problems),
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
