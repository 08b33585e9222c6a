import type { SlashCommand } from './command.ts';

/** `/plan` switches; `/plan TEXT` also sends the text. */
export const plan: SlashCommand = {
  name: 'plan',
  help: 'mode plan: nothing is changed; /run carries the plan out',
  argument: '[TEXT]',
  run(context, argument) {
    const text = argument.trim();
    if (context.send({ type: 'set', mode: 'plan' }) && text) context.send({ type: 'prompt', text });
  },
};
