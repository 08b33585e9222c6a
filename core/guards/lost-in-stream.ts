/** Notices an answer that a server lost while it streamed: nothing at all, or a call whose name is debris of a parser. */
import type { StreamedMessage } from '../stream-message.ts';

export const EMPTY_ANSWER = 'the model answered nothing';
export const TORN_CALL = 'the server took a call apart wrongly';

/** Names of tools are words; brackets, quotes and marks are pieces of the model's own format. */
const NAME = /^[\w.:/-]*[a-z][\w.:/-]*$/i;

/**
 * Why the answer may be another one when it does not stream; undefined when it is as it should be. Only of servers on
 * this machine: hosted ones are paid for each answer, and stream well.
 */
export function lostInStream({ content, finish, metadata }: StreamedMessage): string | undefined {
  if (metadata?.provenance?.local !== true || (finish !== 'stop' && finish !== 'tool_use')) return undefined;
  const says = content.some((part) => part.type === 'tool_use' || (part.type === 'text' && part.text.trim() !== ''));
  if (!says) return EMPTY_ANSWER;
  const debris = content.find((part) => part.type === 'tool_use' && !NAME.test(part.name));
  return debris && TORN_CALL;
}
