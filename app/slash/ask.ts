import type { SlashCommand } from './command.ts';

/** `/ask` switches; `/ask TEXT` also sends the text. */
export const ask: SlashCommand = {
  name: 'ask',
  help: 'mode ask: changes need a yes',
  argument: '[TEXT]',
  run(context, argument) {
    const text = argument.trim();
    if (context.send({ type: 'set', mode: 'ask' }) && text) context.send({ type: 'prompt', text });
  },
};
