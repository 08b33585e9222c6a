/** The body of a `POST /chat/completions` to IR (API reference, "Create chat completion"). */
import type {
  CacheHint,
  Effort,
  IRChatRequest,
  IRParameters,
  IRResponseFormat,
  IRTool,
  IRToolChoice,
  IRWarning,
} from '../../ir.ts';
import type { Row } from '../field-check.ts';
import { warnUnknown } from '../read-media.ts';
import { readMessages } from './messages.ts';

/** Every field that is read, or that changes nothing here. */
const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'parallel_tool_calls',
  'response_format',
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'user',
  'reasoning_effort',
  'reasoning',
  'enable_thinking',
  'cache_control',
  'stream',
  'stream_options',
  'n',
  'metadata',
]);

/** Reads a valid body; fields that cannot be passed on are named in `metadata.warnings`. */
export function readOpenAIChat(body: Row): IRChatRequest {
  const warnings: IRWarning[] = [];
  const cache = new Set<CacheHint>();
  const { model } = body;
  warnUnknown(body, KNOWN, '', warnings);
  const messages = readMessages(body.messages, { model, warnings, marked: (where) => cache.add(where) });
  if (body.cache_control) cache.add('messages');
  const custom: Record<string, unknown> = {};
  if (body.stream_options?.include_usage) custom.includeUsage = true;
  if (typeof body.metadata === 'object' && body.metadata && !Array.isArray(body.metadata)) {
    custom.metadata = body.metadata;
    warnings.push({ kind: 'dropped', field: 'metadata', message: 'kept for middleware, not sent to the provider' });
  }
  const offered = readTools(body, warnings, cache);
  const { tools, toolChoice } = readChoice(body, offered, warnings);
  const responseFormat = readFormat(body.response_format);
  return {
    messages,
    ...(tools.length && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(typeof body.parallel_tool_calls === 'boolean' && { parallelToolCalls: body.parallel_tool_calls }),
    ...(responseFormat && { responseFormat }),
    parameters: readParameters(body, warnings),
    ...(cache.size && { cache: [...cache] }),
    metadata: {
      requestId: `chatcmpl-${crypto.randomUUID()}`,
      timestamp: Date.now(),
      provenance: { frontend: 'openai', requestedModel: model },
      ...(warnings.length && { warnings }),
      ...(Object.keys(custom).length && { custom }),
    },
    ...(typeof body.stream === 'boolean' && { stream: body.stream }),
  };
}

function readTools(body: Row, warnings: IRWarning[], cache: Set<CacheHint>): IRTool[] {
  const declared: Row[] = [
    ...(body.tools ?? []),
    ...(body.functions ?? []).map((declaration: Row) => ({ type: 'function', function: declaration })),
  ];
  return declared.flatMap((tool, i): IRTool[] => {
    if (tool.cache_control) cache.add('tools');
    if (tool.type !== 'function') {
      warnings.push({ kind: 'dropped', field: `tools[${i}]`, message: 'free-form tools cannot be passed on' });
      return [];
    }
    const { name, description, parameters, strict } = tool.function;
    if (strict)
      warnings.push({ kind: 'dropped', field: `tools[${i}].function.strict`, message: 'the schema is not enforced' });
    const schema = parameters ?? { type: 'object', properties: {} };
    return [{ name, ...(typeof description === 'string' && { description }), parameters: schema }];
  });
}

/** `allowed_tools` offers fewer tools; what it leaves out is not told to the model at all. */
function readChoice(
  body: Row,
  tools: IRTool[],
  warnings: IRWarning[],
): { tools: IRTool[]; toolChoice?: IRToolChoice | undefined } {
  const choice = body.tool_choice ?? body.function_call ?? undefined;
  if (choice === undefined || typeof choice === 'string') return { tools, toolChoice: choice };
  if (choice.type === 'allowed_tools') {
    const names = (choice.allowed_tools?.tools ?? []).map((tool: Row) => tool?.function?.name);
    warnings.push({ kind: 'approximated', field: 'tool_choice', message: 'only the allowed tools are offered' });
    const toolChoice = choice.allowed_tools?.mode === 'required' ? 'required' : 'auto';
    return { tools: tools.filter((tool) => names.includes(tool.name)), toolChoice };
  }
  const name: unknown = choice.function?.name ?? choice.name;
  if (typeof name === 'string') return { tools, toolChoice: { name } };
  warnings.push({ kind: 'dropped', field: 'tool_choice', message: 'free-form tools cannot be passed on' });
  return { tools };
}

function readFormat(format: Row | null | undefined): IRResponseFormat | undefined {
  if (!format) return undefined;
  if (format.type === 'json_object') return { type: 'json' };
  if (format.type !== 'json_schema') return { type: 'text' };
  const { name, schema = {}, strict } = format.json_schema;
  return { type: 'json_schema', name, schema, ...(typeof strict === 'boolean' && { strict }) };
}

const NAMES: Readonly<Record<string, keyof IRParameters>> = {
  model: 'model',
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  user: 'user',
  // The older name first: the newer one, where both are given, holds.
  max_tokens: 'maxTokens',
  max_completion_tokens: 'maxTokens',
};

function readParameters(body: Row, warnings: IRWarning[]): IRParameters {
  const out: Record<string, unknown> = {};
  for (const [name, own] of Object.entries(NAMES))
    if (body[name] !== undefined && body[name] !== null) out[own] = body[name];
  if (typeof body.stop === 'string') out.stopSequences = [body.stop];
  else if (body.stop?.length) out.stopSequences = body.stop;
  const effort = readEffort(body, warnings);
  if (effort !== undefined) out.effort = effort;
  return out;
}

const EFFORTS: Readonly<Record<string, Effort>> = {
  none: 'off',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

/** `reasoning_effort` (OpenAI), `reasoning` (OpenRouter) or `enable_thinking` (Qwen). */
function readEffort(body: Row, warnings: IRWarning[]): Effort | undefined {
  const { reasoning } = body;
  const asked: unknown = body.reasoning_effort ?? reasoning?.effort;
  if (typeof asked === 'string') {
    const effort = Object.hasOwn(EFFORTS, asked) ? EFFORTS[asked] : undefined;
    const field = 'reasoning_effort';
    if (effort === undefined) warnings.push({ kind: 'dropped', field, message: `“${asked}” is not known` });
    else if (effort !== asked && asked !== 'none')
      warnings.push({ kind: 'approximated', field, message: `“${asked}” is passed on as “${effort}”` });
    return effort;
  }
  if (typeof body.enable_thinking === 'boolean') return body.enable_thinking ? 'medium' : 'off';
  if (reasoning?.enabled === false) return 'off';
  if (reasoning?.max_tokens !== undefined)
    warnings.push({ kind: 'approximated', field: 'reasoning.max_tokens', message: 'is passed on as medium effort' });
  return reasoning?.enabled === true || reasoning?.max_tokens !== undefined ? 'medium' : undefined;
}
