import type { SlashCommand } from './command.ts';

export const ask: SlashCommand = {
  name: 'ask',
  help: 'mode ask: changes need a yes',
  run(context) {
    context.send({ type: 'set', mode: 'ask' });
  },
};
