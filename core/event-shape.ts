/**
 * Whether a stored line is what its type says. A reader of logs trusts nothing: a line with a missing or wrong field is
 * a damaged record, skipped and named like one that is no JSON. Unknown types and further fields are kept.
 */
import type { StoredEvent } from './types.ts';

type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** The fields without which an event of the type cannot be used. */
const NEEDED: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  session: {
    id: 'string',
    cwd: 'string',
    project: 'string',
    model: 'string',
    mode: 'string',
    system: 'string',
    tools: 'array',
  },
  user: { text: 'string' },
  assistant: { content: 'array', finish: 'string', served: 'object' },
  note: { text: 'string', about: 'string' },
  tool_call: { id: 'string', name: 'string', input: 'object' },
  approval_request: { id: 'string', name: 'string', summary: 'string' },
  approval: { id: 'string', decision: 'string' },
  tool_result: { id: 'string', name: 'string', output: 'string' },
  question: { id: 'string', text: 'string' },
  answer: { id: 'string', text: 'string' },
  rule: { action: 'string', rule: 'string' },
  todos: { items: 'array' },
  skill: { name: 'string' },
  compaction: { summary: 'string' },
  mode: { value: 'string' },
  model: { value: 'string' },
  notice: { text: 'string' },
  retry: { reason: 'string' },
  error: { code: 'string', message: 'string' },
  done: { finish: 'string' },
};

export function isStoredEvent(value: unknown): value is StoredEvent {
  if (!isObject(value) || typeof value.type !== 'string' || !Number.isSafeInteger(value.seq)) return false;
  const needed = Object.hasOwn(NEEDED, value.type) ? NEEDED[value.type]! : {};
  for (const [field, kind] of Object.entries(needed)) if (kindOf(value[field]) !== kind) return false;
  return value.type !== 'assistant' || (value.content as unknown[]).every(isPart);
}

function isPart(part: unknown): boolean {
  if (!isObject(part)) return false;
  if (part.type === 'text' || part.type === 'reasoning') return typeof part.text === 'string';
  if (part.type === 'tool_use')
    return typeof part.id === 'string' && typeof part.name === 'string' && isObject(part.input);
  return typeof part.type === 'string';
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

const isObject = (value: unknown): value is Record<string, unknown> => kindOf(value) === 'object';
