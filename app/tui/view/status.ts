/** The last row: model, where it runs, mode, context, and what happens now. What does not fit is left out, least first. */
import { elapsed } from '../blocks/duration.ts';
import { clip } from '../clip.ts';
import { slashLine } from '../slash-line.ts';
import { fit, width } from '../text/cells.ts';
import { revealedLine } from '../text/sanitize.ts';
import { paint, type Style } from '../text/style.ts';
import type { Line, State } from '../types.ts';
import { amount, windowSize } from './figures.ts';

interface Part {
  text: string;
  style: Style | null;
  /** The lowest is left out first. */
  weight: number;
  /** Takes its place before it is left out. */
  short?: string;
}

const SPINNER = ['◐', '◓', '◑', '◒'];
const MODE_STYLES = { ask: null, plan: 'accent', auto: 'warning' } as const;
const LONGEST_MODEL = 40;

export function statusLine(state: State): Line {
  const { columns } = state.size;
  let left = leftParts(state);
  let right = rightParts(state);
  while (left.length + right.length > 1 && total([...left, ...right]) > columns) {
    const least = [...left, ...right].reduce((a, b) => (b.weight < a.weight ? b : a));
    left = without(left, least);
    right = without(right, least);
  }
  const painted = (side: readonly Part[]): string =>
    side.map(({ text, style }) => (style ? paint(style, text, state.theme) : text)).join(GAP);
  const start = painted(left);
  const end = painted(right);
  return fit(start + ' '.repeat(Math.max(0, columns - width(start) - width(end))) + end, columns);
}

/** Shortens a part, or leaves it out. */
const without = (parts: readonly Part[], least: Part): Part[] =>
  parts.flatMap((part) => {
    if (part !== least) return [part];
    return least.short === undefined ? [] : [{ ...least, text: least.short, short: undefined }];
  });

const GAP = '  ';
const total = (parts: readonly Part[]): number =>
  parts.reduce((sum, { text }) => sum + width(text), (parts.length - 1) * GAP.length);

function leftParts({ model, noModel, offline, local, mode, contextUsed, contextTokens, size }: State): Part[] {
  const parts: Part[] = [];
  // Of a recording, its file's name says enough.
  const name = clip(revealedLine(model.replace(/^replay:.*\//s, 'replay:')), Math.min(LONGEST_MODEL, size.columns));
  if (name !== '') {
    parts.push({ text: name, style: 'bold', weight: 7 });
    parts.push({ text: local ? '● local' : '○ hosted', style: local ? 'ok' : 'warning', weight: 8 });
  } else if (noModel) parts.push({ text: 'no model yet', style: 'dim', weight: 8 });
  if (offline) parts.push({ text: 'offline', style: 'dim', weight: 5 });
  parts.push({ text: mode, style: MODE_STYLES[mode], weight: 9 });
  if (contextUsed !== null || contextTokens !== null) {
    const used = contextUsed === null ? '0' : amount(contextUsed);
    const text = contextTokens === null ? `${used} tokens` : `${used} / ${windowSize(contextTokens)}`;
    const isFull = contextUsed !== null && contextTokens !== null && contextUsed > contextTokens * 0.9;
    parts.push({ text, style: isFull ? 'warning' : 'dim', weight: 4 });
  }
  return parts;
}

function rightParts(state: State): Part[] {
  const { running, runningSince, now, activity, leaving, scroll, composer, overlay } = state;
  const parts: Part[] = [];
  if (leaving !== null) return [{ text: 'press Ctrl+C again to leave', style: 'warning', weight: 10 }];
  if (!scroll.chat.follow) parts.push({ text: '↓ more below', style: 'accent', weight: 3 });
  if (running) {
    const sign = SPINNER[Math.floor(now / 250) % SPINNER.length]!;
    const doing = revealedLine(activity);
    const time = elapsed(now - runningSince);
    parts.push({ text: `${sign} ${doing} ${time}`, short: `${sign} ${time}`, style: 'accent', weight: 6 });
    parts.push({ text: 'Esc interrupts', style: 'dim', weight: 2 });
  } else if (overlay || composer.search) return parts;
  else if (composer.text === '') parts.push({ text: '? keys', style: 'dim', weight: 1 });
  else parts.push({ text: enterDoes(state), style: 'dim', weight: 1 });
  return parts;
}

function enterDoes({ noModel, composer }: State): string {
  if (slashLine(composer.text)) return 'Enter runs it';
  return noModel ? 'Enter looks for a model' : 'Enter sends';
}
