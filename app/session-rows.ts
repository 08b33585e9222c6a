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
  // Thousands of rows, by code that nobody compiles for speed: see `ada sessions list`.
  const costs: string[] = [];
  let width = 0;
  const titles = new Map<string, string>();
  for (const { costs: known, parent } of sessions) {
    const cost = known ? costText(known) : '';
    if (cost.length > width) width = cost.length;
    costs.push(cost);
    if (parent) titles.set(parent, '');
  }
  if (titles.size > 0) for (const { id, title } of all) if (titles.has(id)) titles.set(id, title);
  let text = '';
  let at = 0;
  for (const { id, title, mtime, parent, found } of sessions) {
    const cost = costs[at++]!;
    text += `${id}  ${localMinute(mtime)}  `;
    if (width > 0) text += `${cost.padStart(width)}  `;
    text += shownTitle(title);
    if (parent) text += copyText(parent, titles.get(parent)!, title);
    text += found ? `\n    ${foundText(found)}\n` : '\n';
  }
  return text;
}

/** `origin`: title of what it is a copy of; empty where that is gone. Nearly always both are called the same. */
const copyText = (parent: string, origin: string, title: string): string =>
  `  (copy of ${origin === '' || origin === title ? '' : `“${shownTitle(origin, 30)}” `}${shownTitle(parent)})`;

function costText(costs: Readonly<Record<string, number>>): string {
  let sum = 0;
  for (const day in costs) sum += costs[day]!;
  return `$${sum.toFixed(sum > 0 && sum < 0.1 ? 4 : 2)}`;
}

const foundText = ({ count, who, around, isGone }: Omit<Found, 'session'>): string =>
  `${count === 1 ? '' : `${count}×  `}${isGone ? 'gone back over  ' : ''}${who}: ${oneLine(around, 120)}`;

const TITLE_WIDTH = 80;
/** Most titles can be shown as they are. */
const SIMPLE = /^[!-~]+(?: [!-~]+)*$/;

export const shownTitle = (title: string, width = TITLE_WIDTH): string =>
  title.length <= width && SIMPLE.test(title) ? title : oneLine(title, width);
