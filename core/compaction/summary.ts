/**
 * The summary that stands for older messages. The model writes what only it can know; what the log knows (the user's
 * words, changed files, todos, mode) is added from the log, so that no summary can forget it.
 */
import type { SessionState } from '../state.ts';
import type { SummaryFacts } from './summary-facts.ts';

const HEADINGS = ['Goal', 'Decisions', 'Done', 'Next step'];
const LEAST = 60;
/** The model's part is cut here: longer, and it would not make the room that it is for. */
const MOST = 6_000;
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

/**
 * The whole summary of what lies before event `from`. `written` is the model's part; without it what the log knows must
 * do.
 */
export function wholeSummary(
  written: string | undefined,
  facts: SummaryFacts,
  from: number,
  state: SessionState,
): string {
  const parts = ['Older messages were left out to make room. What they held:'];
  if (written?.trim()) parts.push(written.trim().slice(0, MOST));
  const prompts = facts.promptsBefore(from);
  // The first one usually says what all is about.
  const shown = [...prompts.slice(0, 1), ...prompts.slice(1).slice(-PROMPTS)];
  if (shown.length) parts.push(`## The user's words\n${shown.map((text) => `- ${text}`).join('\n')}`);
  const files = facts.files.map(
    ([path, changes]) => `- ${path} (${changes === 1 ? 'one change' : `${changes} changes`})`,
  );
  const more = files.length > FILES ? [`- ${files.length - FILES} others before these`] : [];
  if (files.length) parts.push(`## Files changed\n${[...more, ...files.slice(-FILES)].join('\n')}`);
  if (state.todos.length)
    parts.push(`## Todos\n${state.todos.map(({ status, text }) => `- [${status}] ${text}`).join('\n')}`);
  parts.push(`Mode: ${state.mode}. Working directory: ${state.cwd}.`);
  return parts.join('\n\n');
}
