import type { SessionSummary } from '../../core/session-list.ts';
import { localMinute } from '../local-minute.ts';
import { oneLine } from '../plain-text.ts';
import { copyOf } from '../tui/session-facts.ts';
import type { SlashCommand, SlashContext } from './command.ts';

export const sessions: SlashCommand = {
  name: 'sessions',
  help: 'stored conversations of this project; with a text: those in which it was said or run',
  argument: '[TEXT]',
  run(context, argument) {
    const found = context.listSessions();
    if (argument.trim() !== '') return search(context, found, argument.trim());
    if (found.length === 0) return context.say('info', 'no stored conversation in this project yet');
    const items = found.map((session) => {
      const { id, title, mtime } = session;
      const copy = copyOf(session, found);
      const here = id === context.session?.id ? 'this one  ' : '';
      return {
        label: oneLine(title, 60),
        // The end of a row is cut in a narrow window.
        detail: `${here}${localMinute(mtime)}  ${id}${copy && `  ${copy}`}`,
        value: id,
      };
    });
    const title = 'Sessions (Enter goes on with one; /sessions TEXT looks for what was said)';
    context.show({ kind: 'pick', title, items, filter: '', selected: 0, command: 'resume' });
  },
};

async function search(context: SlashContext, all: readonly SessionSummary[], text: string): Promise<void> {
  const { searchSessions } = await import('../../core/session-search.ts');
  const found = searchSessions(all, text);
  if (found.length === 0) return context.say('info', `no conversation holds “${oneLine(text, 60)}”`);
  const rows = found.map(({ session, ...hit }) => {
    const here = session.id === context.session?.id ? 'this one  ' : '';
    const copy = copyOf(session, all);
    return {
      ...session,
      ...hit,
      label: oneLine(session.title, 40),
      facts: `${here}${localMinute(session.mtime)}`,
      copy,
    };
  });
  const items = rows.map(({ id, label, facts, copy, count, who, around, isGone }) => {
    const hit = `${count === 1 ? '' : `${count}×  `}${isGone ? 'gone back over  ' : ''}${who}: ${oneLine(around, 120)}`;
    // Where nothing else tells two apart, their ids come first.
    const isAlone = rows.filter((row) => row.label === label && row.facts === facts).length === 1;
    const parts = isAlone ? [facts, copy && 'copy', hit, copy, id] : [facts, id, copy && 'copy', hit, copy];
    return { label, detail: parts.filter(Boolean).join('  '), value: id };
  });
  const title = `“${oneLine(text, 40)}” (Enter goes on with it)`;
  context.show({ kind: 'pick', title, items, filter: '', selected: 0, command: 'resume' });
}
