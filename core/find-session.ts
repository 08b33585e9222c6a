/** Which stored session a person means: one rule for all who take an id, the beginning of one, or a title. */
import { foldText } from './fold-text.ts';
import type { SessionSummary } from './session-list.ts';

type Named = Pick<SessionSummary, 'id' | 'file'>;

/**
 * In this order: `latest`; an id or a file, whole; the beginning of one id alone; the whole title of one alone; the
 * beginning of one title alone. Titles are compared without case and accents. `several`: those that it could be.
 * `sessions`: newest first. `titled`: the same with their titles, asked for only where no id is meant.
 */
export function findSession(
  wanted: string,
  sessions: readonly Named[],
  titled: () => readonly SessionSummary[],
): { one: Named } | { several: readonly Named[] } {
  if (wanted === 'latest' && sessions[0]) return { one: sessions[0] };
  const exact = sessions.find(({ id, file }) => id === wanted || file === wanted);
  if (exact) return { one: exact };
  const word = foldText(wanted).trim();
  // An empty variable of a script means no session, least of all one to delete.
  if (word === '') return { several: [] };
  const begins = sessions.filter(({ id }) => id.startsWith(wanted));
  if (begins.length === 1) return { one: begins[0]! };
  const called = titled().map((session) => ({ session, title: foldText(session.title).trim() }));
  const those = (test: (title: string) => boolean) =>
    called.filter(({ title }) => test(title)).map(({ session }) => session);
  const whole = those((title) => title === word);
  if (whole.length === 1) return { one: whole[0]! };
  if (begins.length > 0) return { several: begins };
  if (whole.length > 0) return { several: whole };
  const titles = those((title) => title.startsWith(word));
  return titles.length === 1 ? { one: titles[0]! } : { several: titles };
}
