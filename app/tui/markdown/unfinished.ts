/** Makes the end of Markdown that is still being written read as what it most likely becomes. */

/** The tail with what is half written closed or left out. `inFence`: it begins inside a code fence. */
export function finished(tail: string, fence: string | null): string {
  const newline = tail.lastIndexOf('\n') + 1;
  const last = tail.slice(newline);
  const open = openFence(tail, fence);
  // The first signs of a closing fence are no code.
  if (open) return last.trim() !== '' && open.startsWith(last.trim()) ? tail.slice(0, newline) : tail;
  // The start of a fence, an underline or an empty heading: not text, and not yet what it will be.
  if (/^ {0,3}(?:`{1,2}|~{1,2}|#{1,6}|=+|-+|\*{1,3})$/.test(last)) return tail.slice(0, newline);
  const tabled = withTable(tail, newline, last);
  if (tabled !== null) return tabled;
  return tail.slice(0, newline) + closeInline(last);
}

/** Marker of the fence that the text ends inside of, or null. */
function openFence(text: string, begun: string | null): string | null {
  let open = begun;
  if (!open && !text.includes('```') && !text.includes('~~~')) return null;
  for (const line of text.split('\n')) {
    const found = /^\s*(?:(?:[-*+]|\d+[.)]|>)\s+)*(`{3,}|~{3,})(.*)$/.exec(line);
    if (!found) continue;
    if (!open) open = found[1]!;
    else if (found[1]!.startsWith(open) && found[2]!.trim() === '') open = null;
  }
  return open;
}

/** A header row whose delimiter row is missing or half there shows as a table at once; null when there is none. */
function withTable(tail: string, newline: number, last: string): string | null {
  const before = tail.slice(0, newline);
  const header = /(?:^|\n)(\|.*\|)[ \t]*\n$/.exec(before)?.[1];
  if (!header || !/^[|:\- \t]*$/.test(last)) return null;
  // The row above the header being one too, this is the middle of a table.
  if (/\|[ \t]*\n\|.*\|[ \t]*\n$/.test(before)) return last === '' ? null : before;
  const cells = header.split(/(?<!\\)\|/).length - 2;
  return cells > 0 ? `${before}|${'---|'.repeat(cells)}\n` : null;
}

/** Closes code, emphasis and links that are open at the end of a line. */
function closeInline(line: string): string {
  const ticks = line.match(/`+/g) ?? [];
  if (ticks.length % 2 === 1 && ticks.every((run) => run.length === 1)) return `${line}\``;
  // An address that is still being written is left out; its text stays.
  const address = /\]\([^()\s]*$/.exec(line);
  const text = address ? line.slice(0, address.index).replace(/!?\[([^[\]]*)$/, '$1') : line;
  return closeEmphasis(text.replace(/(^|\s)(?:\*{1,3}|~{1,2})$/, '$1'));
}

function closeEmphasis(line: string): string {
  const prose = line.replace(/`[^`]*`/g, (code) => '.'.repeat(code.length));
  const bold = opens(prose, /(?<![\w*\\])\*\*(?=[^\s*])/g, /(?<=[^\s*])\*\*(?![\w*])/g);
  const italic = opens(prose, /(?<![\w*\\])\*(?=[^\s*])/g, /(?<=[^\s*])\*(?![\w*])/g);
  const struck = opens(prose, /(?<![\w~])~~(?=[^\s~])/g, /(?<=[^\s~])~~(?![\w~])/g);
  // A closing sign behind a space would be text: the space waits for the next word.
  if (bold >= 0) return `${line.replace(/\*$/, '').trimEnd()}${italic > bold ? '***' : '**'}`;
  if (italic >= 0) return `${line.trimEnd()}*`;
  return struck >= 0 ? `${line.replace(/~$/, '').trimEnd()}~~` : line;
}

/** Where the last sign opens that nothing closes; -1 when there is none. */
function opens(prose: string, opening: RegExp, closing: RegExp): number {
  const begun = [...prose.matchAll(opening)];
  return begun.length > (prose.match(closing) ?? []).length ? begun.at(-1)!.index : -1;
}
