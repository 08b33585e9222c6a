/** What is known of a model at a vendor: what its server told of it wins over the catalogue. */
import type { IRUsage } from '../ir.ts';
import { type CatalogEntry, costOf, findModel } from './catalog.ts';
import { type KeptModel, keptList } from './kept-lists.ts';

export interface HostedFacts {
  /** Tokens; null when unknown. */
  contextTokens: number | null;
  outputTokens: number | null;
  /** Of the catalogue. */
  known: CatalogEntry | undefined;
  /** It is known what the model costs. */
  isPriced: boolean;
  /** US dollars of an answer that `served` gave, null when unknown. */
  cost(served: string, usage: IRUsage): number | null;
}

/** `lists`: the folder of kept lists; undefined for none. */
export function hostedFacts(model: string, vendor: string, url: string, lists: string | undefined): HostedFacts {
  const listed: ReadonlyMap<string, KeptModel> = lists === undefined ? new Map() : keptList(lists, vendor, url);
  const known = findModel(model, vendor);
  // `:nitro`, `:online` and the like say how it is served, not which one.
  const told = listed.get(model) ?? listed.get(model.replace(/:[a-z]+$/, ''));
  const priceOf = (id: string) => listed.get(id)?.price ?? findModel(id, vendor)?.price;
  return {
    contextTokens: told?.contextTokens ?? known?.contextTokens ?? null,
    outputTokens: told?.outputTokens ?? known?.outputTokens ?? null,
    known,
    isPriced: Boolean(priceOf(model)),
    cost: (served, usage) => costOf(usage, priceOf(served) ?? priceOf(model)),
  };
}
