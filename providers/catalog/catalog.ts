import type { IRUsage } from '../ir.ts';
import { type CatalogRow, catalog } from './models.ts';

/** US dollars per million tokens; unknown is null. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheRead: number | null;
  cacheWrite: number | null;
  /** Prices of requests whose prompt is longer than `above` tokens, shortest first. */
  steps: readonly { above: number; input: number; output: number; cacheRead: number | null }[];
}

/** What the catalogue says of a model; `price` only where the vendor's own price is known. */
export interface CatalogEntry {
  id: string;
  contextTokens: number;
  outputTokens: number;
  tools: boolean;
  vision: boolean;
  reasoning: boolean;
  price: ModelPrice | null;
}

/**
 * What is known of a model at a vendor: by its id, a dated or `-latest` form of it, or the id behind `author/`. A newer
 * version is never taken for an older one. The price is the vendor's own, else null; without `vendor` it is given when
 * one vendor alone has the model. Undefined when the model is not in the catalogue.
 */
export function findModel(id: string, vendor?: string): CatalogEntry | undefined {
  const own = vendor === undefined ? undefined : findRow(catalog[vendor] ?? [], id);
  if (own) return entryOf(own, true);
  const bare = id.slice(id.lastIndexOf('/') + 1);
  const rows: CatalogRow[] = [];
  for (const list of Object.values(catalog)) {
    // Resellers write versions with a dot where the vendor has a dash.
    const row = findRow(list, id) ?? findRow(list, bare) ?? findRow(list, bare.replaceAll('.', '-'));
    if (row) rows.push(row);
  }
  // The same weights have the same abilities everywhere, but not the same price.
  return rows[0] && entryOf(rows[0], vendor === undefined && rows.length === 1);
}

/** Whether a vendor of the table is known to serve a model of exactly this name. */
export const isListed = (id: string, vendor: string): boolean => findRow(catalog[vendor] ?? [], id) !== undefined;

function findRow(rows: readonly CatalogRow[], id: string): CatalogRow | undefined {
  return (
    rows.find((row) => row[0] === id) ??
    rows.find(
      (row) => id.startsWith(row[0]) && /^(-latest|-\d{8}|-\d{4}-\d{2}-\d{2}|@.+)$/.test(id.slice(row[0].length)),
    )
  );
}

function entryOf(row: CatalogRow, priced: boolean): CatalogEntry {
  const [id, contextTokens, outputTokens, abilities, input, output, cacheRead = null, cacheWrite = null, steps = []] =
    row;
  return {
    id,
    contextTokens,
    outputTokens,
    tools: abilities.includes('t'),
    vision: abilities.includes('v'),
    reasoning: abilities.includes('r'),
    price: priced
      ? {
          input,
          output,
          cacheRead,
          cacheWrite,
          steps: steps.map(([above, stepInput, stepOutput, stepRead = null]) => ({
            above,
            input: stepInput,
            output: stepOutput,
            cacheRead: stepRead,
          })),
        }
      : null,
  };
}

/**
 * US dollars that an answer cost; null when its tokens or the price are unknown. Cached tokens without a price of
 * their own are charged as fresh ones: never less than the bill.
 */
export function costOf(
  usage: IRUsage | undefined,
  price: ({ input: number; output: number } & Partial<ModelPrice>) | null | undefined,
): number | null {
  // Who charges knows.
  if (usage?.cost !== undefined) return usage.cost;
  if (!price || usage?.promptTokens == null || usage.completionTokens == null) return null;
  const prompt = usage.promptTokens;
  const step = price.steps?.findLast((candidate) => prompt > candidate.above);
  const { input, output } = step ?? price;
  const read = Math.min(usage.cacheReadTokens ?? 0, prompt);
  const written = Math.min(usage.cacheWriteTokens ?? 0, prompt - read);
  const dollars =
    (prompt - read - written) * input +
    read * ((step ?? price).cacheRead ?? input) +
    written * (price.cacheWrite ?? input) +
    usage.completionTokens * output;
  return dollars / 1_000_000;
}
