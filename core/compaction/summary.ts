/**
 * The summary that stands for older messages. The model writes what only it can know; what the log knows (the user's
 * words, changed files, todos, mode) is added from the log, so that no summary can forget it.
 */
import type { SessionState } from '../state.ts';
import { shared } from './shared.ts';
import { binds, type SummaryFacts } from './summary-facts.ts';

const HEADINGS = ['Goal', 'Decisions', 'Done', 'Next step'];
const LEAST = 60;
/** The model's part is cut here: longer, and it would not make the room that it is for. */
const MOST = 6_000;
const FILES = 40;
const WORDS = 400;
/** Of a summary's room, what one word of the model takes with what is added from the log. */
const CHARACTERS_PER_WORD = 10;

/** What the model is asked. `keep`: what a person said that must not be lost; `room`: characters of the whole summary. */
export function summaryRequest(keep?: string, room = WORDS * CHARACTERS_PER_WORD): string {
  const words = Math.min(WORDS, Math.max(40, Math.floor(room / CHARACTERS_PER_WORD / 10) * 10));
  const what = keep?.trim().replace(/^keep\s+/i, '');
  const wanted = what ? ` Above all keep: ${what}` : '';
  return [
    'The conversation gets too long for the window. Older messages will be left out, and your summary stands for them.',
    `Write it now, under exactly these headings: ${HEADINGS.map((heading) => `"## ${heading}"`).join(', ')}.`,
    'State facts: what is to be achieved and under which constraints, what was decided and why, what was done and found',
    `(files, functions, commands, errors, word for word where it matters), and what comes next. At most ${words} words.${wanted}`,
    'Answer with the summary alone and call no tool.',
  ].join('\n');
}

const missingIn = (text: string): string[] =>
  HEADINGS.filter((heading) => !new RegExp(`^\\W*${heading}\\b`, 'im').test(text));

/** How many of the wanted headings a model wrote: none, and it is a refusal or chatter, not a summary. */
export const headingsIn = (text: string): number => HEADINGS.length - missingIn(text).length;

/** What a model's summary lacks, in one sentence for it; undefined when it will do. */
export function lacking(text: string): string | undefined {
  const missing = missingIn(text);
  if (missing.length)
    return `Your summary lacks ${missing.map((heading) => `"## ${heading}"`).join(', ')}. Write the whole summary again.`;
  if (text.trim().length < LEAST) return 'Your summary says too little. Write it again with the facts.';
  return undefined;
}

/**
 * The whole summary of what lies before event `from`, in at most `room` characters. `written` is the model's part;
 * without it what the log knows must do. In a small room each section gives way: the model's part is cut, fewer words
 * of the user and fewer files are told.
 */
export function wholeSummary(
  written: string | undefined,
  facts: SummaryFacts,
  from: number,
  state: SessionState,
  room = Number.POSITIVE_INFINITY,
): string {
  const end = `Mode: ${state.mode}. Working directory: ${state.cwd}.`;
  const sections = sectionsOf(written, facts, from, state);
  const rooms = shared(
    sections.map((section) => section(Number.POSITIVE_INFINITY).length),
    room - BEGIN.length - end.length - BETWEEN.length * (sections.length + 1),
  );
  const parts = sections.map((section, i) => section(rooms[i]!)).filter((text) => text !== '');
  return [BEGIN, ...parts, end].join(BETWEEN);
}

const BEGIN = 'Older messages were left out to make room. What they held:';
const BETWEEN = '\n\n';
const FROM_LOG = /\n\n(?:## The user's words|## Files changed|## Todos|Mode: \w+\. Working directory: )/;

/** What the model wrote into an earlier summary; undefined when it wrote nothing. */
export function writtenIn(summary: string): string | undefined {
  const at = summary.indexOf(BEGIN);
  if (at < 0) return undefined;
  const rest = summary.slice(at + BEGIN.length);
  return rest.slice(0, rest.search(FROM_LOG)).trim() || undefined;
}

/** A part of a summary in at most so many characters; empty where nothing of it can be told. */
type Section = (room: number) => string;

function sectionsOf(
  written: string | undefined,
  facts: SummaryFacts,
  from: number,
  { todos }: SessionState,
): Section[] {
  const sections: Section[] = [];
  const text = written?.trim().slice(0, MOST);
  if (text) sections.push((room) => cut(text, room));
  const prompts = facts.promptsBefore(from);
  if (prompts.length) sections.push((room) => userWords(prompts, room));
  const files = facts.files.map(
    ([path, changes]) => `${path} (${changes === 1 ? 'one change' : `${changes} changes`})`,
  );
  if (files.length)
    sections.push((room) =>
      list('## Files changed', room, files.slice(-FILES), (shown) =>
        files.length > shown ? [`${files.length - shown} others before these`] : [],
      ),
    );
  // What is open counts most, and stands last where not all can be told.
  const open = todos.filter(({ status }) => status !== 'done').reverse();
  const ordered = [...todos.filter(({ status }) => status === 'done'), ...open];
  const whole = `## Todos\n${todos.map(({ status, text }) => `- [${status}] ${text}`).join('\n')}`;
  if (todos.length)
    sections.push((room) =>
      whole.length <= room
        ? whole
        : list(
            '## Todos',
            room,
            ordered.map((todo) => `[${todo.status}] ${todo.text}`),
            (shown) => (todos.length > shown ? [`${todos.length - shown} others`] : []),
          ),
    );
  return sections;
}

const line = (text: string): string => `\n- ${text}`;

/**
 * The user's words, oldest first, as many as there is room for: the first, which usually says what all is about and is
 * cut if it must be, then those that bind, then the newest.
 */
function userWords([first = '', ...later]: readonly string[], room: number): string {
  const heading = "## The user's words";
  const head = line(cut(first, Math.max(room / 2, room - heading.length - line('').length)));
  let left = room - heading.length - head.length;
  if (left < 0) return '';
  const newest = [...later.keys()].reverse();
  const chosen = new Set<number>();
  for (const i of [...newest.filter((i) => binds(later[i]!)), ...newest.filter((i) => !binds(later[i]!))]) {
    const { length } = line(later[i]!);
    if (length > left) continue;
    chosen.add(i);
    left -= length;
  }
  return heading + head + later.flatMap((text, i) => (chosen.has(i) ? [line(text)] : [])).join('');
}

/** Lines below a heading, as many of the last ones as there is room for. */
function list(
  heading: string,
  room: number,
  items: readonly string[],
  more: (shown: number) => readonly string[],
): string {
  for (let shown = items.length; shown >= 0; shown--) {
    const before = more(shown).map(line).join('');
    const text =
      heading +
      before +
      items
        .slice(items.length - shown)
        .map(line)
        .join('');
    if (text.length <= room) return shown || before ? text : '';
  }
  return '';
}

const CUT = ' […]';

/** The beginning of a text, up to the last whole word. */
function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  const most = text.slice(0, Math.max(0, Math.floor(room) - CUT.length));
  const whole = most.replace(/\s+\S*$/, '');
  return whole ? `${whole}${CUT}` : '';
}
