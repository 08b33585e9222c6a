import type { SlashCommand } from './command.ts';

export const clear: SlashCommand = {
  name: 'clear',
  aliases: ['new'],
  help: 'begin a new conversation; this one stays stored',
  run: (context) => context.open('new'),
};
