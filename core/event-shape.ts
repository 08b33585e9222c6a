/**
 * Whether a stored line is what its type says. A reader of logs trusts nothing: a line with a missing or wrong field is
 * a damaged record, skipped and named like one that is no JSON. Unknown types and further fields are kept.
 */
import type { StoredEvent } from './types.ts';

type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object';
type Check = Kind | ((value: unknown) => boolean);

/** A log that numbers higher could not be gone on with: the next number would not be one that JSON carries. */
const LAST_SEQ = 2 ** 52;

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> => kindOf(value) === 'object';
const isMode = (value: unknown): boolean => value === 'ask' || value === 'plan' || value === 'auto';
const listOf =
  (check: (value: any) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(check);
const isAmount = (value: unknown): boolean => value === null || typeof value === 'number';
const isTokens = (value: unknown): boolean => typeof value === 'number' && value > 0;
const isUsage = (value: unknown): boolean => isObject(value) && Object.values(value).every(isAmount);
const isMedia = (value: unknown): boolean => isObject(value) && value.type === 'image' && isSource(value.source);
const isServed = (value: unknown): boolean => isObject(value) && isText(value.backend) && isText(value.model);
const isTodo = (value: unknown): boolean => isObject(value) && isText(value.text) && isText(value.status);
const isTool = (value: unknown): boolean => isObject(value) && isText(value.name) && isObject(value.parameters);
const isDenial = (value: unknown): boolean => isObject(value) && isText(value.id) && isText(value.name);
const isDisplay = (value: unknown): boolean =>
  isObject(value) && (SHOWN[String(value.kind)] ?? []).every((field) => isText(value[field]));

/** What is shown of a display of each kind. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  diff: ['path', 'patch'],
  terminal: ['command', 'output'],
};
/** The furthest from the epoch that a date can lie, in ms. */
const LAST_TIME = 8.64e15;
/** What no reader gets to the bottom of by calling itself; nothing that is told by a model or a tool comes near. */
const DEEPEST = 1000;

/** The fields without which an event of the type cannot be used. */
const NEEDED: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  session: {
    id: 'string',
    cwd: 'string',
    project: 'string',
    model: 'string',
    mode: isMode,
    system: 'string',
    tools: listOf(isTool),
  },
  user: { text: 'string' },
  assistant: { content: listOf(isPart), finish: 'string', served: isServed },
  note: { text: 'string', about: 'string' },
  tool_call: { id: 'string', name: 'string', input: 'object' },
  approval_request: { id: 'string', name: 'string', summary: 'string' },
  approval: { id: 'string', decision: 'string' },
  tool_result: { id: 'string', name: 'string', output: 'string' },
  question: { id: 'string', text: 'string' },
  answer: { id: 'string', text: 'string' },
  rule: { action: 'string', rule: 'string' },
  todos: { items: listOf(isTodo) },
  skill: { name: 'string' },
  compaction: { summary: 'string' },
  rewind: { to: 'number' },
  place: { project: 'string', cwd: 'string' },
  title: { text: 'string' },
  mode: { value: isMode },
  model: { value: 'string' },
  notice: { text: 'string' },
  retry: { reason: 'string' },
  error: { code: 'string', message: 'string' },
  done: { finish: 'string' },
};

/** Fields that may be absent, and must be this where they are not. */
const OPTIONAL: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  session: { contextTokens: isAmount, parent: 'string' },
  user: { images: listOf(isMedia), steered: 'boolean' },
  assistant: { usage: isUsage },
  tool_call: { detail: 'string' },
  approval_request: { input: 'object', danger: 'string', rule: 'string', preview: isDisplay },
  approval: { by: 'string', rule: 'string', scope: 'string', reason: 'string' },
  tool_result: { isError: 'boolean', images: listOf(isMedia), cwd: 'string', display: isDisplay },
  place: { from: 'string' },
  question: { options: listOf(isText), leave: 'string' },
  notice: {
    cut: (value) => value === null || (isObject(value) && isTokens(value.tokens) && isAmount(value.asked)),
    usage: isUsage,
    asked: 'boolean',
    rewound: 'number',
  },
  compaction: {
    before: 'number',
    after: 'number',
    from: 'number',
    pruneBefore: 'number',
    clip: 'number',
    usage: isUsage,
    asked: 'boolean',
  },
  retry: { usage: isUsage, moved: 'string' },
  done: {
    text: 'string',
    usage: isUsage,
    turns: 'number',
    denials: listOf(isDenial),
    durationMs: 'number',
    unsent: listOf(isText),
  },
};

/**
 * The event that a parsed line is; undefined where it is none. A `usage` of null says what an absent one says, and is
 * left out.
 */
export function storedEvent(value: unknown): StoredEvent | undefined {
  if (isObject(value) && value.usage === null && OPTIONAL[String(value.type)]?.usage) {
    const { usage: _, ...rest } = value;
    value = rest;
  }
  return isStoredEvent(value) ? value : undefined;
}

/** One of the types that ada writes itself. */
export const isTypeOfOwn = (type: unknown): boolean => typeof type === 'string' && Object.hasOwn(NEEDED, type);

function isStoredEvent(value: unknown): value is StoredEvent {
  if (!isObject(value) || typeof value.type !== 'string' || !isSeq(value.seq)) return false;
  if (value.time !== undefined && !isTime(value.time)) return false;
  if (!endsWithin(value, DEEPEST)) return false;
  const { type } = value;
  if (!isTypeOfOwn(type)) return true;
  const needed = NEEDED[type]!;
  for (const field in needed) if (!fits(value[field], needed[field]!)) return false;
  const optional = OPTIONAL[type];
  for (const field in optional) if (value[field] !== undefined && !fits(value[field], optional[field]!)) return false;
  return true;
}

/** A number that a log can be gone on with from. */
export const isSeq = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= LAST_SEQ;

/** Ms since the epoch that a date can hold. */
export const isTime = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) <= LAST_TIME;

/** Whether the value nests at most so many objects and lists in each other. */
function endsWithin(value: object, levels: number): boolean {
  if (levels === 0) return false;
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null && !endsWithin(inner, levels - 1)) return false;
  return true;
}

const fits = (value: unknown, check: Check): boolean =>
  typeof check === 'string' ? kindOf(value) === check : check(value);

function isPart(part: unknown): boolean {
  if (!isObject(part)) return false;
  const optional = (field: string) => part[field] === undefined || isText(part[field]);
  switch (part.type) {
    case 'text':
      return isText(part.text);
    case 'reasoning':
      return isText(part.text) && optional('signature') && optional('model');
    case 'tool_use':
      return isText(part.id) && isText(part.name) && isObject(part.input) && optional('raw') && optional('invalid');
    case 'image':
    case 'document':
      return isSource(part.source);
    default:
      return isText(part.type);
  }
}

function isSource(source: unknown): boolean {
  if (!isObject(source)) return false;
  return source.type === 'url' ? isText(source.url) : isText(source.data) && isText(source.mediaType);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}
