/** What lies over the panes: the keys, a text, a list to choose from. */
import { renderDiff } from '../diff-view.ts';
import { type KeyRow, keyTable } from '../keys.ts';
import { renderMarkdown } from '../markdown.ts';
import { fit, leadOf, width, wrap } from '../text/cells.ts';
import { revealedLine, sanitize } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Line, Overlay, State } from '../types.ts';
import { layout } from './layout.ts';
import { ruleLine } from './rule.ts';

type Pick = Extract<Overlay, { kind: 'pick' }>;

export interface OverlayView {
  lines: readonly Line[];
  /** Within `lines`, in the filter of a list. */
  cursor: { column: number; row: number } | null;
}

/** The overlay in exactly `rows` rows: a titled rule, and what is seen of its content. */
export function overlayView(state: State, rows: number): OverlayView | null {
  const { overlay, size, theme } = state;
  if (!overlay) return null;
  const { columns } = size;
  if (overlay.kind === 'pick') return pickView(overlay, columns, rows, theme);
  const content = contentOf(overlay, columns, theme);
  const seen = Math.max(0, rows - 1);
  const offset = Math.max(0, Math.min(overlay.offset ?? 0, content.length - seen));
  const title = overlay.kind === 'keys' ? 'keys' : revealedLine(overlay.title);
  const part = content.length > seen ? `${offset + 1}–${offset + seen} of ${content.length}` : '';
  const lines = [ruleLine('active-border', columns, theme, title, [part, 'Esc closes'].filter(Boolean).join(' · '))];
  lines.push(...content.slice(offset, offset + seen));
  return { lines: filled(lines, columns, rows), cursor: null };
}

/** How long the content of a text overlay is, and how much of it is seen. */
export function overlayLength(state: State): { length: number; rows: number } {
  const { overlay, size, theme } = state;
  const rows = Math.max(0, layout(state).main.rows - 1);
  if (!overlay || overlay.kind === 'pick') return { length: 0, rows };
  return { length: contentOf(overlay, size.columns, theme).length, rows };
}

function filled(lines: readonly Line[], columns: number, rows: number): Line[] {
  const all = lines.slice(0, rows).map((line) => fit(line, columns));
  while (all.length < rows) all.push(' '.repeat(columns));
  return all;
}

/** Scrolling asks again and again for the same text at the same width. */
let last: { key: string; text: string; lines: readonly Line[] } | undefined;

function contentOf(overlay: Exclude<Overlay, Pick>, columns: number, theme: State['theme']): readonly Line[] {
  if (overlay.kind === 'keys') return keyLines(columns, theme);
  const key = `${overlay.format ?? 'plain'} ${columns} ${theme}`;
  if (last?.key !== key || last.text !== overlay.text) {
    last = { key, text: overlay.text, lines: textLines(overlay, columns, theme) };
  }
  return last.lines;
}

function textLines(
  { text, format }: Extract<Overlay, { kind: 'text' }>,
  columns: number,
  theme: State['theme'],
): readonly Line[] {
  if (format === 'diff') return renderDiff(text, columns, theme);
  if (format === 'markdown') return renderMarkdown(text, columns, theme);
  return plainLines(text, columns);
}

const plainLines = (text: string, columns: number): readonly Line[] =>
  sanitize(text, { reveal: true })
    .split('\n')
    .flatMap((line) => wrap(line, columns, { indent: leadOf(line) }));

/** Rows stand in the table by what they are for. */
function groupOf({ where, action }: KeyRow): string {
  if (where === 'answer' || where === 'question') return 'Approvals and questions';
  const isEdit = typeof action !== 'string' || action.startsWith('history') || action === 'search';
  return isEdit ? 'Writing' : 'Conversation';
}

/** The rows of the key table that say what they do, in as many columns as fit. */
function keyLines(columns: number, theme: State['theme']): readonly Line[] {
  const rows = keyTable.filter(({ help }) => help !== '');
  const label = ({ keys, label }: KeyRow): string => label ?? keys.slice(0, 2).join(', ');
  const left = Math.min(Math.max(...rows.map((row) => width(label(row)))), Math.floor(columns / 2)) + 2;
  let group = '';
  const cells = rows.map((row) => {
    const before = group;
    group = groupOf(row);
    const heading = group === before ? [] : [...(before === '' ? [] : ['']), paint('heading', group, theme)];
    const name = paint('accent', fit(label(row), left - 1), theme);
    const lines = wrap(row.help, Math.max(8, columns - left - 1)).map(
      (line, at) => `${at === 0 ? name : ' '.repeat(left - 1)} ${line}`,
    );
    return [...heading, ...lines];
  });
  const flat = cells.flat();
  const widest = Math.max(...flat.map(width));
  const across = Math.max(1, Math.floor((columns + 2) / (widest + 2)));
  const height = Math.ceil(flat.length / across);
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: across }, (_, column) =>
      fit(flat[column * height + row] ?? '', Math.min(widest, columns)),
    ).join('  '),
  );
}

/** The items that hold every word of the filter. */
export function pickedItems({ items, filter }: Pick): Pick['items'] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter(({ label, detail, value }) => {
    const text = `${label} ${detail} ${value}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function pickView(overlay: Pick, columns: number, rows: number, theme: State['theme']): OverlayView {
  const items = pickedItems(overlay);
  const filter = sanitize(overlay.filter).replace(/\s+/g, ' ');
  const label = 'filter: ';
  const isWritten = overlay.toDraft || overlay.overDraft;
  const hasFilter = !isWritten && overlay.unchosen === undefined;
  const hint =
    overlay.hint ?? `${!hasFilter ? '' : `${items.length} of ${overlay.items.length} · `}Enter takes · Esc closes`;
  const about = overlay.text ? [...plainLines(overlay.text, columns), ''] : [];
  // The list comes first where there is not room for both.
  const told = about.slice(0, Math.max(0, rows - 2 - Math.min(items.length, 5)));
  const filterRow = 1 + told.length;
  const lines = [
    ruleLine('active-border', columns, theme, revealedLine(overlay.title), hint),
    ...told,
    ...(hasFilter ? [paint('dim', label, theme) + filter] : []),
  ];
  const room = Math.max(0, rows - lines.length);
  const first = Math.max(0, Math.min(overlay.selected - Math.floor(room / 2), items.length - room));
  const seen = items.slice(first, first + room);
  const widest = Math.min(
    Math.max(0, ...seen.map((item) => width(revealedLine(item.label)))),
    Math.floor(columns * 0.6),
  );
  for (const [index, item] of seen.entries()) {
    const isChosen = first + index === overlay.selected;
    const name = fit(revealedLine(item.label), widest);
    const row = fit(`${isChosen ? '› ' : '  '}${name}  ${paint('dim', revealedLine(item.detail), theme)}`, columns);
    lines.push(isChosen ? paint('selected', row, theme) : row);
  }
  if (items.length === 0 && !overlay.overDraft)
    lines.push(paint('dim', overlay.items.length === 0 ? 'nothing to choose' : 'nothing matches', theme));
  if (isWritten) lines.push('', ...plainLines(overlay.after ?? '', columns).map((line) => paint('dim', line, theme)));
  if (!hasFilter) return { lines: filled(lines, columns, rows), cursor: null };
  const cursor = { column: Math.min(width(label) + width(filter), columns - 1), row: Math.min(filterRow, rows - 1) };
  return { lines: filled(lines, columns, rows), cursor };
}
