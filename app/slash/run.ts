import type { SlashCommand } from './command.ts';

export const run: SlashCommand = {
  name: 'run',
  help: 'leave plan mode and carry the plan out',
  run(context) {
    const { session } = context;
    if (session?.state.running) return context.say('error', 'a turn is running; it must end, or be interrupted, first');
    if (session?.state.mode === 'plan') context.send({ type: 'set', mode: context.workingMode });
    context.send({ type: 'prompt', text: 'Carry out the plan.' });
  },
};
