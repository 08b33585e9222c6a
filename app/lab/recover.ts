/** `ada lab recover`: printed text to the calls, the content and the thinking in it. */

import { foldRecovery } from '../../providers/recovery/fold.ts';
import type { OfferedTool } from '../../providers/recovery/judge-call.ts';
import { optionalText } from '../lab-row.ts';

export function recover(row: Record<string, unknown>): unknown {
  const chunks = row.chunks ?? [row.text];
  if (!Array.isArray(chunks) || !chunks.every((chunk) => typeof chunk === 'string'))
    throw new Error(row.chunks === undefined ? 'text must be a string' : 'chunks must be a list of strings');
  const thinking = optionalText(row, 'thinking');
  const { tools, accepts } = offerOf(row.tools);
  const options = { tools, accepts, family: optionalText(row, 'family') };
  const found = foldRecovery({ thinking: thinking === undefined ? [] : [thinking], content: chunks }, options);
  return {
    calls: found.calls.map(({ name, arguments: input }) => ({ name, arguments: input })),
    content: found.content,
    thinking: found.thinking,
    invalid: found.invalid,
  };
}

/**
 * The tools of a row. A plain name that ends in `_tool` is the label of a definition (`get_weather_tool`), not the name
 * that a model prints: with such labels every name is taken for one that was offered.
 */
function offerOf(tools: unknown): {
  tools?: OfferedTool[];
  accepts?(): boolean;
} {
  if (tools === undefined || tools === null) return {};
  if (!Array.isArray(tools)) throw new Error('tools must be a list');
  const offered = tools.map((tool: unknown): OfferedTool => {
    if (typeof tool === 'string') return { name: tool };
    const { name, parameters } = (tool ?? {}) as Record<string, unknown>;
    if (typeof name !== 'string') throw new Error('each of tools must be a name or { name, parameters }');
    if (
      parameters !== undefined &&
      (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
    )
      throw new Error(`parameters of ${name} must be a JSON schema`);
    return { name, ...(parameters !== undefined && { parameters: parameters as Record<string, unknown> }) };
  });
  const labels = tools.some((tool) => typeof tool === 'string' && /_tool(?:_|$)/.test(tool));
  if (!labels) return { tools: offered };
  return { tools: offered, accepts: () => true };
}
