/** Reads an event stream (WHATWG HTML, 9.2.6 "Interpreting an event stream"). */
import { createLineSplitter } from './lines.ts';

/** One event; `event` is `message` unless the stream names it, `id` is there when this event carries one. */
export interface SseEvent {
  event: string;
  data: string;
  id?: string;
}

export interface SseParser {
  /** The events that these bytes complete. */
  push(bytes: Uint8Array): SseEvent[];
  /**
   * An event that has data but no blank line at the end of the stream. The standard discards it; a reader of models
   * may want it, for some servers end with `data: [DONE]` and nothing more.
   */
  rest(): SseEvent | undefined;
}

export function createSseParser(): SseParser {
  const splitter = createLineSplitter();
  let event = '';
  let id: string | undefined;
  let data: string | undefined;

  const line = (text: string): void => {
    // By far the most frequent line, and the reason for this shortcut.
    if (text.startsWith('data: ')) {
      data = data === undefined ? text.slice(6) : `${data}\n${text.slice(6)}`;
      return;
    }
    const colon = text.indexOf(':');
    if (colon === 0) return;
    const name = colon < 0 ? text : text.slice(0, colon);
    let value = colon < 0 ? '' : text.slice(colon + 1);
    if (value.charCodeAt(0) === 32) value = value.slice(1);
    if (name === 'data') data = data === undefined ? value : `${data}\n${value}`;
    else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
  };

  const dispatch = (): SseEvent | undefined => {
    const found: SseEvent | undefined = data === undefined ? undefined : { event: event || 'message', data };
    if (found && id !== undefined) found.id = id;
    event = '';
    id = undefined;
    data = undefined;
    return found;
  };

  return {
    push(bytes) {
      const events: SseEvent[] = [];
      for (const text of splitter.push(bytes)) {
        if (text !== '') line(text);
        else {
          const found = dispatch();
          if (found) events.push(found);
        }
      }
      return events;
    },
    rest() {
      const tail = splitter.rest();
      if (tail) line(tail);
      return dispatch();
    },
  };
}

/** All events of a whole stream given in pieces; an unfinished last one is discarded, as the standard says. */
export function parseSse(chunks: Iterable<Uint8Array>): SseEvent[] {
  const parser = createSseParser();
  const events: SseEvent[] = [];
  for (const chunk of chunks) events.push(...parser.push(chunk));
  return events;
}

/**
 * The payloads of a model's event stream: the `data` of the events of one socket read at a time, empty ones left out.
 * An event named `error` always yields an object with an `error` field. A last event without its blank line counts
 * when it is whole, for some servers end with `data: [DONE]` and nothing more.
 */
export async function* readSse(reads: AsyncIterable<Uint8Array>): AsyncGenerator<string[], void, undefined> {
  const parser = createSseParser();
  for await (const bytes of reads) {
    const batch: string[] = [];
    for (const event of parser.push(bytes))
      if (event.data !== '') batch.push(event.event === 'error' ? asError(event.data) : event.data);
    if (batch.length) yield batch;
  }
  const last = parser.rest();
  if (last && (last.data === '[DONE]' || parsed(last.data) !== undefined)) yield [last.data];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asError(data: string): string {
  const value = parsed(data);
  const named = typeof value === 'object' && value !== null && 'error' in value;
  return named ? data : JSON.stringify({ error: value ?? data });
}
