/** What people read of a session, in order: what Markdown and HTML are made from. */
import { withoutRewound } from '../rewound.ts';
import { costOf } from '../served.ts';
import { titleOf } from '../session-title.ts';
import type { Display, EventOf, StoredEvent } from '../types.ts';

export type Piece =
  | { kind: 'prompt'; text: string; steered: boolean; images: number }
  | { kind: 'answer'; text: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'call'; name: string; detail: string; output: string; isError: boolean; diff?: string }
  | { kind: 'summary'; text: string }
  | { kind: 'said'; level: 'info' | 'warning' | 'error'; text: string };

export interface Head {
  id: string;
  title: string;
  model: string;
  /** Of the first event, ms since the epoch; undefined for an empty log. */
  begun?: number;
  /** US dollars of all turns; null when nothing is known. */
  cost: number | null;
}

export function headOf(events: readonly StoredEvent[]): Head {
  const first = events.find((event): event is EventOf<'session'> & StoredEvent => event.type === 'session');
  let title = '';
  let model = first?.model ?? '';
  let cost: number | null = null;
  for (const event of events) {
    if (event.type === 'user' && title === '') title = titleOf(event.text);
    else if (event.type === 'title') title = event.text;
    else if (event.type === 'model') model = event.value;
    else if ((event.type === 'done' || event.type === 'compaction') && typeof event.usage?.cost === 'number')
      cost = Number(((cost ?? 0) + costOf(event)).toFixed(8));
  }
  return { id: first?.id ?? '', title: title || '(empty)', model, begun: events[0]?.time, cost };
}

export function piecesOf(events: readonly StoredEvent[]): Piece[] {
  const pieces: Piece[] = [];
  const calls = new Map<string, Extract<Piece, { kind: 'call' }>>();
  for (const event of withoutRewound(events)) {
    switch (event.type) {
      case 'user': {
        const { text, steered = false, images } = event;
        pieces.push({ kind: 'prompt', text, steered, images: images?.length ?? 0 });
        break;
      }
      case 'assistant':
        for (const part of event.content) {
          if ((part.type === 'text' || part.type === 'reasoning') && part.text.trim())
            pieces.push({ kind: part.type === 'text' ? 'answer' : 'reasoning', text: part.text });
        }
        break;
      case 'tool_call': {
        const { id, name, detail = '' } = event;
        const call = { kind: 'call' as const, name, detail, output: '', isError: false };
        calls.set(id, call);
        pieces.push(call);
        break;
      }
      case 'tool_result': {
        const call = calls.get(event.id);
        if (call) Object.assign(call, { output: shown(event), isError: event.isError, diff: diffOf(event.display) });
        break;
      }
      case 'compaction':
        if (event.summary) pieces.push({ kind: 'summary', text: event.summary });
        break;
      case 'notice':
        pieces.push({ kind: 'said', level: event.level, text: event.text });
        break;
      case 'error':
        pieces.push({ kind: 'said', level: 'error', text: event.message });
        break;
      case 'done':
        if (event.finish === 'aborted' || event.finish === 'limit')
          pieces.push({ kind: 'said', level: 'warning', text: `ended: ${event.finish}` });
        break;
    }
  }
  return pieces;
}

const shown = ({ display, output }: EventOf<'tool_result'>): string =>
  display?.kind === 'terminal' ? display.output : display?.kind === 'text' ? display.text : output;

const diffOf = (display: Display | undefined): string | undefined =>
  display?.kind === 'diff' ? display.patch : undefined;
