import type { SlashCommand } from './command.ts';

export const auto: SlashCommand = {
  name: 'auto',
  help: 'mode auto: changes inside the project go ahead; what destroys still asks',
  run(context) {
    context.send({ type: 'set', mode: 'auto' });
  },
};
