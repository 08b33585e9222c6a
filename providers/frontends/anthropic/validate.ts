/** Checks a `POST /v1/messages` body (API reference, "Messages") and names what is wrong. */
import type { ValidationErrorDetail } from '../../errors.ts';
import { createFieldCheck, type FieldCheck, type FieldRule, isRow, type Row } from '../field-check.ts';

const TEXT: FieldRule = { type: 'text' };
const LIST: FieldRule = { type: 'list' };
const OBJECT: FieldRule = { type: 'object' };

const PARAMETERS: Readonly<Record<string, FieldRule>> = {
  temperature: { type: 'number', least: 0, most: 1 },
  top_p: { type: 'number', least: 0, most: 1 },
  top_k: { type: 'integer', least: 0 },
  stop_sequences: LIST,
  stream: { type: 'flag' },
  metadata: OBJECT,
  tools: LIST,
  tool_choice: OBJECT,
  thinking: OBJECT,
  output_config: OBJECT,
};

/** Blocks whose own field must be a text. */
const TEXT_OF: Readonly<Record<string, string>> = {
  text: 'text',
  thinking: 'thinking',
  redacted_thinking: 'data',
};

/** An assistant's may be of any type: what a provider ran itself has names of its own, and new ones. */
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'document', 'search_result', 'tool_result', 'container_upload'],
  system: ['text'],
  tool_result: ['text', 'image', 'document', 'search_result', 'tool_reference'],
};

/** The paths of all wrong fields, and what is wrong with each. */
export function faultsOfAnthropic(body: unknown): readonly ValidationErrorDetail[] {
  const check = createFieldCheck();
  if (check.needs(body, 'body', OBJECT)) checkBody(body as Row, check);
  return check.faults;
}

function checkBody(body: Row, check: FieldCheck): void {
  check.needs(body.model, 'model', TEXT);
  check.needs(body.max_tokens, 'max_tokens', { type: 'integer', least: 1 });
  if (check.needs(body.messages, 'messages', LIST)) {
    if (body.messages.length === 0) check.fail('messages', 'must not be empty');
    body.messages.forEach((message: unknown, index: number) => {
      checkMessage(message, `messages[${index}]`, check);
    });
  }
  if (body.system !== undefined && body.system !== null) checkContent(body.system, 'system', BLOCKS.system!, check);
  check.may(body, '', PARAMETERS);
  if (Array.isArray(body.stop_sequences))
    body.stop_sequences.forEach((text: unknown, i: number) => {
      check.needs(text, `stop_sequences[${i}]`, TEXT);
    });
  if (Array.isArray(body.tools))
    body.tools.forEach((tool: unknown, i: number) => {
      checkTool(tool, `tools[${i}]`, check);
    });
  const { tool_choice: choice, thinking } = body;
  if (isRow(choice)) {
    check.needs(choice.type, 'tool_choice.type', { type: 'text', oneOf: ['auto', 'any', 'tool', 'none'] });
    if (choice.type === 'tool') check.needs(choice.name, 'tool_choice.name', TEXT);
  }
  if (isRow(thinking)) {
    check.needs(thinking.type, 'thinking.type', { type: 'text', oneOf: ['enabled', 'disabled', 'adaptive'] });
    if (thinking.type === 'enabled')
      check.needs(thinking.budget_tokens, 'thinking.budget_tokens', { type: 'integer', least: 1024 });
  }
  const format = body.output_config?.format;
  if (isRow(format)) {
    check.needs(format.type, 'output_config.format.type', { type: 'text', oneOf: ['json_schema'] });
    check.needs(format.schema, 'output_config.format.schema', OBJECT);
  }
}

function checkMessage(message: unknown, at: string, check: FieldCheck): void {
  if (!check.needs(message, at, OBJECT) || !isRow(message)) return;
  const { role } = message;
  if (!check.needs(role, `${at}.role`, { type: 'text', oneOf: ['user', 'assistant', 'system'] })) return;
  checkContent(message.content, `${at}.content`, BLOCKS[role], check);
}

function checkContent(content: unknown, at: string, types: readonly string[] | undefined, check: FieldCheck): void {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) {
    check.fail(at, content === undefined ? 'is missing' : 'must be a string or an array of blocks');
    return;
  }
  content.forEach((block, i) => {
    checkBlock(block, `${at}[${i}]`, types, check);
  });
}

function checkBlock(block: unknown, at: string, types: readonly string[] | undefined, check: FieldCheck): void {
  if (!check.needs(block, at, OBJECT) || !isRow(block)) return;
  const { type } = block;
  if (!check.needs(type, `${at}.type`, { type: 'text', ...(types && { oneOf: types }) })) return;
  const own = Object.hasOwn(TEXT_OF, type) ? TEXT_OF[type] : undefined;
  if (own !== undefined) check.needs(block[own], `${at}.${own}`, TEXT);
  else if (type === 'image' || type === 'document') checkSource(block.source, `${at}.source`, check);
  else if (type === 'tool_use') {
    check.needs(block.id, `${at}.id`, TEXT);
    check.needs(block.name, `${at}.name`, TEXT);
    check.needs(block.input, `${at}.input`, OBJECT);
  } else if (type === 'tool_result') {
    check.needs(block.tool_use_id, `${at}.tool_use_id`, TEXT);
    if (block.content !== undefined && block.content !== null)
      checkContent(block.content, `${at}.content`, BLOCKS.tool_result!, check);
  }
}

function checkSource(source: unknown, at: string, check: FieldCheck): void {
  if (!check.needs(source, at, OBJECT) || !isRow(source)) return;
  if (source.type === 'base64' || source.type === 'text') {
    check.needs(source.media_type, `${at}.media_type`, TEXT);
    check.needs(source.data, `${at}.data`, TEXT);
  } else if (source.type === 'url') check.needs(source.url, `${at}.url`, TEXT);
  else check.needs(source.type, `${at}.type`, { type: 'text', oneOf: ['base64', 'text', 'url', 'content', 'file'] });
}

/** Tools with another `type` run at the provider and have no schema. */
function checkTool(tool: unknown, at: string, check: FieldCheck): void {
  if (!check.needs(tool, at, OBJECT) || !isRow(tool)) return;
  check.needs(tool.name, `${at}.name`, TEXT);
  if (tool.type === undefined || tool.type === null || tool.type === 'custom') {
    check.needs(tool.input_schema, `${at}.input_schema`, OBJECT);
    check.may(tool, `${at}.`, { description: TEXT });
  }
}
