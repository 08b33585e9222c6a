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
import { growing } from './growing.ts';
import { documentText, misplaced } from './media.ts';

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
const KNOWN: readonly string[] = ['text', 'image', 'document', 'reasoning', 'tool_use', 'tool_result'];
const isBlank = (part: MessageContent): boolean => part.type === 'text' && part.text.trim() === '';

interface Repairing {
  out: RepairedMessage[];
  warnings: IRWarning[];
  /** Ids of the calls so far. */
  ids: Set<string>;
  /** Results already placed behind their call. */
  placed: Set<ToolResultContent>;
  /** A call had no result: a longer conversation may still bring it. */
  open: boolean;
}

/**
 * Rules: every call has exactly one result, right behind its message and in the order of the calls; missing results
 * become error results, results without a call become text, ids that appear twice are told apart; blank text is left
 * out, and a user message of nothing else says `(no text)`. What a message becomes depends on it and on the messages
 * before it, and on results that belong to it, never on anything later. The same message objects become the same
 * objects again.
 */
export function repairHistory(messages: readonly IRMessage[]): RepairedHistory {
  const { out, warnings } = repair(messages);
  return { messages: [...out], warnings: [...warnings] };
}

const repair = growing<IRMessage, Repairing>({
  start: () => ({ out: [], warnings: [], ids: new Set(), placed: new Set(), open: false }),
  step(state, message, index, messages) {
    if (message.role === 'assistant') {
      repairAssistant(state, message, index, messages);
      return;
    }
    const parts = partsOf(message.content);
    const rest: MessageContent[] = [];
    let placed = 0;
    for (const part of parts) {
      if (part.type !== 'tool_result') rest.push(part);
      else if (state.placed.has(part)) placed++;
      else {
        warn(state, index, 'downgraded', `the result of “${part.toolUseId}” has no call and is sent as text`);
        rest.push({ type: 'text', text: `Result of an earlier call${part.name ? ` of ${part.name}` : ''}:` });
        rest.push(...part.content);
      }
    }
    // A message that held nothing but results is now behind its call.
    if (parts.length && placed === parts.length) return;
    push(state, message.role === 'tool' ? { role: 'user', content: '' } : message, index, rest);
  },
  settled: ({ open }) => !open,
});

function repairAssistant(state: Repairing, message: IRMessage, index: number, messages: readonly IRMessage[]): void {
  const parts = partsOf(message.content);
  const calls = parts.filter((part): part is ToolUseContent => part.type === 'tool_use');
  if (calls.length === 0) {
    push(state, message, index, parts);
    return;
  }
  const results = resultsAfter(messages, index);
  const answers: ToolResultContent[] = [];
  const renamed = new Map<ToolUseContent, ToolUseContent>();
  for (const call of calls) {
    const id = unique(call.id, state.ids);
    if (id !== call.id) warn(state, index, 'renamed', `a second call “${call.id}” is sent as “${id}”`);
    if (call.invalid !== undefined)
      warn(state, index, 'repaired', `the arguments of “${call.id}” did not parse and are sent as text in an object`);
    const found = results.find((result) => result.toolUseId === call.id && !state.placed.has(result));
    if (found) state.placed.add(found);
    else {
      state.open = true;
      warn(state, index, 'repaired', `the call “${call.id}” had no result and gets an error result`);
    }
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
  push(state, message, index, renamed.size ? parts.map((part) => renamed.get(part as ToolUseContent) ?? part) : parts);
  state.out.push({ role: 'tool', content: answers, index: index + 1 });
}

function push(state: Repairing, message: IRMessage, index: number, parts: readonly MessageContent[]): void {
  const foreign = message.role === 'assistant' ? OF_OTHERS : OF_ASSISTANTS;
  const fits = (part: MessageContent) => KNOWN.includes(part.type) && !foreign.includes(part.type);
  let content = parts.filter((part) => !isBlank(part) && fits(part));
  if (!parts.every(fits)) {
    const types = [...new Set(parts.filter((part) => !fits(part)).map((part) => part.type))].join(', ');
    warn(state, index, 'dropped', `parts that a message of role ${message.role} cannot have: ${types}`);
  }
  if (message.role !== 'user' && content.some(isMedia))
    content = content.map((part) => (isMedia(part) ? asText(state, message, index, part) : part));
  if (content.length === 0) {
    if (message.role !== 'user') {
      warn(state, index, 'dropped', 'a message without content is not sent');
      return;
    }
    warn(state, index, 'repaired', `an empty message is sent as “${NO_TEXT}”`);
    content = [{ type: 'text', text: NO_TEXT }];
  }
  state.out.push({ role: message.role, content, index, ...(message.name !== undefined && { name: message.name }) });
}

const isMedia = (part: MessageContent): part is ImageContent | DocumentContent =>
  part.type === 'image' || part.type === 'document';

/** Every format takes images and documents only from the user and from tools. */
function asText(state: Repairing, { role }: IRMessage, index: number, part: ImageContent | DocumentContent) {
  const text = part.type === 'document' ? documentText(part) : undefined;
  if (text !== undefined)
    warn(state, index, 'downgraded', `a document in a message of role ${role} is sent as its text`);
  else warn(state, index, 'dropped', `a message of role ${role} cannot hold ${nameOf[part.type]}`);
  return { type: 'text', text: text ?? misplaced(part, role) } as const;
}

const nameOf = { image: 'an image', document: 'a document' } as const;

function warn({ warnings }: Repairing, index: number, kind: IRWarning['kind'], message: string): void {
  warnings.push({ kind, field: `messages[${index}]`, message });
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
