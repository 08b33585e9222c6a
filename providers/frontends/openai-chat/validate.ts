/** Checks a `POST /chat/completions` body (API reference, "Create chat completion") and names what is wrong. */
import type { ValidationErrorDetail } from '../../errors.ts';
import { createFieldCheck, type FieldCheck, type FieldRule, isRow, type Row } from '../field-check.ts';

const TEXT: FieldRule = { type: 'text' };
const LIST: FieldRule = { type: 'list' };
const OBJECT: FieldRule = { type: 'object' };
const COUNT: FieldRule = { type: 'integer', least: 1 };

const PARAMETERS: Readonly<Record<string, FieldRule>> = {
  temperature: { type: 'number', least: 0, most: 2 },
  top_p: { type: 'number', least: 0, most: 1 },
  // Some servers write “off” as -1.
  top_k: { type: 'integer', least: -1 },
  max_tokens: COUNT,
  max_completion_tokens: COUNT,
  frequency_penalty: { type: 'number', least: -2, most: 2 },
  presence_penalty: { type: 'number', least: -2, most: 2 },
  seed: { type: 'integer' },
  // The IR holds one answer; fewer than were asked for would break the caller silently.
  n: { type: 'integer', least: 1, most: 1 },
  user: TEXT,
  stream: { type: 'flag' },
  stream_options: OBJECT,
  parallel_tool_calls: { type: 'flag' },
  reasoning_effort: TEXT,
  tools: LIST,
  functions: LIST,
  metadata: OBJECT,
};

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];
const USER_PARTS = ['text', 'image_url', 'file', 'input_audio'];
const PARTS: Readonly<Record<string, readonly string[]>> = {
  system: ['text'],
  developer: ['text'],
  user: USER_PARTS,
  // Not OpenAI's, but what servers with eyes take.
  tool: USER_PARTS,
  assistant: ['text', 'refusal'],
  function: ['text'],
};

/** The paths of all wrong fields, and what is wrong with each. */
export function faultsOfOpenAIChat(body: unknown): readonly ValidationErrorDetail[] {
  const check = createFieldCheck();
  if (check.needs(body, 'body', OBJECT)) checkBody(body as Row, check);
  return check.faults;
}

function checkBody(body: Row, check: FieldCheck): void {
  check.needs(body.model, 'model', TEXT);
  if (check.needs(body.messages, 'messages', LIST)) {
    if (body.messages.length === 0) check.fail('messages', 'must not be empty');
    body.messages.forEach((message: unknown, index: number) => {
      checkMessage(message, `messages[${index}]`, check);
    });
  }
  check.may(body, '', PARAMETERS);
  const { stop, tools, functions, tool_choice: choice, response_format: format } = body;
  if (stop !== undefined && stop !== null && typeof stop !== 'string') {
    if (check.needs(stop, 'stop', LIST))
      stop.forEach((text: unknown, i: number) => {
        check.needs(text, `stop[${i}]`, TEXT);
      });
  }
  if (Array.isArray(tools))
    tools.forEach((tool, i) => {
      checkTool(tool, `tools[${i}]`, check);
    });
  if (Array.isArray(functions))
    functions.forEach((declared, i) => {
      checkFunction(declared, `functions[${i}]`, check);
    });
  if (typeof choice === 'string')
    check.needs(choice, 'tool_choice', { type: 'text', oneOf: ['none', 'auto', 'required'] });
  else if (choice !== undefined && choice !== null && check.needs(choice, 'tool_choice', OBJECT)) {
    if (choice.type === 'function') check.needs(choice.function?.name, 'tool_choice.function.name', TEXT);
    else check.needs(choice.type, 'tool_choice.type', { type: 'text', oneOf: ['function', 'allowed_tools', 'custom'] });
  }
  if (format !== undefined && format !== null && check.needs(format, 'response_format', OBJECT)) {
    const type: FieldRule = { type: 'text', oneOf: ['text', 'json_object', 'json_schema'] };
    if (check.needs(format.type, 'response_format.type', type) && format.type === 'json_schema') {
      const base = 'response_format.json_schema';
      if (check.needs(format.json_schema, base, OBJECT)) {
        check.needs(format.json_schema.name, `${base}.name`, TEXT);
        check.may(format.json_schema, `${base}.`, { schema: OBJECT, strict: { type: 'flag' } });
      }
    }
  }
}

function checkMessage(message: unknown, at: string, check: FieldCheck): void {
  if (!check.needs(message, at, OBJECT) || !isRow(message)) return;
  const { role, content } = message;
  if (!check.needs(role, `${at}.role`, { type: 'text', oneOf: ROLES })) return;
  check.may(message, `${at}.`, { name: TEXT });
  const calls = role === 'assistant' ? message.tool_calls : undefined;
  const optional = role === 'assistant' || role === 'function';
  if (content === null || content === undefined) {
    if (!optional) check.fail(`${at}.content`, content === null ? 'must not be null' : 'is missing');
  } else if (typeof content !== 'string') {
    if (Array.isArray(content))
      content.forEach((part, i) => {
        checkPart(part, `${at}.content[${i}]`, PARTS[role]!, check);
      });
    else check.fail(`${at}.content`, 'must be a string or an array of parts');
  }
  if (role === 'tool') check.needs(message.tool_call_id, `${at}.tool_call_id`, TEXT);
  if (role === 'function') check.needs(message.name, `${at}.name`, TEXT);
  if (calls !== undefined && calls !== null && check.needs(calls, `${at}.tool_calls`, LIST))
    calls.forEach((call: unknown, i: number) => {
      checkCall(call, `${at}.tool_calls[${i}]`, check);
    });
}

function checkPart(part: unknown, at: string, types: readonly string[], check: FieldCheck): void {
  if (!check.needs(part, at, OBJECT) || !isRow(part)) return;
  if (!check.needs(part.type, `${at}.type`, { type: 'text', oneOf: types })) return;
  if (part.type === 'text') check.needs(part.text, `${at}.text`, TEXT);
  else if (part.type === 'refusal') check.needs(part.refusal, `${at}.refusal`, TEXT);
  else if (part.type === 'image_url') {
    // Some clients write the URL itself in the place of its object.
    const bare = typeof part.image_url === 'string';
    check.needs(bare ? part.image_url : part.image_url?.url, bare ? `${at}.image_url` : `${at}.image_url.url`, TEXT);
  } else if (part.type === 'file') check.needs(part.file, `${at}.file`, OBJECT);
}

function checkCall(call: unknown, at: string, check: FieldCheck): void {
  if (!check.needs(call, at, OBJECT) || !isRow(call)) return;
  check.needs(call.id, `${at}.id`, TEXT);
  if (call.type === 'custom') {
    check.needs(call.custom?.name, `${at}.custom.name`, TEXT);
    check.needs(call.custom?.input, `${at}.custom.input`, TEXT);
    return;
  }
  check.needs(call.function?.name, `${at}.function.name`, TEXT);
  check.needs(call.function?.arguments, `${at}.function.arguments`, TEXT);
}

function checkTool(tool: unknown, at: string, check: FieldCheck): void {
  if (!check.needs(tool, at, OBJECT) || !isRow(tool)) return;
  if (!check.needs(tool.type, `${at}.type`, { type: 'text', oneOf: ['function', 'custom'] })) return;
  if (tool.type === 'function') checkFunction(tool.function, `${at}.function`, check);
}

function checkFunction(declared: unknown, at: string, check: FieldCheck): void {
  if (!check.needs(declared, at, OBJECT) || !isRow(declared)) return;
  check.needs(declared.name, `${at}.name`, TEXT);
  check.may(declared, `${at}.`, { description: TEXT, parameters: OBJECT });
}
