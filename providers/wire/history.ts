/** Brings a conversation into the form that every wire format can carry: pure, and stable as the conversation grows. */
import {
  type DocumentContent,
  type ImageContent,
  type IRMessage,
  type IRWarning,
  type MessageContent,
  partsOf,
  type ToolResultContent,
  type ToolUseContent,
} from '../ir.ts';

/** Messages as repaired: content is parts, results of a call follow its message at once in one `tool` message. */
export interface RepairedMessage {
  role: IRMessage['role'];
  content: readonly MessageContent[];
  name?: string;
  /** Index of the message that it was made from, for warnings. */
  index: number;
}

export interface RepairedHistory {
  messages: readonly RepairedMessage[];
  warnings: readonly IRWarning[];
}

const NO_RESULT = 'No result: the call was interrupted before it ended.';
const NO_TEXT = '(no text)';
const OF_ASSISTANTS: readonly string[] = ['tool_use', 'reasoning'];
const OF_OTHERS: readonly string[] = ['tool_result'];
const isBlank = (part: MessageContent): boolean => part.type === 'text' && part.text.trim() === '';

/**
 * Rules: every call has exactly one result, right behind its message and in the order of the calls; missing results
 * become error results, results without a call become text, ids that appear twice are told apart; blank text is left
 * out, and a user message of nothing else says `(no text)`. What a message becomes depends on it and on the messages
 * before it, and on results that belong to it, never on anything later.
 */
export function repairHistory(messages: readonly IRMessage[]): RepairedHistory {
  const warnings: IRWarning[] = [];
  const warn = (field: string, kind: IRWarning['kind'], message: string) => warnings.push({ kind, field, message });
  const out: RepairedMessage[] = [];
  const ids = new Set<string>();
  /** Results already placed behind their call. */
  const placed = new Set<ToolResultContent>();

  /** Remembers what a message became where nothing had to be mended. */
  const remember = (message: IRMessage, index: number, results: readonly ToolResultContent[], from: number) => {
    if (message.role !== 'tool') repaired.set(message, { index, results, out: out.slice(from) });
  };

  const push = (message: IRMessage, index: number, parts: readonly MessageContent[]) => {
    const foreign = message.role === 'assistant' ? OF_OTHERS : OF_ASSISTANTS;
    let content = parts.filter((part) => !isBlank(part) && !foreign.includes(part.type));
    if (parts.some((part) => foreign.includes(part.type)))
      warn(`messages[${index}]`, 'dropped', `parts that a message of role ${message.role} cannot have`);
    if (content.length === 0) {
      if (message.role !== 'user') {
        warn(`messages[${index}]`, 'dropped', 'a message without content is not sent');
        return;
      }
      warn(`messages[${index}]`, 'repaired', `an empty message is sent as “${NO_TEXT}”`);
      content = [{ type: 'text', text: NO_TEXT }];
    }
    out.push({ role: message.role, content, index, ...(message.name !== undefined && { name: message.name }) });
  };

  for (const [index, message] of messages.entries()) {
    const parts = partsOf(message.content);
    const [from, mended] = [out.length, warnings.length];
    const before = repaired.get(message);
    if (before && stillHolds(before, messages, index, ids)) {
      for (const { toolUseId } of before.results) ids.add(toolUseId);
      for (const result of before.results) placed.add(result);
      out.push(...before.out);
      continue;
    }
    if (message.role === 'assistant') {
      const calls = parts.filter((part): part is ToolUseContent => part.type === 'tool_use');
      if (calls.length === 0) {
        push(message, index, parts);
        if (warnings.length === mended) remember(message, index, [], from);
        continue;
      }
      const results = resultsAfter(messages, index);
      const answers: ToolResultContent[] = [];
      const renamed = new Map<ToolUseContent, ToolUseContent>();
      for (const call of calls) {
        const id = unique(call.id, ids);
        if (id !== call.id) warn(`messages[${index}]`, 'renamed', `a second call “${call.id}” is sent as “${id}”`);
        const found = results.find((result) => result.toolUseId === call.id && !placed.has(result));
        if (found) placed.add(found);
        else warn(`messages[${index}]`, 'repaired', `the call “${call.id}” had no result and gets an error result`);
        const result: ToolResultContent = found ?? {
          type: 'tool_result',
          toolUseId: id,
          name: call.name,
          content: [{ type: 'text', text: NO_RESULT }],
          isError: true,
        };
        answers.push({ ...result, toolUseId: id, name: call.name });
        if (id !== call.id) renamed.set(call, { ...call, id });
      }
      push(message, index, renamed.size ? parts.map((part) => renamed.get(part as ToolUseContent) ?? part) : parts);
      out.push({ role: 'tool', content: answers, index: index + 1 });
      if (warnings.length === mended)
        remember(
          message,
          index,
          results.filter((result) => placed.has(result)),
          from,
        );
      continue;
    }
    const rest: MessageContent[] = [];
    let text = false;
    for (const part of parts) {
      if (part.type !== 'tool_result') {
        rest.push(part);
        text = true;
      } else if (!placed.has(part)) {
        warn(`messages[${index}]`, 'downgraded', `the result of “${part.toolUseId}” has no call and is sent as text`);
        rest.push({ type: 'text', text: `Result of an earlier call${part.name ? ` of ${part.name}` : ''}:` });
        rest.push(...part.content);
        text = true;
      }
    }
    // A message that held nothing but results is now behind its call.
    if (!text && parts.length) continue;
    push(message.role === 'tool' ? { role: 'user', content: '' } : message, index, rest);
    if (warnings.length === mended) remember(message, index, [], from);
  }
  return { messages: out, warnings };
}

interface Remembered {
  index: number;
  /** The results that were placed behind the calls of the message. */
  results: readonly ToolResultContent[];
  out: readonly RepairedMessage[];
}

/**
 * What whole messages became last time. A conversation that grows brings the same objects again, and mapping them anew
 * for every request would make the hundredth cost a hundred times the first. Messages are never changed in place.
 */
const repaired = new WeakMap<IRMessage, Remembered>();

/** True when the message stands where it stood, with the same results behind it and ids that are still free. */
function stillHolds(
  before: Remembered,
  messages: readonly IRMessage[],
  index: number,
  ids: ReadonlySet<string>,
): boolean {
  if (before.index !== index) return false;
  if (!before.results.length) return true;
  const now = resultsAfter(messages, index);
  return (
    now.length === before.results.length &&
    before.results.every((result, i) => result === now[i] && !ids.has(result.toolUseId))
  );
}

/** The results between this assistant message and the next one. */
function resultsAfter(messages: readonly IRMessage[], index: number): ToolResultContent[] {
  const results: ToolResultContent[] = [];
  for (let i = index + 1; i < messages.length && messages[i]!.role !== 'assistant'; i++)
    for (const part of partsOf(messages[i]!.content)) if (part.type === 'tool_result') results.push(part);
  return results;
}

function unique(id: string, taken: Set<string>): string {
  let candidate = id || 'call';
  for (let n = 2; taken.has(candidate); n++) candidate = `${id || 'call'}_${n}`;
  taken.add(candidate);
  return candidate;
}

/** Images and documents of tool results, in order. */
export const mediaOf = (results: readonly MessageContent[]): (ImageContent | DocumentContent)[] =>
  results.flatMap((part) =>
    part.type === 'tool_result'
      ? part.content.filter((item): item is ImageContent | DocumentContent => item.type !== 'text')
      : [],
  );
