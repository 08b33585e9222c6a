import type { ModelInfo } from '../../adapter.ts';
import { countOf, type Fields, fieldsOf, includesOf, textOf } from '../../wire/answer-fields.ts';

/** One row of `GET /v1/models`, with the fields that some servers add; undefined for a row without an id. */
export function modelInfo(row: Fields, provider: string, local: boolean): ModelInfo | undefined {
  const id = textOf(row.id);
  if (id === null) return undefined;
  const meta = fieldsOf(row.meta);
  const inputs = fieldsOf(row.architecture).input_modalities;
  return {
    id,
    provider,
    local,
    contextTokens:
      countOf(row.context_length) ??
      countOf(row.max_model_len) ??
      countOf(row.context_window) ??
      countOf(row.max_context_length) ??
      countOf(meta.n_ctx),
    ...(countOf(meta.n_ctx_train) !== null && { trainedTokens: countOf(meta.n_ctx_train) }),
    outputTokens: countOf(fieldsOf(row.top_provider).max_completion_tokens) ?? countOf(row.max_completion_tokens),
    tools: includesOf(row.supported_parameters, 'tools'),
    vision: includesOf(inputs, 'image'),
    reasoning: includesOf(row.supported_parameters, 'reasoning'),
    size: countOf(meta.size),
    price: priceOf(fieldsOf(row.pricing)),
  };
}

/** In the list: US dollars a token, as text. */
function priceOf({ prompt, completion }: Fields): ModelInfo['price'] {
  if (prompt == null || completion == null) return null;
  const price = { input: Number(prompt) * 1e6, output: Number(completion) * 1e6 };
  return Number.isFinite(price.input) && Number.isFinite(price.output) ? price : null;
}
