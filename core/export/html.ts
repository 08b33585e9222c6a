/** A session as one page that loads nothing and runs nothing. */
import type { StoredEvent } from '../types.ts';
import { visibleControls } from '../visible-controls.ts';
import type { Outline } from './outline.ts';
import { type Piece, piecesOf } from './pieces.ts';

/** In pieces. `clean`: makes text from outside harmless where it is shown; HTML is escaped here. */
export function* toHtml(
  events: Iterable<StoredEvent>,
  outline: Outline,
  clean: (text: string) => string,
): Generator<string> {
  const { id, title, model, begun, cost } = outline.head;
  const text = (value: string) => escaped(clean(value));
  const facts = [
    id,
    begun === undefined ? '' : new Date(begun).toISOString(),
    model,
    cost === null ? '' : `$${cost}`,
  ].filter(Boolean);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${text(title)}</h1>
<p class="facts">${text(facts.join(' · '))}</p>
`;
  let between = '';
  for (const piece of piecesOf(events, outline)) {
    yield between + section(piece, text);
    between = '\n';
  }
  yield `
</main>
</body>
</html>
`;
}

function section(piece: Piece, text: (value: string) => string): string {
  switch (piece.kind) {
    case 'prompt': {
      const images = piece.images ? `\n(${piece.images} image${piece.images > 1 ? 's' : ''})` : '';
      return `<section class="prompt"><h2>${piece.steered ? 'You, while it worked' : 'You'}</h2><div>${text(piece.text.trim() + images)}</div></section>`;
    }
    case 'answer':
      return `<section class="answer"><h2>ada</h2><div>${text(piece.text.trim())}</div></section>`;
    case 'reasoning':
      return `<details><summary>Thinking</summary><div>${text(piece.text.trim())}</div></details>`;
    case 'summary':
      return `<details><summary>Older messages were summarised</summary><div>${text(piece.text.trim())}</div></details>`;
    case 'call': {
      const title = `${text(visibleControls(piece.name))} <code>${text(visibleControls(piece.detail))}</code>${piece.isError ? ' (failed)' : ''}`;
      const body = piece.diff === undefined ? text(piece.output) : coloured(piece.diff, text);
      const open = piece.diff === undefined ? '' : ' open';
      return `<details class="call"${open}><summary>${title}</summary><pre>${body}</pre></details>`;
    }
    case 'said':
      return `<p class="said ${piece.level}">${text(piece.text)}</p>`;
  }
}

const coloured = (patch: string, text: (value: string) => string): string =>
  patch
    .trimEnd()
    .split('\n')
    .map((line) => {
      const tag = line.startsWith('+') ? 'ins' : line.startsWith('-') ? 'del' : '';
      return tag ? `<${tag}>${text(line)}</${tag}>` : text(line);
    })
    .join('\n');

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => SIGNS[sign]!);

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 52rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { font-size: .8rem; margin: 1.2rem 0 .2rem; opacity: .7; }
section div, details div { white-space: pre-wrap; overflow-wrap: anywhere; }
.prompt div { border-left: 3px solid #0a7; padding-left: .8rem; }
.facts, .said { opacity: .7; font-size: .9rem; }
.error { color: #c33; opacity: 1; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #8886; font-size: .85rem; }
details { margin: .5rem 0; }
ins { color: #187a3a; text-decoration: none; }
del { color: #b3261e; text-decoration: none; }
@media (prefers-color-scheme: dark) { ins { color: #6fd08c; } del { color: #ff8a80; } .error { color: #ff8a80; } }
`;
