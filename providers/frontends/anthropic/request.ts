/** The body of a `POST /v1/messages` to IR (API reference, "Messages"). */
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
import { type MessagesContext, readMessages, readSystem } from './messages.ts';

/** Every field that is read, or that changes nothing here. */
const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'stream',
  'metadata',
  'cache_control',
]);

/** Reads a valid body; fields that cannot be passed on are named in `metadata.warnings`. */
export function readAnthropic(body: Row): IRChatRequest {
  const warnings: IRWarning[] = [];
  const cache = new Set<CacheHint>();
  const { model } = body;
  warnUnknown(body, KNOWN, '', warnings);
  const mark = (where: CacheHint, { cache_control: control }: Row) => {
    const message = 'cache marks are passed on as hints, without their duration';
    if (control.ttl && control.ttl !== '5m' && !warnings.some((warning) => warning.message === message))
      warnings.push({ kind: 'approximated', field: 'cache_control.ttl', message });
    cache.add(where);
  };
  const context: MessagesContext = { model, warnings, marked: mark };
  const tools = readTools(body.tools ?? [], warnings, mark);
  const messages = [...readSystem(body.system, context), ...readMessages(body.messages, context)];
  if (body.cache_control) mark('messages', body);
  const toolChoice = readChoice(body.tool_choice);
  const alone = body.tool_choice?.disable_parallel_tool_use;
  const responseFormat = readFormat(body);
  return {
    messages,
    ...(tools.length && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(typeof alone === 'boolean' && { parallelToolCalls: !alone }),
    ...(responseFormat && { responseFormat }),
    parameters: readParameters(body, warnings),
    ...(cache.size && { cache: [...cache] }),
    metadata: {
      requestId: `msg_${crypto.randomUUID().replaceAll('-', '')}`,
      timestamp: Date.now(),
      provenance: { frontend: 'anthropic', requestedModel: model },
      ...(warnings.length && { warnings }),
    },
    ...(typeof body.stream === 'boolean' && { stream: body.stream }),
  };
}

function readTools(
  tools: readonly Row[],
  warnings: IRWarning[],
  mark: (where: CacheHint, tool: Row) => void,
): IRTool[] {
  return tools.flatMap((tool, i): IRTool[] => {
    if (tool.cache_control) mark('tools', tool);
    if (tool.type && tool.type !== 'custom') {
      const message = `${tool.name} runs at the provider and cannot be passed on`;
      warnings.push({ kind: 'dropped', field: `tools[${i}]`, message });
      return [];
    }
    if (tool.strict)
      warnings.push({ kind: 'dropped', field: `tools[${i}].strict`, message: 'the schema is not enforced' });
    const { name, description, input_schema: parameters } = tool;
    return [{ name, ...(typeof description === 'string' && { description }), parameters }];
  });
}

function readChoice(choice: Row | null | undefined): IRToolChoice | undefined {
  if (!choice) return undefined;
  if (choice.type === 'tool') return { name: choice.name };
  return choice.type === 'any' ? 'required' : choice.type;
}

/** The format has no name for a schema; others want one. */
function readFormat({ output_config: config, output_format: older }: Row): IRResponseFormat | undefined {
  const format = config?.format ?? older;
  return format?.schema ? { type: 'json_schema', name: 'answer', schema: format.schema } : undefined;
}

function readParameters(body: Row, warnings: IRWarning[]): IRParameters {
  const out: Record<string, unknown> = { model: body.model, maxTokens: body.max_tokens };
  const names = { temperature: 'temperature', top_p: 'topP', top_k: 'topK', stop_sequences: 'stopSequences' };
  for (const [name, own] of Object.entries(names))
    if (body[name] !== undefined && body[name] !== null) out[own] = body[name];
  if (typeof body.metadata?.user_id === 'string') out.user = body.metadata.user_id;
  const effort = readEffort(body, warnings);
  if (effort !== undefined) out.effort = effort;
  return out;
}

/** Budgets up to these many tokens count as so much effort. */
const BUDGETS: readonly (readonly [number, Effort])[] = [
  [4_096, 'low'],
  [16_384, 'medium'],
  [Number.POSITIVE_INFINITY, 'high'],
];
/** What the IR's efforts become as budgets: these come through unchanged. */
const EXACT: readonly number[] = [2_048, 8_192, 24_576];

function readEffort({ thinking, output_config: config }: Row, warnings: IRWarning[]): Effort | undefined {
  if (thinking?.type === 'disabled') {
    if (config?.effort)
      warnings.push({ kind: 'dropped', field: 'output_config.effort', message: 'steers only thinking here' });
    return 'off';
  }
  const asked: unknown = config?.effort;
  if (typeof asked === 'string') {
    const effort = asked === 'low' || asked === 'medium' || asked === 'high' ? asked : 'high';
    const field = 'output_config.effort';
    if (effort !== asked) warnings.push({ kind: 'approximated', field, message: `“${asked}” is passed on as “high”` });
    return effort;
  }
  // The model's own measure, where it is not steered, is high.
  if (thinking?.type === 'adaptive') return 'high';
  if (thinking?.type !== 'enabled') return undefined;
  const budget: number = thinking.budget_tokens;
  const effort = BUDGETS.find(([most]) => budget <= most)![1];
  if (!EXACT.includes(budget))
    warnings.push({
      kind: 'approximated',
      field: 'thinking.budget_tokens',
      message: `${budget} tokens are passed on as ${effort} effort`,
    });
  return effort;
}
