import { oneLine } from '../plain-text.ts';
import { sessionFacts } from '../tui/session-facts.ts';
import type { SlashCommand } from './command.ts';

export const resume: SlashCommand = {
  name: 'resume',
  help: 'go on with a stored conversation',
  argument: '[ID]',
  async run(context, argument) {
    const id = argument.trim();
    if (id) return context.open({ resume: id });
    const all = context.listSessions();
    const found = all.filter((session) => session.id !== context.session?.id);
    if (found.length === 0) return context.say('info', 'no other conversation in this project yet');
    const now = Date.now();
    const items = found.map((session) => ({
      label: oneLine(session.title, 60),
      detail: `${sessionFacts(session, all, now)}  ${session.id}`,
      value: session.id,
    }));
    context.show({ kind: 'pick', title: 'Go on with', items, filter: '', selected: 0, command: 'resume' });
  },
};
