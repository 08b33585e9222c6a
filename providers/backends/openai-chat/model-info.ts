import type { ModelInfo } from '../../adapter.ts';
import { countOf, type Fields, fieldsOf, includesOf, textOf } from '../../wire/answer-fields.ts';

/** One row of `GET /v1/models`, with the fields that some servers add; undefined for a row without an id. */
export function modelInfo(row: Fields, provider: string, local: boolean): ModelInfo | undefined {
  const id = textOf(row.id);
  if (id === null) return undefined;
  const meta = fieldsOf(row.meta);
  const inputs = fieldsOf(row.architecture).input_modalities;
  const longest = countOf(row.context_length);
  const usual = fieldsOf(row.top_provider);
  return {
    id,
    provider,
    local,
    contextTokens:
      // The longest of all who serve it, and that of the one who mostly does.
      leastOf(longest, countOf(usual.context_length)) ??
      countOf(row.max_model_len) ??
      countOf(row.context_window) ??
      countOf(row.max_context_length) ??
      countOf(meta.n_ctx),
    ...(countOf(meta.n_ctx_train) !== null && { trainedTokens: countOf(meta.n_ctx_train) }),
    outputTokens: countOf(usual.max_completion_tokens) ?? countOf(row.max_completion_tokens),
    tools: includesOf(row.supported_parameters, 'tools'),
    vision: includesOf(inputs, 'image'),
    reasoning: includesOf(row.supported_parameters, 'reasoning'),
    size: countOf(meta.size),
    price: priceOf(fieldsOf(row.pricing)),
  };
}

const leastOf = (a: number | null, b: number | null): number | null =>
  a !== null && b !== null ? Math.min(a, b) : (a ?? b);

/**
 * In the list: US dollars a token, as text (https://openrouter.ai/docs/models, "Pricing Object"); below 0 where it depends
 * on who answers.
 */
function priceOf({ prompt, completion, input_cache_read, input_cache_write }: Fields): ModelInfo['price'] {
  const [input, output, cacheRead, cacheWrite] = [prompt, completion, input_cache_read, input_cache_write].map(
    perMillion,
  );
  if (input === undefined || output === undefined) return null;
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

function perMillion(value: unknown): number | undefined {
  const price = typeof value === 'number' || textOf(value) !== null ? Number(value) * 1e6 : Number.NaN;
  // Binary fractions of a token's price have digits that nobody wrote.
  return Number.isFinite(price) && price >= 0 ? Number(price.toFixed(6)) : undefined;
}
