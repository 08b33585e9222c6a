import type { SlashCommand } from './command.ts';

export const exit: SlashCommand = {
  name: 'exit',
  aliases: ['quit', 'q'],
  help: 'leave; ada -c goes on',
  run: (context) => context.exit(),
};
