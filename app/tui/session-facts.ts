/** What tells stored conversations apart, besides their first words. */
import { statSync } from 'node:fs';
import type { SessionSummary } from '../../core/session-list.ts';
import { oneLine } from '../plain-text.ts';

/** `5 min ago · 12 kB · copy of "fix the tests" (0b3f…)`; `now` in ms since the epoch. */
export function sessionFacts(session: SessionSummary, all: readonly SessionSummary[], now: number): string {
  const bytes = statSync(session.file, { throwIfNoEntry: false })?.size;
  return [ago(now - session.mtime), bytes === undefined ? '' : size(bytes), copyOf(session, all)]
    .filter(Boolean)
    .join(' · ');
}

/** `copy of …`; '' for a conversation that is none. */
export function copyOf({ parent }: SessionSummary, all: readonly SessionSummary[]): string {
  if (parent === undefined) return '';
  const title = all.find(({ id }) => id === parent)?.title;
  return `copy of ${title === undefined ? parent : `“${oneLine(title, 30)}” ${parent}`}`;
}

const size = (bytes: number): string =>
  bytes < 999_500 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

function ago(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return `${Math.round(minutes / 1440)} days ago`;
}
