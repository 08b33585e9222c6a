/** A session as Markdown, for people. */
import type { StoredEvent } from '../types.ts';
import { visibleControls } from '../visible-controls.ts';
import type { Outline } from './outline.ts';
import { type Piece, piecesOf } from './pieces.ts';

/** In pieces. `clean`: makes text from outside harmless where it is shown. */
export function* toMarkdown(
  events: Iterable<StoredEvent>,
  outline: Outline,
  clean: (text: string) => string,
): Generator<string> {
  const { id, title, model, begun, cost } = outline.head;
  const facts = [
    `session ${id}`,
    begun === undefined ? '' : new Date(begun).toISOString(),
    model,
    cost === null ? '' : `$${cost}`,
  ];
  yield `# ${prose(clean(title))}\n\n${clean(facts.filter(Boolean).join(' · '))}\n`;
  for (const piece of piecesOf(events, outline)) yield `\n${written(piece, clean)}`;
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
      const name = clean(visibleControls(`${piece.name} ${piece.detail}`))
        .replace(/\s+/g, ' ')
        .trim();
      const body = piece.diff === undefined ? fenced(clean(piece.output), '') : fenced(clean(piece.diff), 'diff');
      return `### ${inline(name)}${piece.isError ? ' (failed)' : ''}\n\n${body}`;
    }
    case 'said':
      return `> ${piece.level === 'info' ? '' : `${piece.level}: `}${prose(clean(piece.text)).replace(/\n/g, '\n> ')}\n`;
  }
}

const folded = (title: string, text: string): string =>
  `<details><summary>${title}</summary>\n\n${prose(text)}\n\n</details>\n`;

/** A fence that opens, perhaps behind the marker of a list item: what stands before it, its mark, its info. */
const FENCE = /^( {0,3}(?:(?:[-*+]|\d{1,9}[.)]) {1,4}){0,5})(`{3,}|~{3,})(.*)$/;

/**
 * Markdown stays what it is; HTML and entities outside of code are shown, not done, and no fence stays open. Where
 * readers could differ about what is code, it counts as none.
 */
function prose(text: string): string {
  const lines: string[] = [];
  let fence: { mark: string; indent: number } | undefined;
  /** Of a paragraph with a run of backticks that its line leaves open: what follows may be code or not. */
  let isUnsure = false;
  for (const line of text.trim().split('\n')) {
    const indent = line.search(/\S/);
    // With the item of a list its fence ends.
    if (fence && indent >= 0 && indent < fence.indent) {
      lines.push(' '.repeat(fence.indent) + fence.mark);
      fence = undefined;
    }
    if (fence) {
      lines.push(line);
      const [, mark = ''] = /^ *(`{3,}|~{3,}) *$/.exec(line) ?? [];
      if (indent < fence.indent + 4 && mark.startsWith(fence.mark)) fence = undefined;
      continue;
    }
    const [, before = '', mark = '', info = ''] = FENCE.exec(line) ?? [];
    if (mark !== '' && !(mark[0] === '`' && info.includes('`'))) {
      fence = { mark, indent: before.length };
      isUnsure = false;
      lines.push(before + mark + withoutHtml(info, false).shown);
      continue;
    }
    if (indent < 0) isUnsure = false;
    const { shown, isOpen } = withoutHtml(line, !isUnsure);
    isUnsure ||= isOpen;
    lines.push(shown);
  }
  if (fence) lines.push(' '.repeat(fence.indent) + fence.mark);
  return lines.join('\n');
}

/** `hasCode`: spans of code stay as they are. `isOpen`: a run of backticks is left over. */
function withoutHtml(line: string, hasCode: boolean): { shown: string; isOpen: boolean } {
  let isOpen = !hasCode;
  const shown = line.replace(
    /\\[`<&\\]|(`+)(?!`)(.*?)(?<!`)\1(?!`)|`+|<(?=[a-z/!?])|&(?=#?\w+;)/gi,
    (found, ticks?: string, code = '') => {
      if (found === '<') return '&lt;';
      if (found === '&') return '&amp;';
      if (found[0] !== '`') return found;
      if (ticks && hasCode) return found;
      isOpen ||= ticks === undefined;
      return ticks ? ticks + withoutHtml(code, false).shown + ticks : found;
    },
  );
  return { shown, isOpen };
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
