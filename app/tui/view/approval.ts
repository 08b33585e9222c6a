/** The approval in front: what ada wants, all of what it would do, why it asks, and the keys that answer. */
import { choicesOf, wantOf, whyOf } from '../approval-choices.ts';
import { renderDiff } from '../diff-view.ts';
import { fit, width, wrap } from '../text/cells.ts';
import { sanitize } from '../text/sanitize.ts';
import { paint } from '../text/style.ts';
import type { Approval, Line, State } from '../types.ts';
import { placeOfCall } from '../update/transcript.ts';
import { ruleLine } from './rule.ts';

export interface ApprovalView {
  lines: readonly Line[];
  /** Lines of the whole preview, and how many of them are seen. */
  bodyLength: number;
  bodyRows: number;
  /** Within `lines`, while a reason is typed. */
  cursor: { column: number; row: number } | null;
}

type Request = Approval['request'];
type Theme = State['theme'];

/** The view in at most `rows` rows; null when nothing waits. `rule`: with a line above that counts the queue. */
export function approvalView(state: State, columns: number, rows: number, rule: boolean): ApprovalView | null {
  const [approval] = state.approvals;
  if (!approval) return null;
  const { theme, approvals } = state;
  const { request } = approval;
  const body = bodyOf(request, columns, theme);
  const count = approvals.length > 1 ? `1 of ${approvals.length}` : '';
  const spare = Math.max(2, rows - (rule ? 1 : 0));
  // A path is named whole.
  const head = wrap(paint('bold', oneLine(wantOf(request)), theme), columns, { indent: 2 });
  head.length = Math.min(head.length, Math.max(1, spare - 3));
  let why = whyLines(state, request, columns, rule ? '' : count);
  let keys = answerLines(state, approval, columns);
  // The title, some of the preview and the keys come before the reasons.
  if (head.length + keys.length + Math.min(3, body.length) > spare) keys = [shortAnswers(state, approval, columns)];
  why = why.slice(0, Math.max(0, Math.min(4, spare - head.length - keys.length - 1)));
  const bodyRows = Math.max(0, Math.min(body.length, spare - head.length - why.length - keys.length));
  const offset = Math.max(0, Math.min(approval.offset, body.length - bodyRows));
  const seen = body.slice(offset, offset + bodyRows);
  const left = body.length - bodyRows;
  const part = left > 0 ? `lines ${offset + 1}–${offset + bodyRows} of ${body.length}, PgUp PgDn` : '';
  const border = rule ? [ruleLine('warning', columns, theme, count && `approval ${count}`, part)] : [];
  const lines = [...border, ...head, ...seen, ...why, ...keys]
    .slice(0, Math.max(rows, 1))
    .map((line) => fit(line, columns));
  const typed = approval.reason === null ? null : Math.min(width(keys[0]!), columns - 1);
  const cursor = typed === null ? null : { column: typed, row: Math.max(0, lines.length - keys.length) };
  return { lines, bodyLength: body.length, bodyRows, cursor };
}

const oneLine = (text: string): string => sanitize(text, { reveal: true }).replaceAll('\n', '␊');

const bodies = new WeakMap<Request, { key: string; lines: readonly Line[] }>();

/** All of what would be done, at most `columns` wide. Nothing in it is hidden: a person judges it. */
function bodyOf(request: Request, columns: number, theme: Theme): readonly Line[] {
  const key = `${columns} ${theme}`;
  const known = bodies.get(request);
  if (known?.key === key) return known.lines;
  const lines = makeBody(request, columns, theme);
  bodies.set(request, { key, lines });
  return lines;
}

function makeBody({ input, preview }: Request, columns: number, theme: Theme): readonly Line[] {
  if (preview?.kind === 'diff') return renderDiff(preview.patch, columns, theme);
  if (preview?.kind === 'text') return shown(preview.text, columns);
  if (typeof input.command === 'string') {
    const where = typeof input.cwd === 'string' ? [paint('dim', fit(oneLine(`in ${input.cwd}`), columns), theme)] : [];
    return [...commandLines(input.command, columns, theme), ...where];
  }
  return Object.entries(input).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return shown(`${name}: ${text}`, columns);
  });
}

/** A line that is too long goes on behind a mark: it must not look like a command of its own. */
function commandLines(command: string, columns: number, theme: Theme): Line[] {
  const signs = { first: paint('accent', '$ ', theme), next: '  ', rest: paint('dim', '⋮ ', theme) };
  return sanitize(command, { reveal: true, tabs: 4 })
    .split('\n')
    .flatMap((line, index) =>
      wrap(line, Math.max(1, columns - 2)).map(
        (row, part) => (part > 0 ? signs.rest : index === 0 ? signs.first : signs.next) + row,
      ),
    );
}

const shown = (text: string, columns: number): Line[] =>
  sanitize(text, { reveal: true, tabs: 4 })
    .split('\n')
    .flatMap((line) => wrap(line, columns));

function whyLines(state: State, request: Request, columns: number, count: string): Line[] {
  const at = placeOfCall(state, request.id);
  const block = at < 0 ? undefined : state.blocks.at(at);
  const why = request.danger ?? whyOf(request, block?.kind === 'tool' ? block.detail : undefined);
  const text = oneLine(request.danger === undefined ? why && `why: ${why}` : `danger: ${why}`);
  const { askedIn } = state.approvals[0]!;
  const before = state.mode === 'auto' && askedIn !== undefined && askedIn !== 'auto';
  const whole = [text, before && 'auto mode is for what comes next; this still waits for you', count]
    .filter(Boolean)
    .join(' · ');
  if (!whole) return [];
  const style = request.danger === undefined ? 'dim' : 'warning';
  return wrap(whole, columns, { indent: 2 }).map((line) => paint(style, line, state.theme));
}

/** While there is a draft, letters are text. */
const DRAFT_FIRST = 'Enter sends the draft, Ctrl+C puts it aside; then';

/** The keys and what they do; while a reason is typed, its line. */
function answerLines(state: State, approval: Approval, columns: number): Line[] {
  const { theme } = state;
  if (approval.reason !== null) return reasonLines(approval.reason, columns, theme);
  const { auto, always, meaning } = choicesOf(approval, state.mode);
  const isTyping = state.composer.text !== '';
  const answers: [string, string][] = [['y', 'yes']];
  if (auto) answers.push(['a', 'auto']);
  if (always !== null) answers.push(['r', `always: ${oneLine(always)}${meaning && ` (${oneLine(meaning)})`}`]);
  answers.push(['p', 'plan'], ['n', 'no']);
  const texts = answers.map(([key, what]) => `${paint('accent', key, theme)} ${what}`);
  if (isTyping) texts.unshift(paint('warning', DRAFT_FIRST, theme));
  return packed(texts, columns);
}

/** Texts side by side with dots between, in as many rows as needed; what is longer than a row is wrapped. */
function packed(texts: readonly string[], columns: number): Line[] {
  const rows: Line[] = [];
  for (const text of texts) {
    const last = rows[rows.length - 1];
    if (last !== undefined && width(last) + 3 + width(text) <= columns) rows[rows.length - 1] = `${last} · ${text}`;
    else rows.push(...wrap(text, columns, { indent: 2 }));
  }
  return rows;
}

function shortAnswers(state: State, approval: Approval, columns: number): Line {
  if (approval.reason !== null) return reasonLines(approval.reason, columns, state.theme)[0]!;
  const { auto, always } = choicesOf(approval, state.mode);
  const keys = ['y', ...(auto ? ['a'] : []), 'p', 'n'].join('/');
  const first = state.composer.text === '' ? '' : 'Ctrl+C, then ';
  return fit(first + (always === null ? `${keys}?` : `${keys} r always: ${oneLine(always)}`), columns);
}

/** The end of the reason, if it is longer than the row. */
function reasonLines(reason: string, columns: number, theme: Theme): Line[] {
  const label = 'no, because: ';
  const room = Math.max(4, columns - label.length - 1);
  let text = oneLine(reason);
  if (width(text) > room) text = `…${lastCells(text, room - 1)}`;
  return [paint('accent', label, theme) + text, paint('dim', 'Enter sends it to the model · Esc goes back', theme)];
}

function lastCells(text: string, columns: number): string {
  let start = 0;
  while (width(text.slice(start)) > columns) start += (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(start);
}
