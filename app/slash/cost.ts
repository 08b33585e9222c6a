import { costText, sessionCost } from '../../core/session-cost.ts';
import type { SlashCommand } from './command.ts';

export const cost: SlashCommand = {
  name: 'cost',
  help: 'what this conversation has cost',
  run(context) {
    const { session } = context;
    const text = session && costText(sessionCost(session.stored()));
    context.say('info', text || 'nothing was answered yet');
  },
};
