/**
 * The summary that stands for older messages. The model writes what only it can know; what the log knows (the user's
 * words, changed files, todos, mode) is added from the log, so that no summary can forget it.
 */
import type { SessionState } from '../state.ts';
import type { StoredEvent } from '../types.ts';

const HEADINGS = ['Goal', 'Decisions', 'Done', 'Next step'];
const LEAST = 60;
/** The model's part is cut here: longer, and it would not make the room that it is for. */
const MOST = 6_000;
const PROMPT_CHARACTERS = 400;
const PROMPTS = 12;
const FILES = 40;

/** What the model is asked. `keep`: what a person said that must not be lost. */
export function summaryRequest(keep?: string): string {
  const wanted = keep?.trim() ? ` Above all keep: ${keep.trim()}` : '';
  return [
    'The conversation gets too long for the window. Older messages will be left out, and your summary stands for them.',
    `Write it now, under exactly these headings: ${HEADINGS.map((heading) => `"## ${heading}"`).join(', ')}.`,
    'State facts: what is to be achieved and under which constraints, what was decided and why, what was done and found',
    `(files, functions, commands, errors, word for word where it matters), and what comes next. At most 400 words.${wanted}`,
    'Answer with the summary alone and call no tool.',
  ].join('\n');
}

/** What a model's summary lacks, in one sentence for it; undefined when it will do. */
export function lacking(text: string): string | undefined {
  const missing = HEADINGS.filter((heading) => !new RegExp(`^\\W*${heading}\\b`, 'im').test(text));
  if (missing.length)
    return `Your summary lacks ${missing.map((heading) => `"## ${heading}"`).join(', ')}. Write the whole summary again.`;
  if (text.trim().length < LEAST) return 'Your summary says too little. Write it again with the facts.';
  return undefined;
}

/** The whole summary. `written` is the model's part; without it what the log knows must do. */
export function wholeSummary(written: string | undefined, older: readonly StoredEvent[], state: SessionState): string {
  const parts = ['Older messages were left out to make room. What they held:'];
  if (written?.trim()) parts.push(written.trim().slice(0, MOST));
  const prompts = older.flatMap((event) => (event.type === 'user' && event.text.trim() ? [event.text.trim()] : []));
  // The first one usually says what all is about.
  const shown = [...prompts.slice(0, 1), ...prompts.slice(1).slice(-PROMPTS)];
  if (shown.length) parts.push(`## The user's words\n${shown.map(quoted).join('\n')}`);
  const files = changedFiles(older);
  if (files.length) parts.push(`## Files changed\n${files.slice(-FILES).join('\n')}`);
  if (state.todos.length)
    parts.push(`## Todos\n${state.todos.map(({ status, text }) => `- [${status}] ${text}`).join('\n')}`);
  parts.push(`Mode: ${state.mode}. Working directory: ${state.cwd}.`);
  return parts.join('\n\n');
}

const quoted = (text: string): string =>
  `- ${text.length > PROMPT_CHARACTERS ? `${text.slice(0, PROMPT_CHARACTERS)} […]` : text}`;

/** One line a file: what was done to it and how often. */
function changedFiles(events: readonly StoredEvent[]): string[] {
  const failed = new Set(events.flatMap((event) => (event.type === 'tool_result' && event.isError ? [event.id] : [])));
  const files = new Map<string, number>();
  for (const event of events) {
    if (event.type !== 'tool_result' || failed.has(event.id) || event.display?.kind !== 'diff') continue;
    files.set(event.display.path, (files.get(event.display.path) ?? 0) + 1);
  }
  return [...files].map(([path, times]) => `- ${path} (${times === 1 ? 'one change' : `${times} changes`})`);
}
