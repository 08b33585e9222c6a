/** `use_skill`: loads a skill's instructions into the conversation. */
import * as z from 'zod/mini';
import type { Tool } from '../types.ts';
import { defineTool } from './call/define-tool.ts';
import type { SkillSource } from './call/skill-source.ts';

export const createUseSkill = (skills: SkillSource): Tool<{ name: string }> =>
  defineTool({
    name: 'use_skill',
    description: 'Load the instructions of a skill.',
    input: z.object({ name: z.string() }),
    kind: 'other',
    late: true,
    gate: () => ({ kind: 'none' }),
    title: ({ name }) => name,
    run: async ({ name }) => {
      const skill = await skills.load(name);
      if (!skill) {
        const near = (await skills.find(name)).slice(0, 3).map((found) => found.name);
        const help = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ' find_skill finds one by what it is for.';
        return { output: `There is no skill ${name}.${help}`, isError: true };
      }
      return {
        output: `Skill ${skill.name}. Relative paths in it start at ${skill.folder}.\n\n${skill.body}`,
        events: [{ type: 'skill', name: skill.name, reason: 'model' }],
      };
    },
  });
