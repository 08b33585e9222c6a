/** A session as Markdown, for people. */
import type { StoredEvent } from '../types.ts';
import { headOf, type Piece, piecesOf } from './pieces.ts';

/** `clean`: makes text from outside harmless where it is shown. */
export function toMarkdown(events: readonly StoredEvent[], clean: (text: string) => string): string {
  const { id, title, model, begun, cost } = headOf(events);
  const facts = [
    `session ${id}`,
    begun === undefined ? '' : new Date(begun).toISOString(),
    model,
    cost === null ? '' : `$${cost}`,
  ];
  const head = `# ${clean(title)}\n\n${clean(facts.filter(Boolean).join(' · '))}\n`;
  return [head, ...piecesOf(events).map((piece) => written(piece, clean))].join('\n');
}

function written(piece: Piece, clean: (text: string) => string): string {
  switch (piece.kind) {
    case 'prompt': {
      const images = piece.images ? `\n\n(${piece.images} image${piece.images > 1 ? 's' : ''})` : '';
      return `## ${piece.steered ? 'You, while it worked' : 'You'}\n\n${clean(piece.text).trim()}${images}\n`;
    }
    case 'answer':
      return `## ada\n\n${clean(piece.text).trim()}\n`;
    case 'reasoning':
      return folded('Thinking', clean(piece.text).trim());
    case 'summary':
      return folded('Older messages were summarised', clean(piece.text).trim());
    case 'call': {
      const name = `${piece.name} ${clean(piece.detail).replace(/\s+/g, ' ')}`.trim();
      const body = piece.diff === undefined ? fenced(clean(piece.output), '') : fenced(clean(piece.diff), 'diff');
      return `### ${inline(name)}${piece.isError ? ' (failed)' : ''}\n\n${body}`;
    }
    case 'said':
      return `> ${piece.level === 'info' ? '' : `${piece.level}: `}${clean(piece.text).trim().replace(/\n/g, '\n> ')}\n`;
  }
}

const folded = (title: string, text: string): string =>
  `<details><summary>${title}</summary>\n\n${text.replaceAll('</details', '&lt;/details')}\n\n</details>\n`;

/** A fence that is longer than every one inside. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}

function inline(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest ? `${ticks} ${text} ${ticks}` : `\`${text}\``;
}
