/** What people read of a session, in order: what Markdown and HTML are made from. */
import type { Display, EventOf, StoredEvent } from '../types.ts';
import type { Outline } from './outline.ts';

export type Piece =
  | { kind: 'prompt'; text: string; steered: boolean; images: number }
  | { kind: 'answer'; text: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'call'; name: string; detail: string; output: string; isError: boolean; diff?: string }
  | { kind: 'summary'; text: string }
  | { kind: 'said'; level: 'info' | 'warning' | 'error'; text: string };

type Call = Extract<Piece, { kind: 'call' }>;

/** One after another; a call is held back, with what follows it, until its result is known. */
export function* piecesOf(events: Iterable<StoredEvent>, { ends, standing }: Outline): Generator<Piece> {
  const calls = new Map<string, { call: Call; end: number }>();
  const waiting: { piece: Piece; until: number }[] = [];
  for (const [at, event] of standing(events)) {
    if (event.type === 'tool_call') {
      const { id, name, detail = '' } = event;
      const call: Call = { kind: 'call', name, detail, output: '', isError: false };
      const end = ends.get(at) ?? at;
      calls.set(id, { call, end });
      waiting.push({ piece: call, until: end });
    } else if (event.type === 'tool_result') {
      const open = calls.get(event.id);
      if (open) Object.assign(open.call, { output: shown(event), isError: event.isError, diff: diffOf(event.display) });
      if (open && open.end <= at) calls.delete(event.id);
    } else for (const piece of saidBy(event)) waiting.push({ piece, until: at });
    while (waiting[0] && waiting[0].until <= at) yield waiting.shift()!.piece;
  }
  for (const { piece } of waiting) yield piece;
}

function saidBy(event: StoredEvent): Piece[] {
  switch (event.type) {
    case 'user': {
      const { text, steered = false, images } = event;
      return [{ kind: 'prompt', text, steered, images: images?.length ?? 0 }];
    }
    case 'assistant':
      return event.content.flatMap((part): Piece[] =>
        (part.type === 'text' || part.type === 'reasoning') && part.text.trim()
          ? [{ kind: part.type === 'text' ? 'answer' : 'reasoning', text: part.text }]
          : [],
      );
    case 'compaction':
      return event.summary ? [{ kind: 'summary', text: event.summary }] : [];
    case 'notice':
      return [{ kind: 'said', level: event.level, text: event.text }];
    case 'error':
      return [{ kind: 'said', level: 'error', text: event.message }];
    case 'done':
      return event.finish === 'aborted' || event.finish === 'limit'
        ? [{ kind: 'said', level: 'warning', text: `ended: ${event.finish}` }]
        : [];
    default:
      return [];
  }
}

const shown = ({ display, output }: EventOf<'tool_result'>): string =>
  display?.kind === 'terminal' ? display.output : display?.kind === 'text' ? display.text : output;

const diffOf = (display: Display | undefined): string | undefined =>
  display?.kind === 'diff' ? display.patch : undefined;
