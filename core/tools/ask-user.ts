/** `ask_user`: a question to the person who watches, for what only they can decide. */
import * as z from 'zod/mini';
import { defineTool } from './call/define-tool.ts';

const NOBODY = 'Nobody is there to answer. Decide yourself what is safe, or say what you need and stop.';

export const askUser = defineTool({
  name: 'ask_user',
  description: 'Ask the user what only they can decide; options: answers to choose from.',
  input: z.object({ question: z.string(), options: z.optional(z.array(z.string())) }),
  kind: 'other',
  late: true,
  gate: () => ({ kind: 'none' }),
  title: ({ question }) => question.split('\n', 1)[0]!.slice(0, 80),
  run: async ({ question, options }, context) => {
    const text = question.trim();
    if (text === '') return { output: 'The question is empty.', isError: true };
    const given = options?.map((option) => option.trim()).filter((option) => option !== '');
    const answer = await context.question?.({ text, ...(given?.length ? { options: given } : {}) });
    if (answer !== undefined) return { output: `The user answered: ${answer}` };
    if (context.signal.aborted) return { output: 'Interrupted before the user answered.', isError: true };
    return { output: NOBODY, isError: true };
  },
});
