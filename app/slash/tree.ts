import type { SessionSummary } from '../../core/session-list.ts';
import { oneLine } from '../plain-text.ts';
import type { SlashCommand } from './command.ts';

export const tree: SlashCommand = {
  name: 'tree',
  help: 'conversations of this project and their copies',
  run(context) {
    const found = context.listSessions();
    if (found.length === 0) return context.say('info', 'no stored conversation in this project yet');
    const text = branches(found, context.session?.id).join('\n');
    context.show({ kind: 'text', title: 'Tree (/resume ID goes on with one)', text, offset: 0, format: 'plain' });
  },
};

/** One line a session, copies below what they were made of. A parent that is gone makes a root. */
function branches(sessions: readonly SessionSummary[], here: string | undefined): string[] {
  const ids = new Set(sessions.map(({ id }) => id));
  const isRoot = ({ id, parent }: SessionSummary) => parent === undefined || parent === id || !ids.has(parent);
  const copies = new Map<string, SessionSummary[]>();
  for (const session of sessions)
    if (!isRoot(session)) copies.set(session.parent!, [...(copies.get(session.parent!) ?? []), session]);
  const lines: string[] = [];
  const shown = new Set<string>();
  const add = (session: SessionSummary, first: string, rest: string): void => {
    if (shown.has(session.id)) return;
    shown.add(session.id);
    const { id, title } = session;
    lines.push(`${first}${id === here ? '* ' : ''}${oneLine(title, 60)}  ${id}`);
    const below = [...(copies.get(id) ?? [])].reverse();
    for (const [i, copy] of below.entries()) {
      const isLast = i === below.length - 1;
      add(copy, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`);
    }
  };
  for (const session of sessions) if (isRoot(session)) add(session, '', '');
  // Logs that name each other as parents have no root.
  for (const session of sessions) add(session, '', '');
  return lines;
}
