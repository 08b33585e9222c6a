import type { Middleware } from '../adapter.ts';
import { ValidationError, type ValidationErrorDetail } from '../errors.ts';
import { type IRChatRequest, type IRParameters, partsOf } from '../ir.ts';
import { validateShape } from './request-shape.ts';

export interface ValidationOptions {
  maxMessages?: number;
  /** Longest text of all messages together, in characters. */
  maxCharacters?: number;
}

/** Refuses requests that no provider could serve, before they are sent: a ValidationError names every wrong field. */
export function createValidationMiddleware(options: ValidationOptions = {}): Middleware {
  return (context, next) => {
    const validationDetails = validateRequest(context.request, options);
    if (validationDetails.length === 0) return next();
    const first = validationDetails[0]!;
    const more = validationDetails.length > 1 ? ` (and ${validationDetails.length - 1} more)` : '';
    throw new ValidationError({ message: `${first.field}: ${first.message}${more}`, validationDetails });
  };
}

/** Everything that is wrong with a request as it stands, by field. */
export function validateRequest(request: IRChatRequest, options: ValidationOptions = {}): ValidationErrorDetail[] {
  const details: ValidationErrorDetail[] = [];
  const wrong = (field: string, message: string) => details.push({ field, message });
  const { maxMessages = Number.POSITIVE_INFINITY, maxCharacters = Number.POSITIVE_INFINITY } = options;

  validateShape(request, wrong);
  // What follows reads parts, and there are none to rely on.
  if (details.length > 0) return details;
  if (request.messages.every((message) => message.role === 'system')) wrong('messages', 'there is nothing to answer');
  if (request.messages.length > maxMessages) wrong('messages', `more than ${maxMessages}`);
  if (characters(request) > maxCharacters) wrong('messages', `more than ${maxCharacters} characters`);
  validateCalls(request, wrong);

  const names = new Set<string>();
  request.tools?.forEach(({ name, parameters }, i) => {
    if (!/^[\w-]{1,128}$/.test(name)) wrong(`tools[${i}].name`, `${JSON.stringify(name)} is not a tool name`);
    if (names.has(name)) wrong(`tools[${i}].name`, `${name} is there twice`);
    names.add(name);
    if (parameters.type !== undefined && parameters.type !== 'object')
      wrong(`tools[${i}].parameters`, 'must describe an object');
  });
  const choice = request.toolChoice;
  if (typeof choice === 'object' && !names.has(choice.name)) wrong('toolChoice', `there is no tool ${choice.name}`);

  const ranges: readonly [keyof IRParameters, number, number][] = [
    ['temperature', 0, 2],
    ['topP', 0, 1],
    ['topK', 0, Number.POSITIVE_INFINITY],
    ['maxTokens', 1, Number.POSITIVE_INFINITY],
    ['frequencyPenalty', -2, 2],
    ['presencePenalty', -2, 2],
  ];
  for (const [key, low, high] of ranges) {
    const value = request.parameters?.[key];
    if (value === undefined) continue;
    if (typeof value === 'number' && value >= low && value <= high) continue;
    wrong(
      `parameters.${key}`,
      `must be a number ${high === Number.POSITIVE_INFINITY ? `from ${low}` : `from ${low} to ${high}`}`,
    );
  }
  return details;
}

/** Every call has one result behind it, and every result a call before it. */
function validateCalls(request: IRChatRequest, wrong: (field: string, message: string) => void): void {
  const open = new Map<string, string>();
  const seen = new Set<string>();
  request.messages.forEach((message, i) => {
    partsOf(message.content).forEach((part, j) => {
      const field = `messages[${i}].content[${j}]`;
      if (part.type === 'tool_use') {
        if (message.role !== 'assistant') wrong(field, `a call in a message of role ${message.role}`);
        if (seen.has(part.id)) wrong(field, `the call id ${part.id} is there twice`);
        seen.add(part.id);
        open.set(part.id, field);
      } else if (part.type === 'tool_result' && !open.delete(part.toolUseId)) {
        const why = seen.has(part.toolUseId) ? 'a second result of' : 'a result without the call';
        wrong(field, `${why} ${part.toolUseId}`);
      }
    });
  });
  for (const [id, field] of open) wrong(field, `the call ${id} has no result`);
}

function characters(request: IRChatRequest): number {
  let sum = 0;
  for (const message of request.messages) {
    for (const part of partsOf(message.content)) {
      if (part.type === 'text' || part.type === 'reasoning') sum += part.text.length;
      else if (part.type === 'tool_result') {
        for (const inner of part.content) if (inner.type === 'text') sum += inner.text.length;
      }
    }
  }
  return sum;
}
