/** The last line of a door: how to go on with what is left. */
import { existsSync } from 'node:fs';
import type { Session } from '../../core/session.ts';

/** '' where nothing was said and nothing is half written, and where no file holds it. */
export function farewell({ id, file, state }: Pick<Session, 'id' | 'file' | 'state'>, draft: string): string {
  if (!existsSync(file)) return '';
  if (state.title !== '') return `To go on with this conversation: ada -r ${id}\n`;
  return draft === '' ? '' : `To go on with this draft: ada -r ${id}\n`;
}
