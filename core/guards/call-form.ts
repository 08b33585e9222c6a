/** What holds a model to the form of a call when it cannot keep to it by itself. */
import type { IRTool, JsonSchema } from '../../providers/ir.ts';

export const HELD_NOTICE =
  'the model called tools in a form that cannot be run; its next answer is held to that of a call';

/** The schema of one call as text: name and arguments of one of the tools. Tool call recovery reads it as a call. */
export const formOfACall = (tools: readonly IRTool[]): JsonSchema => ({
  anyOf: tools.map(({ name, parameters }) => ({
    type: 'object',
    properties: { name: { const: name }, arguments: parameters ?? { type: 'object' } },
    required: ['name', 'arguments'],
    additionalProperties: false,
  })),
});
