/** A session in a form that leaves this machine: secrets are looked for once more. */
import type { StoredEvent } from '../types.ts';
import { toHtml } from './html.ts';
import { toMarkdown } from './markdown.ts';
import { headOf } from './pieces.ts';
import { redactedEvents } from './redacted.ts';
import { toReplay } from './replay.ts';

export const EXPORT_FORMATS = ['markdown', 'html', 'json', 'replay'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** `clean`: makes text from outside harmless where people read it. JSON holds the whole log, also what was gone back over. */
export function exportSession(
  events: readonly StoredEvent[],
  format: ExportFormat,
  clean: (text: string) => string,
): string {
  const safe = redactedEvents(events);
  switch (format) {
    case 'markdown':
      return toMarkdown(safe, clean);
    case 'html':
      return toHtml(safe, clean);
    case 'json': {
      const { id, title, model, cost } = headOf(safe);
      return `${JSON.stringify({ id, title, model, cost, events: safe }, null, 2)}\n`;
    }
    case 'replay':
      return toReplay(safe);
  }
}

/** By the ending of a file's name; undefined where it says nothing. */
export function formatOfFile(file: string): ExportFormat | undefined {
  if (/\.html?$/i.test(file)) return 'html';
  if (/\.jsonl$/i.test(file)) return 'replay';
  if (/\.json$/i.test(file)) return 'json';
  return /\.(md|markdown)$/i.test(file) ? 'markdown' : undefined;
}
