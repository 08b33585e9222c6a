/** Stored conversations as lines of text, one each. */
import type { SessionSummary } from '../core/session-list.ts';
import type { Found } from '../core/session-search.ts';
import { localMinute } from './local-minute.ts';
import { oneLine } from './plain-text.ts';

/** `all`: where the titles of those that they are copies of are looked for. */
export function listText(
  sessions: readonly (SessionSummary & { found?: Omit<Found, 'session'> })[],
  project: string,
  all: readonly SessionSummary[] = sessions,
): string {
  if (sessions.length === 0) return `no sessions in ${project} yet\n`;
  const costs = sessions.some((session) => session.costs) ? sessions.map(costText) : [];
  const width = costs.reduce((widest, text) => Math.max(widest, text.length), 0);
  const titles = sessions.some(({ parent }) => parent) ? new Map(all.map(({ id, title }) => [id, title])) : undefined;
  let text = '';
  for (const [i, { id, title, mtime, parent, found }] of sessions.entries()) {
    const cost = costs[i] === undefined ? '' : `${costs[i].padStart(width)}  `;
    text += `${id}  ${localMinute(mtime)}  ${cost}${shownTitle(title)}`;
    if (parent) {
      const origin = titles?.get(parent);
      text += `  (copy of ${origin === undefined || origin === title ? '' : `“${oneLine(origin, 30)}” `}${oneLine(parent)})`;
    }
    text += found ? `\n    ${foundText(found)}\n` : '\n';
  }
  return text;
}

/** Empty where nothing is known. */
function costText({ costs }: SessionSummary): string {
  if (!costs) return '';
  const sum = Object.values(costs).reduce((total, cost) => total + cost, 0);
  return `$${sum.toFixed(sum > 0 && sum < 0.1 ? 4 : 2)}`;
}

const foundText = ({ count, who, around, isGone }: Omit<Found, 'session'>): string =>
  `${count === 1 ? '' : `${count}×  `}${isGone ? 'gone back over  ' : ''}${who}: ${oneLine(around, 120)}`;

const TITLE_WIDTH = 80;
/** Most titles can be shown as they are. */
const SIMPLE = /^[!-~]+(?: [!-~]+)*$/;

export const shownTitle = (title: string): string =>
  title.length <= TITLE_WIDTH && SIMPLE.test(title) ? title : oneLine(title, TITLE_WIDTH);
