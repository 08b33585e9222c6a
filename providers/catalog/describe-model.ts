import type { ModelInfo } from '../adapter.ts';
import { findModel } from './catalog.ts';

/** What a server said of its model, and from the catalogue what it did not say. */
export function describeModel(model: ModelInfo): ModelInfo {
  const known = model.local ? undefined : findModel(model.id, model.provider);
  if (!known) return model;
  return {
    ...model,
    contextTokens: model.contextTokens ?? known.contextTokens,
    outputTokens: model.outputTokens ?? known.outputTokens,
    tools: model.tools ?? known.tools,
    vision: model.vision ?? known.vision,
    reasoning: model.reasoning ?? known.reasoning,
    price: model.price ?? (known.price && { input: known.price.input, output: known.price.output }),
  };
}
