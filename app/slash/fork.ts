import type { SlashCommand } from './command.ts';

export const fork: SlashCommand = {
  name: 'fork',
  help: 'go on in a copy; this conversation stays as it is',
  async run(context) {
    const { session } = context;
    if (!session?.state.prompts.length) return context.say('info', 'nothing was said yet');
    if (session.state.running) return context.say('error', 'a turn is running; it must end, or be interrupted, first');
    const { id } = session;
    await context.open({ resume: id, fork: true });
    context.say('info', `this is a copy; the original is ${id} (/resume ${id} goes back)`);
  },
};
