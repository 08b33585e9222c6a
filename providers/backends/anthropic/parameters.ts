/** Sampling, thinking and the form of the answer in a request to Anthropic Messages. */
import type { Effort, IRChatRequest } from '../../ir.ts';
import { anthropicSchema } from '../../wire/fitted-schema.ts';
import type { AnthropicBody, Mapping } from './request.ts';

const LEAST_BUDGET = 1_024;
const BUDGET: Readonly<Record<Exclude<Effort, 'off'>, number>> = { low: 2_048, medium: 8_192, high: 24_576 };

/**
 * Claude 4.6 and later decide themselves how much they think and are steered by effort; earlier ones want a budget.
 * Source: Anthropic, "Adaptive thinking".
 */
export function thinkingStyle(model: string): 'budget' | 'adaptive' {
  const version = /claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(model);
  const major = Number(version?.[1] ?? 0);
  return major > 4 || (major === 4 && Number(version?.[2] ?? 0) >= 6) ? 'adaptive' : 'budget';
}

/** Sets what steers the answer, after the tools: thinking changes the choice of one. */
export function setParameters(body: AnthropicBody, request: IRChatRequest, mapping: Mapping): void {
  const { warnings } = mapping;
  const parameters = request.parameters ?? {};
  const drop = (field: string, why: string) =>
    warnings.push({ kind: 'dropped', field: `parameters.${field}`, message: why });
  const stops = parameters.stopSequences?.filter((sequence) => sequence.trim() !== '') ?? [];
  if (stops.length) body.stop_sequences = stops;
  if (stops.length < (parameters.stopSequences?.length ?? 0))
    drop('stopSequences', 'stop sequences of blanks alone are not in this format');
  if (parameters.user !== undefined) body.metadata = { user_id: parameters.user };
  for (const field of ['seed', 'frequencyPenalty', 'presencePenalty'] as const)
    if (parameters[field] !== undefined) drop(field, 'not in this format');
  const thinks = setThinking(body, parameters.effort, mapping);
  for (const [field, name] of [
    ['temperature', 'temperature'],
    ['topP', 'top_p'],
    ['topK', 'top_k'],
  ] as const) {
    const value = parameters[field];
    if (value === undefined) continue;
    if (thinks) drop(field, 'not allowed while the model thinks');
    else if (field === 'temperature' && (value > 1 || value < 0)) {
      body.temperature = value > 1 ? 1 : 0;
      const message = `${value} is sent as ${body.temperature}`;
      warnings.push({ kind: 'clamped', field: 'parameters.temperature', message });
    } else body[name] = value;
  }
  const format = request.responseFormat;
  if (format?.type === 'json_schema')
    body.output_config = {
      ...body.output_config,
      format: { type: 'json_schema', schema: anthropicSchema(format.schema, 'responseFormat.schema', warnings) },
    };
  else if (format?.type === 'json')
    warnings.push({ kind: 'dropped', field: 'responseFormat', message: 'JSON without a schema is not in this format' });
}

/** True when the model will think. */
function setThinking(body: AnthropicBody, effort: Effort | undefined, mapping: Mapping): boolean {
  if (effort === undefined) return false;
  if (!mapping.facts.reasoning) {
    if (effort !== 'off')
      mapping.warnings.push({
        kind: 'dropped',
        field: 'parameters.effort',
        message: `${mapping.model} does not think`,
      });
    return false;
  }
  if (effort === 'off') {
    body.thinking = { type: 'disabled' };
    return false;
  }
  if (mapping.thinking === 'adaptive') {
    body.thinking = { type: 'adaptive' };
    body.output_config = { effort };
  } else {
    const budget = Math.min(BUDGET[effort], body.max_tokens - LEAST_BUDGET);
    if (budget < LEAST_BUDGET) {
      mapping.warnings.push({
        kind: 'dropped',
        field: 'parameters.effort',
        message: 'maxTokens leaves no room to think',
      });
      return false;
    }
    if (budget < BUDGET[effort])
      mapping.warnings.push({
        kind: 'clamped',
        field: 'parameters.effort',
        message: `maxTokens leaves ${budget} tokens to think`,
      });
    body.thinking = { type: 'enabled', budget_tokens: budget };
  }
  if (body.tool_choice?.type === 'any' || body.tool_choice?.type === 'tool') {
    if (body.tool_choice.disable_parallel_tool_use)
      body.tool_choice = { type: 'auto', disable_parallel_tool_use: true };
    else delete body.tool_choice;
    mapping.warnings.push({ kind: 'dropped', field: 'toolChoice', message: 'a thinking model chooses itself' });
  }
  return true;
}
