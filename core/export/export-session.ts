/** A session in a form that leaves this machine: secrets are looked for once more. */
import type { StoredEvent } from '../types.ts';
import { toHtml } from './html.ts';
import { toMarkdown } from './markdown.ts';
import { type Outline, outlineOf } from './outline.ts';
import { redactedEvent } from './redacted.ts';
import { toReplay } from './replay.ts';

export const EXPORT_FORMATS = ['markdown', 'html', 'json', 'replay'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The whole text of `exported`. */
export const exportSession = (...given: Parameters<typeof exported>): string => [...exported(...given)].join('');

/**
 * In pieces, so that a session of any length takes little memory; the events are walked twice. `clean`: makes text from
 * outside harmless where people read it. JSON holds the whole log, also what was gone back over.
 */
export function* exported(
  events: Iterable<StoredEvent>,
  format: ExportFormat,
  clean: (text: string) => string,
): Generator<string> {
  const outline = outlineOf(events, redactedEvent);
  const safe = { [Symbol.iterator]: () => redacted(events) };
  switch (format) {
    case 'markdown':
      return yield* toMarkdown(safe, outline, clean);
    case 'html':
      return yield* toHtml(safe, outline, clean);
    case 'json':
      return yield* toJson(safe, outline);
    case 'replay':
      return yield* toReplay(safe, outline);
  }
}

function* redacted(events: Iterable<StoredEvent>): Generator<StoredEvent> {
  for (const event of events) yield redactedEvent(event);
}

/** One object, written as `JSON.stringify` does with two spaces. */
function* toJson(events: Iterable<StoredEvent>, { head }: Outline): Generator<string> {
  const { id, title, model, cost } = head;
  yield `${JSON.stringify({ id, title, model, cost }, null, 2).slice(0, -2)},\n  "events": [`;
  let between = '\n    ';
  for (const event of events) {
    yield between + JSON.stringify(event, null, 2).replaceAll('\n', '\n    ');
    between = ',\n    ';
  }
  yield between === '\n    ' ? ']\n}\n' : '\n  ]\n}\n';
}

/** By the ending of a file's name; undefined where it says nothing. */
export function formatOfFile(file: string): ExportFormat | undefined {
  if (/\.html?$/i.test(file)) return 'html';
  if (/\.jsonl$/i.test(file)) return 'replay';
  if (/\.json$/i.test(file)) return 'json';
  return /\.(md|markdown)$/i.test(file) ? 'markdown' : undefined;
}
