import { oneLine } from '../plain-text.ts';
import type { SlashCommand } from './command.ts';

export const resume: SlashCommand = {
  name: 'resume',
  help: 'go on with a stored conversation',
  argument: '[ID]',
  async run(context, argument) {
    const id = argument.trim();
    if (id) return context.open({ resume: id });
    const found = context.listSessions().filter((session) => session.id !== context.session?.id);
    if (found.length === 0) return context.say('info', 'no other conversation in this project yet');
    const now = Date.now();
    const items = found.map((session) => ({
      label: oneLine(session.title, 60),
      detail: `${ago(now - session.mtime)}  ${session.id}`,
      value: session.id,
    }));
    context.show({ kind: 'pick', title: 'Go on with', items, filter: '', selected: 0, command: 'resume' });
  },
};

function ago(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return `${Math.round(minutes / 1440)} days ago`;
}
