import type { IRChatRequest, IRRole, MessageContent } from '../ir.ts';

type FieldType = 'string' | 'object' | 'source' | 'parts';
type Wrong = (field: string, message: string) => void;

const ROLES: readonly string[] = ['system', 'user', 'assistant', 'tool'] satisfies IRRole[];
/** The fields that a part of each type must have, and their types; `source` and `parts` are checked on their own. */
const PARTS: Readonly<Record<MessageContent['type'], Readonly<Record<string, FieldType>>>> = {
  text: { text: 'string' },
  image: { source: 'source' },
  document: { source: 'source' },
  reasoning: { text: 'string' },
  tool_use: { id: 'string', name: 'string', input: 'object' },
  tool_result: { toolUseId: 'string', content: 'parts' },
};
const TYPES = Object.keys(PARTS);
const INNER = ['text', 'image', 'document'];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Finds what a caller without types may have put into a request, and tells it by field. */
export function validateShape(request: IRChatRequest, wrong: Wrong): void {
  const { messages, tools, parameters } = request as { messages: unknown; tools?: unknown; parameters?: unknown };
  if (!Array.isArray(messages)) {
    wrong('messages', 'must be a list');
    return;
  }
  for (const [i, message] of messages.entries()) {
    const field = `messages[${i}]`;
    if (!isObject(message)) wrong(field, 'must be an object');
    else {
      if (!ROLES.includes(message.role as string))
        wrong(`${field}.role`, `${shown(message.role)} is no role; there are ${ROLES.join(', ')}`);
      if (typeof message.content !== 'string') validateParts(message.content, `${field}.content`, wrong);
    }
  }
  if (tools !== undefined && !Array.isArray(tools)) wrong('tools', 'must be a list');
  else
    for (const [i, tool] of (tools ?? []).entries()) {
      if (!isObject(tool)) wrong(`tools[${i}]`, 'must be an object');
      else {
        if (typeof tool.name !== 'string') wrong(`tools[${i}].name`, 'must be a string');
        if (!isObject(tool.parameters)) wrong(`tools[${i}].parameters`, 'must be a JSON Schema object');
      }
    }
  if (parameters !== undefined && !isObject(parameters)) wrong('parameters', 'must be an object');
  const { toolChoice } = request;
  if (toolChoice !== undefined && !isObject(toolChoice) && !['auto', 'required', 'none'].includes(toolChoice))
    wrong('toolChoice', `${shown(toolChoice)} is no choice; there are auto, required, none, or the name of a tool`);
}

function validateParts(parts: unknown, field: string, wrong: Wrong, types: readonly string[] = TYPES): void {
  if (!Array.isArray(parts)) {
    wrong(field, `must be a text or a list of parts, not ${shown(parts)}`);
    return;
  }
  for (const [i, part] of parts.entries()) {
    const at = `${field}[${i}]`;
    const type = isObject(part) && types.find((one) => one === part.type);
    const fields = type ? PARTS[type as MessageContent['type']] : undefined;
    if (!isObject(part)) wrong(at, 'must be an object');
    else if (!fields)
      wrong(`${at}.type`, `${shown(part.type)} is no type of a part here; there are ${types.join(', ')}`);
    else
      for (const [name, kind] of Object.entries(fields)) {
        const value = part[name];
        if (kind === 'parts') validateParts(value, `${at}.${name}`, wrong, INNER);
        else if (kind === 'source') validateSource(value, `${at}.${name}`, wrong);
        else if (kind === 'object' ? !isObject(value) : typeof value !== kind)
          wrong(`${at}.${name}`, `must be ${kind === 'object' ? 'an object' : 'a string'}`);
      }
  }
}

function validateSource(source: unknown, field: string, wrong: Wrong): void {
  if (!isObject(source)) {
    wrong(field, 'must be an object');
    return;
  }
  const { type } = source;
  if (type !== 'base64' && type !== 'url') {
    wrong(`${field}.type`, `${shown(type)} is no source; there are base64, url`);
    return;
  }
  for (const name of type === 'url' ? ['url'] : ['mediaType', 'data'])
    if (typeof source[name] !== 'string') wrong(`${field}.${name}`, 'must be a string');
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value));
