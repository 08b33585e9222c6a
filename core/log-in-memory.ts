/** The log of a session that can be written nowhere: it lives as long as the process, and says so. */
import type { SessionLog } from './store.ts';
import { stored } from './store.ts';
import type { StoredBody, StoredEvent } from './types.ts';

/** `file`: where it would lie. `earlier`: what it goes on from. `why` nothing is written, as half a sentence. */
export function logInMemory(
  { id, file }: Pick<SessionLog, 'id' | 'file'>,
  earlier: readonly StoredEvent[],
  why: string,
): SessionLog {
  const events = [...earlier];
  const openedAt = events.at(-1)?.seq ?? 0;
  let isOpen = true;
  return {
    id,
    file,
    openedAt,
    recent: events,
    failure: why,
    read: (fromSeq = 1) => events.slice(events.findLastIndex(({ seq }) => seq < fromSeq) + 1),
    append(body: StoredBody): readonly StoredEvent[] {
      if (!isOpen) throw new Error('the session is closed');
      const { event } = stored(body, (events.at(-1)?.seq ?? 0) + 1);
      events.push(event);
      return [event];
    },
    stay: () => [],
    sync: () => [],
    close() {
      isOpen = false;
    },
  };
}
