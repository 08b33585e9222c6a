import type { SlashCommand } from './command.ts';

export const compact: SlashCommand = {
  name: 'compact',
  help: 'make room now: older messages become a summary',
  argument: '[WHAT TO KEEP]',
  run(context, argument) {
    const keep = argument.trim();
    if (!context.session?.state.prompts.length) return context.say('info', 'nothing was said yet');
    context.send({ type: 'compact', ...(keep && { keep }) });
  },
};
