/** The last line of a door: how to go on with what is left. */
import type { Session } from '../../core/session.ts';

/** '' where nothing was said and nothing is half written. */
export function farewell({ id, state }: Pick<Session, 'id' | 'state'>, draft: string): string {
  if (state.title !== '') return `To go on with this conversation: ada -r ${id}\n`;
  return draft === '' ? '' : `To go on with this draft: ada -r ${id}\n`;
}
