import type { Middleware } from '../adapter.ts';
import { costOf, type ModelPrice } from '../catalog/catalog.ts';
import { type IRUsage, resolveServedModel } from '../ir.ts';
import { tell } from './tell.ts';

/** What one answer used. Cost in US dollars; null when the price or the tokens are unknown. */
export interface CostEntry {
  requestId: string;
  model: string | undefined;
  backend: string | undefined;
  usage: IRUsage | undefined;
  cost: number | null;
}

export interface CostTrackingOptions {
  /** The price of a model at a backend; null or undefined when unknown. */
  priceOf: (
    model: string,
    backend: string | undefined,
  ) => ({ input: number; output: number } & Partial<ModelPrice>) | null | undefined;
  onCost?: (entry: CostEntry) => void;
}

/**
 * Reckons what each answer cost and writes it to `done.metadata.custom.cost`. A local or cached answer costs 0. What
 * `onCost` throws changes nothing; a price whose function throws is unknown.
 */
export function createCostTrackingMiddleware({ priceOf, onCost }: CostTrackingOptions): Middleware {
  const price: CostTrackingOptions['priceOf'] = (model, backend) => {
    try {
      return priceOf(model, backend);
    } catch {
      return null;
    }
  };
  return async function* costTracking(context, next) {
    for await (const chunk of next()) {
      if (chunk.type !== 'done') {
        yield chunk;
        continue;
      }
      const { provenance } = chunk.metadata;
      const model = resolveServedModel(provenance) ?? provenance?.requestedModel ?? context.request.parameters?.model;
      const backend = provenance?.backend;
      let cost: number | null = null;
      if (provenance?.local || chunk.metadata.custom?.cached === true) cost = 0;
      else if (model !== undefined) cost = costOf(chunk.usage, price(model, backend));
      tell(onCost, { requestId: chunk.metadata.requestId, model, backend, usage: chunk.usage, cost });
      yield { ...chunk, metadata: { ...chunk.metadata, custom: { ...chunk.metadata.custom, cost } } };
    }
  };
}
