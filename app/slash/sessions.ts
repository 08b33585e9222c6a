import { oneLine } from '../plain-text.ts';
import { copyOf } from '../tui/session-facts.ts';
import type { SlashCommand } from './command.ts';

export const sessions: SlashCommand = {
  name: 'sessions',
  help: 'stored conversations of this project',
  run(context) {
    const found = context.listSessions();
    if (found.length === 0) return context.say('info', 'no stored conversation in this project yet');
    const lines = found.map((session) => {
      const { id, title, mtime } = session;
      const copy = copyOf(session, found);
      const here = id === context.session?.id ? '*' : ' ';
      return `${here} ${id}  ${localTime(mtime)}  ${oneLine(title, 80)}${copy && ` (${copy})`}`;
    });
    const text = lines.join('\n');
    context.show({ kind: 'text', title: 'Sessions (/resume ID goes on with one)', text, offset: 0, format: 'plain' });
  },
};

/** To the minute, sortable. */
function localTime(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace('T', ' ');
}
