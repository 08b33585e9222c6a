/** `find_skill`: the skills that fit a task. */
import * as z from 'zod/mini';
import type { Tool } from '../types.ts';
import { defineTool } from './call/define-tool.ts';
import type { SkillSource } from './call/skill-source.ts';

const MOST_FOUND = 8;

export const createFindSkill = (skills: SkillSource): Tool<{ query: string }> =>
  defineTool({
    name: 'find_skill',
    description: 'Find skills that fit a task.',
    input: z.object({ query: z.string() }),
    kind: 'search',
    late: true,
    gate: () => ({ kind: 'none' }),
    title: ({ query }) => query,
    run: async ({ query }) => {
      const found = (await skills.find(query)).slice(0, MOST_FOUND);
      if (found.length === 0) return { output: 'No skill fits.' };
      const rows = found.map(({ name, description }) => `${name}: ${description}`);
      return { output: `${rows.join('\n')}\n(load one with use_skill)` };
    },
  });
