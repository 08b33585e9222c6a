/** Full-text search through stored sessions: names, prompts, answers, calls with all their arguments, and results. */
import { readFileSync } from 'node:fs';
import { parseLog, recordsOf } from './parse-log.ts';
import type { SessionSummary } from './session-list.ts';
import type { StoredEvent } from './types.ts';

export interface Found {
  session: SessionSummary;
  /** Events that hold the text; where the conversation still holds some, those alone. */
  count: number;
  /** The newest of them: who said it, and the text around the hit in one line. */
  who: 'name' | 'you' | 'ada' | 'call' | 'result';
  around: string;
  /** All of it was gone back over: the log keeps it, the conversation does not. */
  isGone?: true;
}

const BEFORE = 30;
const AFTER = 60;

/** `text` in any case, in these sessions and in their order. Gives up on a log that cannot be read. */
export function searchSessions(sessions: readonly SessionSummary[], text: string, most = 50): Found[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  // As it stands in a line of JSON, so that only lines which may hold it are parsed.
  const written = JSON.stringify(wanted).slice(1, -1);
  const found: Found[] = [];
  for (const session of sessions) {
    if (found.length >= most) break;
    let log: string;
    try {
      log = readFileSync(session.file, 'utf8');
    } catch {
      continue;
    }
    const hit = hitsIn(log, wanted, written);
    if (hit) found.push({ session, ...hit });
  }
  return found;
}

function hitsIn(log: string, wanted: string, written: string): Omit<Found, 'session'> | undefined {
  const lower = log.toLowerCase();
  // Few letters change their length with their case; where one does, places in the two texts differ.
  const text = lower.length === log.length ? log : lower;
  const hits = { there: 0, gone: 0 };
  const newest: { there?: Said; gone?: Said } = {};
  const isGone = goneOver(log);
  for (let at = lower.indexOf(written); at >= 0; ) {
    const start = lower.lastIndexOf('\n', at) + 1;
    const next = lower.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    const [event] = parseLog(Buffer.from(text.slice(start, end))).events;
    const said = event && saidIn(event).find((one) => one.text.toLowerCase().includes(wanted));
    if (said) {
      const where = isGone(event.seq) ? 'gone' : 'there';
      hits[where]++;
      newest[where] = said;
    }
    at = next < 0 ? -1 : lower.indexOf(written, next);
  }
  const where = newest.there ? 'there' : 'gone';
  const said = newest[where];
  if (!said) return undefined;
  const found = { count: hits[where], who: said.who, around: around(said.text, wanted) };
  return where === 'gone' ? { ...found, isGone: true } : found;
}

/** Whether the conversation went back over an event. Nearly no log has such a line, and only those are parsed. */
function goneOver(log: string): (seq: number) => boolean {
  const mark = '"type":"rewind"';
  if (!log.includes(mark)) return () => false;
  const rewinds = recordsOf(Buffer.from(log), 'rewind');
  return (seq) => rewinds.some((rewind) => rewind.to <= seq && seq < rewind.seq);
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

function around(text: string, wanted: string): string {
  const at = text.toLowerCase().indexOf(wanted);
  const [from, to] = [Math.max(0, at - BEFORE), at + wanted.length + AFTER];
  const piece = text.slice(from, to).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${piece}${to < text.length ? '…' : ''}`;
}
