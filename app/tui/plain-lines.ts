/** Events as lines that are only ever added; sizes and colours do not matter. */
import type { Event, EventOf, Mode } from '../../core/types.ts';
import { choicesOf, wantOf } from './approval-choices.ts';
import { detailOf } from './blocks/call-detail.ts';
import { leftOut } from './blocks/output-lines.ts';
import { wrap } from './text/cells.ts';
import { revealedLine, sanitize } from './text/sanitize.ts';
import { endText } from './update/turn-end.ts';

/** Of a command's output so many lines are shown, the last ones. */
const OUTPUT_LINES = 20;

/** The lines of one event; none for what is streamed, because the whole follows. */
export function eventLines(event: Event): readonly string[] {
  switch (event.type) {
    case 'assistant': {
      let text = '';
      for (const part of event.content) if (part.type === 'text') text += part.text;
      return text.trim() === '' ? [] : shown(text.trim());
    }
    case 'user':
      return event.steered ? rows(`(steered) ${event.text}`) : [];
    case 'tool_call':
      return [`[${revealedLine(`${event.name} ${detailOf(event)}`)}]`];
    case 'tool_result':
      return resultLines(event);
    case 'approval':
      return event.decision === 'no' && event.by !== 'user' ? rows(`denied: ${event.reason ?? ''}`) : [];
    case 'answer':
      return rows(`answered: ${event.text}`);
    case 'todos':
      return event.items.map(({ text, status }) => `${SIGNS[status]} ${revealedLine(text)}`);
    case 'mode':
      return [`mode ${event.value}`];
    case 'model':
      return rows(`model ${event.value}`);
    case 'compaction':
      return rows(`older messages make room: ${event.before} → ${event.after} tokens`);
    case 'rewind':
      return ['back to before that prompt'];
    case 'title':
      return rows(`name: ${event.text}`);
    case 'activity':
      return event.doing === null ? [] : [`${event.doing} …`];
    case 'notice':
      return rows(event.level === 'info' ? event.text : `${event.level}: ${event.text}`);
    case 'retry':
      return event.moved ? [] : rows(`trying again: ${event.reason}`);
    case 'error':
      return rows(`error: ${event.message}`);
    case 'done':
      return [...(event.unsent ?? []).flatMap((text) => rows(`not sent: ${text}`)), `-- ${endText(event)}`];
    default:
      return [];
  }
}

/** A prompt that could be typed again; here nothing can go with it. */
export const draftLine = (text: string, images = 0): string =>
  `the prompt was: ${text}${images ? ` (${images} image${images > 1 ? 's' : ''} with it; --image attaches one at the start)` : ''}`;

/** Lines as they are read aloud: broken between words, with nothing in them hidden. */
export const readingLines = (lines: readonly string[], columns: number): string[] =>
  lines.flatMap((line) => sanitize(line, { reveal: true }).split('\n')).flatMap((line) => wrap(line, columns));

/** What an approval asks, and how to answer. */
export function approvalLines(request: EventOf<'approval_request'>, mode: Mode): readonly string[] {
  const { always, auto, meaning } = choicesOf({ request, shownAt: 0, offset: 0, reason: null }, mode);
  const { input, preview, summary, danger } = request;
  const body =
    preview?.kind === 'diff'
      ? preview.patch
      : typeof input.command === 'string'
        ? `$ ${input.command}`
        : JSON.stringify(input);
  const answers = [
    'y yes',
    auto && 'a auto',
    always !== null && `r always: ${revealedLine(always)}${meaning && ` (${revealedLine(meaning)})`}`,
    'p plan',
    'n [reason] no',
  ];
  return [
    ...rows(wantOf(request)),
    ...rows(body),
    // The summary ends with the same words.
    ...(danger && summary.includes(danger) ? [] : rows(`why: ${summary}`)),
    ...(danger ? rows(`danger: ${danger}`) : []),
    answers.filter(Boolean).join(' · '),
  ];
}

/** What a question asks, and how to answer. */
export function questionLines({ text, options = [] }: EventOf<'question'>): readonly string[] {
  const keys = options.length === 0 ? 'a line answers' : 'a number or your own words answer';
  const choices = options.map((option, index) => `${index + 1} ${revealedLine(option)}`);
  return [...rows(`ada asks: ${text}`), ...choices, keys];
}

const SIGNS = { pending: '[ ]', active: '[>]', done: '[x]' } as const;

/** What must be judged, or names something: nothing in it is hidden. */
const rows = (text: string): string[] => sanitize(text, { reveal: true }).trimEnd().split('\n');
/** Prose, and what a program wrote to a terminal. */
const shown = (text: string): string[] => sanitize(text).trimEnd().split('\n');

function resultLines({ name, output, isError, display }: EventOf<'tool_result'>): string[] {
  if (display?.kind === 'diff') return rows(display.patch);
  if (display?.kind === 'terminal') {
    const lines = shown(display.output);
    const cut = lines.length - OUTPUT_LINES;
    const left = cut > 0 ? leftOut(`${lines.slice(0, cut).join('\n')}\n`) : { lines: 0, where: '' };
    const seen =
      cut > 0
        ? [`… ${left.lines} lines${left.where && `; ${left.where}`}`, ...lines.slice(cut)]
        : lines.filter((line) => line !== '');
    return [...seen, `exit ${display.exitCode ?? 'by a signal'}`];
  }
  return isError ? rows(`${name} failed: ${output}`) : [];
}
