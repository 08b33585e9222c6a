import type { SlashCommand } from './command.ts';

export const rename: SlashCommand = {
  name: 'rename',
  help: 'give this conversation a name',
  argument: 'TITLE',
  run(context, argument) {
    const title = argument.trim();
    if (title === '') return context.say('error', 'which name? /rename TITLE');
    if (context.send({ type: 'rename', title }))
      context.say('info', `this conversation is now “${context.session?.state.title}”`);
  },
};
