import type { Mode } from '../../core/types.ts';
import type { SlashCommand } from './command.ts';

const MODES: Readonly<Record<Mode, string>> = {
  ask: 'changes need a yes',
  plan: 'nothing is changed',
  auto: 'changes inside the project go ahead; what destroys still asks',
};

const isMode = (word: string): word is Mode => Object.hasOwn(MODES, word);

export const mode: SlashCommand = {
  name: 'mode',
  help: 'switch the mode',
  argument: '[ask|plan|auto]',
  run(context, argument) {
    const wanted = argument.trim();
    if (isMode(wanted)) context.send({ type: 'set', mode: wanted });
    else if (wanted !== '') context.say('error', `there is no mode ${wanted}: ask, plan or auto`);
    else {
      const items = Object.entries(MODES).map(([value, detail]) => ({ label: value, detail, value }));
      const selected = Math.max(
        0,
        items.findIndex(({ value }) => value === context.session?.state.mode),
      );
      context.show({ kind: 'pick', title: 'Mode', items, filter: '', selected, command: 'mode' });
    }
  },
};
