import { oneLine } from '../plain-text.ts';
import type { SlashCommand } from './command.ts';

const SCOPES = { session: 'this conversation', project: 'this project' } as const;

export const permissions: SlashCommand = {
  name: 'permissions',
  help: 'what was allowed always, and take it back',
  argument: '[RULE]',
  run(context, argument) {
    const rule = argument.trim();
    if (rule !== '') {
      if (context.session?.send({ type: 'forget', rule }).ok)
        context.say('info', `taken back: ${oneLine(rule, 200)} asks again`);
      else context.say('error', `nothing is allowed always as ${oneLine(rule, 200)}; /permissions lists the rules`);
      return;
    }
    const found = context.rules?.listRemembered() ?? [];
    if (found.length === 0)
      return context.say('info', 'nothing was allowed always; r on an approval does so, for calls like it');
    const items = found.map(({ rule: value, scope }) => ({
      label: oneLine(value, 120),
      detail: SCOPES[scope],
      value,
    }));
    const title = 'Allowed always (Enter takes back)';
    context.show({ kind: 'pick', title, items, filter: '', selected: 0, command: 'permissions' });
  },
};
