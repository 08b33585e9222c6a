/** `list_skills`: names and purposes of the skills, of one category or by category. */
import * as z from 'zod/mini';
import type { Tool } from '../types.ts';
import { defineTool } from './call/define-tool.ts';
import type { SkillSource } from './call/skill-source.ts';

/** Beyond so many skills only the categories are listed. */
const MOST_SKILLS = 60;

export const createListSkills = (skills: SkillSource): Tool<{ category?: string }> =>
  defineTool({
    name: 'list_skills',
    description: 'List the skills (instructions for kinds of work), of one category or all.',
    input: z.object({ category: z.optional(z.string()) }),
    kind: 'other',
    late: true,
    gate: () => ({ kind: 'none' }),
    title: ({ category }) => category ?? '',
    run: async ({ category }) => {
      const found = await skills.list(category);
      if (found.length === 0)
        return { output: category ? `There is no skill in ${category}.` : 'There are no skills.' };
      if (found.length <= MOST_SKILLS || category) {
        return { output: found.map(({ name, description }) => `${name}: ${description}`).join('\n') };
      }
      const counts = new Map<string, number>();
      for (const skill of found) counts.set(skill.category, (counts.get(skill.category) ?? 0) + 1);
      const rows = [...counts].map(([name, count]) => `${name || '(none)'}: ${count}`);
      return { output: `${found.length} skills. Name a category to list its skills:\n${rows.join('\n')}` };
    },
  });
