/** A tool call: one line with its state, and what it did below it when it is open. */

import { clip } from '../clip.ts';
import { counts, renderDiff } from '../diff-view.ts';
import { width, wrap } from '../text/cells.ts';
import { revealedLine, sanitize } from '../text/sanitize.ts';
import { paint, type Style } from '../text/style.ts';
import type { Block, Line, State } from '../types.ts';
import { elapsed, noticeable } from './duration.ts';
import { outputLines } from './output-lines.ts';
import { todoCount, todoLines } from './todo-lines.ts';

type Theme = State['theme'];
type ToolBlock = Extract<Block, { kind: 'tool' }>;

/** Signs that are told apart without colour. */
const STATES: Readonly<Record<ToolBlock['state'], readonly [sign: string, style: Style]>> = {
  waiting: ['…', 'warning'],
  running: ['…', 'accent'],
  done: ['✓', 'ok'],
  failed: ['✗', 'error'],
  denied: ['⊘', 'warning'],
};

/** Of a long output so many lines are shown of its beginning and of its end; while it runs, only of its end. */
const PART = { head: 15, tail: 15 };
const LIVE_PART = { head: 0, tail: 12 };

const GLIMPSE = { lines: 3, characters: 2000 };

export function toolLines(block: ToolBlock, columns: number, theme: Theme, now: number): Line[] {
  const line = toolLine(block, columns, theme, now);
  const indent = columns < 20 ? '' : '  ';
  if (!block.open) return [line, ...glimpse(block, columns - indent.length, theme).map((row) => indent + row)];
  return [line, ...toolBody(block, columns - indent.length, theme).map((row) => (row === '' ? '' : indent + row))];
}

/** Of a folded call what a person wants to know at once: what it prints while it runs, and why it failed. */
function glimpse({ state, display, output, reason }: ToolBlock, columns: number, theme: Theme): Line[] {
  if (state === 'denied' && reason !== undefined)
    return wrap(paint('dim', `because: ${revealedLine(reason)}`, theme), columns, { indent: 2 });
  if (state !== 'running' && state !== 'failed') return [];
  const text = (display?.kind === 'terminal' ? display.output : output).trimEnd();
  // The end alone is cleaned: an output may be long, and is looked at with each of its pieces.
  return sanitize(text.slice(-GLIMPSE.characters))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-GLIMPSE.lines)
    .map((line) => paint('dim', clip(line.trimEnd(), columns), theme));
}

/** Sign, name, detail, and at the right what came of it. In a narrow pane the detail is cut, then the right left out. */
function toolLine(block: ToolBlock, columns: number, theme: Theme, now: number): Line {
  const [sign, style] = STATES[block.state];
  const name = revealedLine(block.name);
  // What was allowed is shown as it was when it was asked for.
  const detail = revealedLine(block.detail);
  let right = outcome(block, theme, now);
  const left = width(sign) + 1 + width(name);
  // A few cells of the detail say more than what came of it, which comes with the time.
  const fits = (): boolean => left + 2 + width(right) + Math.min(width(detail) + 1, 8) <= columns;
  if (!fits()) right = timeOf(block, theme, now);
  if (!fits()) right = '';
  const room = columns - left - (right === '' ? 0 : width(right) + 2);
  const head = `${paint(style, sign, theme)} ${paint('bold', name, theme)}`;
  if (left > columns) return clip(head, columns);
  const rest = detail === '' || room < 3 ? '' : ` ${clip(detail, room - 1)}`;
  if (right === '') return head + rest;
  return `${head}${rest}${' '.repeat(columns - left - width(rest) - width(right))}${right}`;
}

function outcome(block: ToolBlock, theme: Theme, now: number): string {
  if (block.state === 'waiting') return paint('warning', 'waiting', theme);
  if (block.state === 'denied') return paint('warning', 'denied', theme);
  const said = result(block, theme);
  return [said, timeOf(block, theme, now)].filter(Boolean).join('  ');
}

function timeOf({ state, startedAt, endedAt }: ToolBlock, theme: Theme, now: number): string {
  if (state === 'waiting' || state === 'denied') return '';
  return paint('dim', endedAt === null ? elapsed(now - startedAt) : noticeable(endedAt - startedAt), theme);
}

function result({ display }: ToolBlock, theme: Theme): string {
  if (display?.kind === 'diff') return counts(display.added, display.removed, theme);
  if (display?.kind === 'todos') return todoCount(display.items);
  if (display?.kind === 'terminal' && display.exitCode) return paint('error', `exit ${display.exitCode}`, theme);
  return '';
}

function toolBody({ display, output, state, dropped }: ToolBlock, columns: number, theme: Theme): Line[] {
  const part = state === 'running' ? { ...LIVE_PART, dropped } : PART;
  switch (display?.kind) {
    case 'diff':
      return display.patch === '' ? [] : renderDiff(display.patch, columns, theme);
    case 'todos':
      return todoLines(display.items, columns, theme);
    case 'terminal': {
      const lines = commandLines(display.command, columns, theme);
      lines.push(...outputLines(display.output, columns, theme, part));
      if (display.exitCode !== 0) lines.push(clip(paint('error', exit(display.exitCode), theme), columns));
      return lines;
    }
    case 'agent':
      return [clip(`agent ${revealedLine(display.name)} in session ${revealedLine(display.session)}`, columns)];
    case 'text':
      return outputLines(display.text, columns, theme, part);
    default:
      return outputLines(output, columns, theme, part);
  }
}

/** What was run, with every byte of it. */
const commandLines = (command: string, columns: number, theme: Theme): Line[] =>
  sanitize(command, { reveal: true })
    .split('\n')
    .flatMap((line, index) => wrap(`${index === 0 ? '$' : ' '} ${line}`, columns, { indent: 2 }))
    .map((row) => paint('code', row, theme));

const exit = (code: number | null): string => (code === null ? 'ended by a signal' : `exit ${code}`);
