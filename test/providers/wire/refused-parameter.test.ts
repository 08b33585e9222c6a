import { expect, test } from 'vitest';
import { httpError } from '../../../providers/wire/http-error.ts';

const refusal = (body: string | Record<string, unknown>, status = 400) =>
  (httpError({ backend: 'vendor', model: 'm', status, body }) as { refused?: string }).refused;
const said = (message: string, more: Record<string, unknown> = {}) => refusal({ error: { message, ...more } });

test.each([
  ['"llama3.2:3b" does not support thinking', 'parameters.effort'],
  ['think value "medium" is not supported for this model', 'parameters.effort'],
  ['invalid think value: "max" (must be "high", "medium", "low", true, or false)', 'parameters.effort'],
  ['`reasoning_effort` is not supported with this model', 'parameters.effort'],
  ['This model does not support the effort parameter.', 'parameters.effort'],
  ['adaptive thinking is not supported on this model', 'parameters.effort'],
  ['"thinking.type.enabled" is not supported for this model.', 'parameters.effort'],
  ['Argument not supported on this model: reasoningEffort', 'parameters.effort'],
  ['Unrecognized request argument supplied: reasoning_effort', 'parameters.effort'],
  ['thinking: Extra inputs are not permitted', 'parameters.effort'],
  ['`temperature` is deprecated for this model.', 'parameters.temperature'],
  ["Unsupported parameter: 'top_p' is not supported with this model.", 'parameters.topP'],
  ['Unknown parameter: parallel_tool_calls', 'parallelToolCalls'],
  ['Model m does not support parameter presencePenalty.', 'parameters.presencePenalty'],
])('refused: %s', (message, field) => expect(said(message)).toBe(field));

test('the name beside the words is taken at its word', () => {
  const value =
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.";
  expect(said(value, { param: 'temperature', code: 'unsupported_value' })).toBe('parameters.temperature');
  const parameter = "Unsupported parameter: 'reasoning.effort' is not supported with this model.";
  expect(said(parameter, { param: 'reasoning.effort', code: 'unsupported_parameter' })).toBe('parameters.effort');
  const role = "Unsupported value: 'messages[0].role' does not support 'system' with this model.";
  expect(said(role, { param: 'messages[0].role', code: 'unsupported_value' })).toBeUndefined();
  const detail = [
    { type: 'extra_forbidden', loc: ['body', 'reasoning_effort'], msg: 'Extra inputs are not permitted' },
  ];
  expect(refusal({ detail }, 422)).toBe('parameters.effort');
});

test.each([
  "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
  'temperature: range: 0..1',
  'messages.1.content.0: Invalid `signature` in `thinking` block',
  'messages.1.content.0.thinking: Extra inputs are not permitted',
  'm does not support tools',
  'This model does not support images',
  'max_tokens is not supported with this model',
  'tool_choice: thinking may not be enabled when tool_choice forces tool use.',
  'I think this is unsupported',
  '',
])('not refused: %s', (message) => expect(said(message)).toBeUndefined());

test('only a refusal of the request counts', () => {
  const body = { error: { message: '"m" does not support thinking' } };
  for (const status of [401, 403, 404, 429, 500]) expect(refusal(body, status)).toBeUndefined();
});
