/** What stands for a tool result that had to make room. */
import { type MessageContent, partsOf, type ToolResultContent } from '../../providers/ir.ts';
import type { Entry } from '../history.ts';
import { beginningOf, endingOf } from '../well-formed.ts';

/** Results up to this length say nearly as much as the line that would stand for them. */
export const SHORT_RESULT = 400;

/**
 * The entry with results longer than `limit` characters shortened: to one line that says what was there where `limit`
 * is 0, else to their beginning and end. The same entry when nothing is to be done.
 */
export function shortened(entry: Entry, details: ReadonlyMap<string, string>, limit: number | undefined): Entry {
  if (limit === undefined || entry.from !== 'result') return entry;
  const parts = partsOf(entry.message.content);
  const content = parts.map((part) => (part.type === 'tool_result' ? shorter(part, details, limit) : part));
  if (content.every((part, i) => part === parts[i])) return entry;
  return { ...entry, message: { ...entry.message, content } };
}

function shorter(part: ToolResultContent, details: ReadonlyMap<string, string>, limit: number): ToolResultContent {
  const text = textOf(part.content);
  const images = part.content.length - part.content.filter(({ type }) => type === 'text').length;
  const most = Math.max(limit, SHORT_RESULT);
  if (text.length <= most && (limit > 0 || images === 0)) return part;
  if (limit > 0) return { ...part, content: [{ type: 'text', text: clipped(text, limit) }] };
  const what = [part.name, details.get(part.toolUseId)].filter(Boolean).join(' ');
  const lines = text.split('\n').length;
  const size = images ? `${images} image${images > 1 ? 's' : ''}` : `${lines} lines, ${text.length} characters`;
  const again = 'Make the call again if you need it.';
  return {
    ...part,
    content: [{ type: 'text', text: `[result of ${what}: ${size}, left out to save room. ${again}]` }],
  };
}

/** Beginning and end, cut at lines where they are near. */
function clipped(text: string, limit: number): string {
  const head = beginningOf(text, Math.floor(limit / 2));
  const tail = endingOf(text, Math.floor(limit / 2));
  return `${head}\n[… ${text.length - head.length - tail.length} characters are left out to save room …]\n${tail}`;
}

const textOf = (content: readonly MessageContent[]): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
