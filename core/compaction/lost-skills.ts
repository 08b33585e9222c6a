/**
 * Skills that the model loaded, and whose text would go with the messages that make room. They are in force as long as
 * the conversation: their text is told once more, as a note that is never left out.
 */
import { partsOf, type ToolResultContent, type ToolUseContent } from '../../providers/ir.ts';
import type { Entry } from '../history.ts';
import type { Budget } from './size.ts';

/** These notes together take at most this share of the window. */
const SHARE = 1 / 8;

/** Texts of notes, oldest first: for skills whose text is in a result `before`, and nowhere `after`. */
export function lostSkills(before: readonly Entry[], after: readonly Entry[], budget: Budget): string[] {
  const loads = new Set(before.flatMap(loadsIn));
  if (loads.size === 0) return [];
  const left = after.map(textOf);
  let room = (budget.window * SHARE) / budget.tokensPerCharacter;
  for (const [i, entry] of after.entries()) if (entry.from === 'instruction') room -= left[i]!.length;
  const notes: string[] = [];
  for (const entry of before) {
    if (entry.from !== 'result') continue;
    for (const part of partsOf(entry.message.content)) {
      if (part.type !== 'tool_result' || part.isError || !loads.has(part.toolUseId)) continue;
      const text = textIn(part);
      const [, name] = /^Skill (.+?)\. Relative paths/.exec(text) ?? [];
      if (name === undefined || left.some((one) => one.includes(text))) continue;
      const whole = `You loaded this skill; it is in force:\n\n${text}`;
      const short = `The skill ${name}, which you loaded, is in force; its text (${text.length} characters) made room. Load it again with use_skill before you go on.`;
      const note = whole.length <= room ? whole : short;
      if (notes.includes(note) || left.some((one) => one.includes(note))) continue;
      notes.push(note);
      room -= note.length;
    }
  }
  return notes;
}

/** Ids of the calls that load a skill. */
const loadsIn = ({ message }: Entry): string[] =>
  partsOf(message.content).flatMap((part) => (part.type === 'tool_use' && isLoad(part) ? [part.id] : []));

const isLoad = ({ name, input }: ToolUseContent): boolean =>
  name === 'use_skill' || (name === 'use_tool' && (input as { name?: unknown }).name === 'use_skill');

const textIn = ({ content }: ToolResultContent): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

const textOf = ({ message }: Entry): string =>
  partsOf(message.content)
    .map((part) => (part.type === 'text' ? part.text : part.type === 'tool_result' ? textIn(part) : ''))
    .join('\n');
