/** A session as Markdown, for people. */
import type { StoredEvent } from '../types.ts';
import { visibleControls } from '../visible-controls.ts';
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
  const head = `# ${prose(clean(title))}\n\n${clean(facts.filter(Boolean).join(' · '))}\n`;
  return [head, ...piecesOf(events).map((piece) => written(piece, clean))].join('\n');
}

function written(piece: Piece, clean: (text: string) => string): string {
  switch (piece.kind) {
    case 'prompt': {
      const images = piece.images ? `\n\n(${piece.images} image${piece.images > 1 ? 's' : ''})` : '';
      return `## ${piece.steered ? 'You, while it worked' : 'You'}\n\n${prose(clean(piece.text))}${images}\n`;
    }
    case 'answer':
      return `## ada\n\n${prose(clean(piece.text))}\n`;
    case 'reasoning':
      return folded('Thinking', clean(piece.text));
    case 'summary':
      return folded('Older messages were summarised', clean(piece.text));
    case 'call': {
      const name = `${piece.name} ${clean(visibleControls(piece.detail)).replace(/\s+/g, ' ')}`.trim();
      const body = piece.diff === undefined ? fenced(clean(piece.output), '') : fenced(clean(piece.diff), 'diff');
      return `### ${inline(name)}${piece.isError ? ' (failed)' : ''}\n\n${body}`;
    }
    case 'said':
      return `> ${piece.level === 'info' ? '' : `${piece.level}: `}${prose(clean(piece.text)).replace(/\n/g, '\n> ')}\n`;
  }
}

const folded = (title: string, text: string): string =>
  `<details><summary>${title}</summary>\n\n${prose(text)}\n\n</details>\n`;

/** Markdown stays what it is; HTML outside of code is shown, not done, and no fence stays open. */
function prose(text: string): string {
  let fence = '';
  const lines = text
    .trim()
    .split('\n')
    .map((line) => {
      const [, mark = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
      const isCode = fence !== '';
      if (isCode && mark.startsWith(fence) && info.trim() === '') fence = '';
      else if (!isCode && mark !== '' && !(mark[0] === '`' && info.includes('`'))) fence = mark;
      return isCode
        ? line
        : line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)|<(?=[a-z/!?])/gi, (found) => (found === '<' ? '&lt;' : found));
    });
  return [...lines, ...(fence ? [fence] : [])].join('\n');
}

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
