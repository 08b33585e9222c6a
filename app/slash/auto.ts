import type { SlashCommand } from './command.ts';

/** `/auto` switches; `/auto TEXT` also sends the text. */
export const auto: SlashCommand = {
  name: 'auto',
  help: 'mode auto: changes inside the project go ahead; what destroys still asks',
  argument: '[TEXT]',
  run(context, argument) {
    const text = argument.trim();
    if (context.send({ type: 'set', mode: 'auto' }) && text) context.send({ type: 'prompt', text });
  },
};
