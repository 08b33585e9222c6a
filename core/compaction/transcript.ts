/** A conversation as plain text, in pieces that a small window holds: what is too long for a request is summarised so. */
import { type IRMessage, type MessageContent, partsOf } from '../../providers/ir.ts';
import { beginningOf, endingOf } from '../well-formed.ts';
import { shared } from './shared.ts';

/** Between two messages. */
const BETWEEN = '\n\n';
/** What stands for the middle of a text takes about so much. */
const MARK = 60;

/**
 * The messages as text in at most `most` pieces of at most `limit` characters, oldest first. Where they are longer than
 * that together, the longest ones lose their middle and those that are short stay whole.
 */
export function transcript(messages: readonly IRMessage[], limit: number, most: number): string[] {
  const texts = messages.map(textOf).filter((text) => text !== '');
  const rooms = shared(
    texts.map(({ length }) => length + BETWEEN.length),
    limit * most * FILLED,
  );
  let rest = texts.map((text, i) => withoutMiddle(text, Math.floor(rooms[i]!) - BETWEEN.length)).join(BETWEEN);
  const pieces: string[] = [];
  while (rest.length > limit) {
    const piece = upToALine(beginningOf(rest, limit), Math.ceil(limit * FILLED));
    pieces.push(piece.trim());
    rest = rest.slice(piece.length);
  }
  return rest.trim() ? [...pieces, rest.trim()] : pieces;
}

/** A piece ends with a line where one ends behind this share of it. */
const FILLED = 0.9;

function upToALine(text: string, least: number): string {
  const end = text.lastIndexOf('\n');
  return end < least ? text : text.slice(0, end);
}

function withoutMiddle(text: string, room: number): string {
  if (text.length <= room) return text;
  const half = Math.max(0, Math.floor((room - MARK) / 2));
  const head = beginningOf(text, half);
  const tail = endingOf(text, half);
  return `${head} [… ${text.length - head.length - tail.length} characters left out …] ${tail}`;
}

const WHO = { user: 'User', assistant: 'Assistant', tool: 'Result', system: 'System', developer: 'System' } as const;

function textOf({ role, content }: IRMessage): string {
  const text = partsOf(content).map(partText).filter(Boolean).join('\n');
  return text && `${WHO[role]}: ${text}`;
}

function partText(part: MessageContent): string {
  switch (part.type) {
    case 'text':
      return part.text.trim();
    // It is thinking that led to what stands beside it.
    case 'reasoning':
      return '';
    case 'tool_use':
      return `(calls ${part.name} ${part.raw ?? JSON.stringify(part.input)})`;
    case 'tool_result':
      return `${part.isError ? '(failed) ' : ''}${part.content.map(partText).join('\n')}`;
    default:
      return `(${part.type})`;
  }
}
