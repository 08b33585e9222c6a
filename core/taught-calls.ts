/**
 * Calls for a model whose template knows none: what it is taught of them in words, and a conversation in which calls and
 * results are words. The form is the one that most models have seen; tool call recovery reads it as a call.
 */
import {
  type IRChatRequest,
  type IRMessage,
  type MessageContent,
  partsOf,
  type ToolResultContent,
  type ToolUseContent,
} from '../providers/ir.ts';
import type { Entry } from './history.ts';
import type { StoredBody, ToolSchema } from './types.ts';

const LESSON = 'To call a tool, end your message with a call in exactly this form, and wait for its result:';

/** Whether a text of ada's (a system prompt, a note) holds what `teachCalls` says. */
export const holdsLesson = (text: string): boolean => text.includes(LESSON);

/** One line a tool, and one example. */
export function teachCalls(tools: readonly ToolSchema[]): string {
  const [first] = tools;
  if (!first) return '';
  const example = printed(first.name, JSON.stringify({ [fieldsOf(first)[0] ?? 'path']: 'README.md' }));
  return [
    LESSON,
    example,
    'Tools (`?`: may be left out):',
    ...tools.map((tool) => `- ${tool.name}(${argumentsOf(tool)}): ${tool.description}`),
  ].join('\n');
}

const printed = (name: string, args: string): string =>
  `<tool_call>{"name": ${JSON.stringify(name)}, "arguments": ${args}}</tool_call>`;

type Shape = { type?: unknown; enum?: unknown; properties?: Record<string, Shape>; items?: Shape; required?: unknown };

const fieldsOf = ({ parameters }: ToolSchema): string[] => Object.keys((parameters as Shape).properties ?? {});

const argumentsOf = ({ parameters }: ToolSchema): string => fields(parameters as Shape);

/** `path, offset?: integer`: what has no type is a string. */
function fields({ properties = {}, required }: Shape): string {
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties)
    .map(([name, shape]) => {
      const type = typeOf(shape);
      return `${name}${needed.includes(name) ? '' : '?'}${type === 'string' ? '' : `: ${type}`}`;
    })
    .join(', ');
}

function typeOf(shape: Shape): string {
  if (Array.isArray(shape.enum)) return shape.enum.join('|');
  if (shape.type === 'array') return `[${shape.items ? typeOf(shape.items) : ''}]`;
  if (shape.properties) return `{${fields(shape)}}`;
  return typeof shape.type === 'string' ? shape.type : 'string';
}

/** What the model in use must be told of calls. */
export interface Lesson {
  text: string;
  /** What a person is told, where it was not known before. */
  notice?: string;
}

/** Tells a model how to call in words, where it is to be told and is not yet; false where there is nothing to tell. */
export function teach(
  { entries, append }: { entries(): readonly Entry[]; append(body: StoredBody): void },
  lesson: Lesson | undefined,
): boolean {
  if (!lesson) return false;
  const { notice, text } = lesson;
  if (notice !== undefined) append({ type: 'notice', level: 'warning', text: notice });
  if (!entries().some(teaches)) append({ type: 'note', about: 'tools', text });
  return true;
}

const teaches = ({ from, message: { content } }: Entry): boolean =>
  (from === 'system' || from === 'instruction') &&
  partsOf(content).some((part) => part.type === 'text' && holdsLesson(part.text));

/** The same message each time: what grows behind it is told by identity. */
const known = new WeakMap<IRMessage, IRMessage>();

/** The request with its calls as the model was taught to write them, and their results as words of the user. */
export function callsAsText(request: IRChatRequest): IRChatRequest {
  return { ...request, messages: request.messages.map(asText) };
}

function asText(message: IRMessage): IRMessage {
  let worded = known.get(message);
  if (!worded) {
    worded = reworded(message);
    known.set(message, worded);
  }
  return worded;
}

function reworded(message: IRMessage): IRMessage {
  const parts = partsOf(message.content);
  if (!parts.some(({ type }) => type === 'tool_use' || type === 'tool_result')) return message;
  const content = parts.flatMap((part, i): MessageContent[] => {
    if (part.type === 'tool_use') return [{ type: 'text', text: `${i > 0 ? '\n' : ''}${callText(part)}` }];
    return part.type === 'tool_result' ? resultParts(part) : [part];
  });
  return { role: message.role === 'tool' ? 'user' : message.role, content };
}

const callText = ({ name, input, raw, invalid }: ToolUseContent): string =>
  printed(name, invalid !== undefined && raw ? raw : JSON.stringify(input));

function resultParts({ name, isError, content }: ToolResultContent): MessageContent[] {
  const of = name === undefined ? 'the call' : name;
  const heading: MessageContent = { type: 'text', text: `${isError ? 'Error' : 'Result'} of ${of}:` };
  return [heading, ...partsOf(content)];
}
