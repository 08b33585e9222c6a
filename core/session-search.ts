/** Full-text search through stored sessions: names, prompts, answers, calls with all their arguments, and results. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { foldText, placeBeforeFolding } from './fold-text.ts';
import { linesOf } from './log-lines.ts';
import { recordIn } from './log-record.ts';
import { termsOf } from './search-query.ts';
import type { SessionSummary } from './session-list.ts';
import type { StoredEvent } from './types.ts';
import { beginningOf, endingOf } from './well-formed.ts';

export interface Found {
  session: SessionSummary;
  /** Events that hold all the words, else those that hold some; where the conversation still has all, of those alone. */
  count: number;
  /** The newest of them that holds the most: who said it, and the text around its first hit in one line. */
  who: 'name' | 'you' | 'ada' | 'call' | 'result';
  around: string;
  /** Not all is left in the conversation: some was gone back over, and the log alone keeps it. */
  isGone?: true;
}

/**
 * The sessions that hold every word of `query`, in their order. Words in double quotes are one; case, accents and other
 * forms of a character do not count (`foldText`). A log that cannot be read holds nothing.
 */
export function searchSessions(sessions: readonly SessionSummary[], query: string, most = 50): Found[] {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  const found: Found[] = [];
  for (const session of sessions) {
    if (found.length >= most) break;
    const hit = hitIn(session.file, terms);
    if (hit) found.push({ session, ...hit });
  }
  return found;
}

/** An event that holds some of the words. */
interface Hit {
  seq: number;
  /** Places in the list of words. */
  held: readonly number[];
  who: Found['who'];
  around: string;
}

const REWIND = '"type":"rewind"';

function hitIn(file: string, terms: readonly string[]): Omit<Found, 'session'> | undefined {
  // As they stand in a line of JSON, so that only lines which may hold one are parsed.
  const written = terms.map((term) => JSON.stringify(term).slice(1, -1));
  const hits: Hit[] = [];
  const rewinds: { seq: number; to: number }[] = [];
  try {
    const fd = openSync(file, 'r');
    try {
      for (const { text } of linesOf(fd, fstatSync(fd).size)) {
        const folded = foldText(text);
        const isRewind = text.includes(REWIND);
        if (!isRewind && !written.some((term) => folded.includes(term))) continue;
        const event = recordIn(text)?.event;
        if (event?.type === 'rewind') rewinds.push(event);
        const hit = event && hitOf(event, terms);
        if (hit) hits.push(hit);
      }
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
  const there = hits.filter(({ seq }) => !rewinds.some((rewind) => rewind.to <= seq && seq < rewind.seq));
  const found = bestOf(there, terms.length);
  if (found) return found;
  const gone = bestOf(hits, terms.length);
  return gone && { ...gone, isGone: true };
}

/** Undefined where they do not hold all the words together. */
function bestOf(hits: readonly Hit[], words: number): Omit<Found, 'session'> | undefined {
  if (new Set(hits.flatMap(({ held }) => held)).size < words) return undefined;
  const most = hits.reduce((highest, { held }) => Math.max(highest, held.length), 0);
  const best = hits.filter(({ held }) => held.length === most);
  const { who, around } = best.at(-1)!;
  return { count: most === words ? best.length : hits.length, who, around };
}

function hitOf(event: StoredEvent, terms: readonly string[]): Hit | undefined {
  const held = new Set<number>();
  let shown: (Said & { folded: string; holds: readonly number[] }) | undefined;
  for (const said of saidIn(event)) {
    const folded = foldText(said.text);
    const holds = terms.flatMap((term, i) => (folded.includes(term) ? [i] : []));
    for (const i of holds) held.add(i);
    if (holds.length > (shown?.holds.length ?? 0)) shown = { ...said, folded, holds };
  }
  if (!shown) return undefined;
  const { who, text, folded, holds } = shown;
  const places = holds.map((i) => ({ at: folded.indexOf(terms[i]!), length: terms[i]!.length }));
  const first = places.reduce((a, b) => (b.at < a.at ? b : a));
  const [from, to] = [first.at, first.at + first.length].map((at) => placeBeforeFolding(text, at));
  return { seq: event.seq, held: [...held], who, around: around(text, from!, to!) };
}

interface Said {
  who: Found['who'];
  text: string;
}

function saidIn(event: StoredEvent): Said[] {
  if (event.type === 'user') return [{ who: 'you', text: event.text }];
  if (event.type === 'title') return [{ who: 'name', text: event.text }];
  if (event.type === 'tool_call') return textsIn(event.input).map((text) => ({ who: 'call' as const, text }));
  if (event.type === 'tool_result') return [{ who: 'result', text: event.output }];
  if (event.type !== 'assistant') return [];
  return event.content.flatMap((part) => (part.type === 'text' ? [{ who: 'ada' as const, text: part.text }] : []));
}

/** Every text of the arguments of a call. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const BEFORE = 30;
const AFTER = 60;

function around(text: string, from: number, to: number): string {
  const before = endingOf(text.slice(0, from), BEFORE);
  const behind = beginningOf(text.slice(to), AFTER);
  const piece = `${before}${text.slice(from, to)}${behind}`.replace(/\s+/g, ' ').trim();
  return `${before.length < from ? '…' : ''}${piece}${to + behind.length < text.length ? '…' : ''}`;
}
