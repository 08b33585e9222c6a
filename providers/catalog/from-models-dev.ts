/** Makes the catalogue's rows from the `api.json` of models.dev. Pure; `npm run catalog` runs it, ada never does. */
import { vendors } from '../vendors.ts';
import type { CatalogRow } from './models.ts';

/** What the file calls our vendors, where that is not their id. */
const PROVIDERS: Readonly<Record<string, string>> = {
  gemini: 'google',
  together: 'togetherai',
  dashscope: 'alibaba',
  cloudflare: 'cloudflare-workers-ai',
};

/** Rows of one vendor: the newest, and always its default model. The rest can be asked for all the same. */
const MOST_ROWS = 24;

/** The fields of a model that are read. Prices in US dollars per million tokens. */
interface SourceModel {
  id: string;
  reasoning?: boolean;
  tool_call?: boolean;
  release_date?: string;
  last_updated?: string;
  status?: string;
  modalities?: { input?: readonly string[]; output?: readonly string[] };
  limit?: { context?: number; output?: number };
  cost?: SourcePrice & {
    tiers?: readonly (SourcePrice & { tier?: { type?: string; size?: number } })[];
    context_over_200k?: SourcePrice;
  };
}
interface SourcePrice {
  input?: number;
  output?: number;
  cache_read?: number;
  cache_write?: number;
}

export interface CatalogSource {
  rows: Record<string, readonly CatalogRow[]>;
  /** Date of the newest entry, YYYY-MM-DD. */
  asOf: string;
  /** Vendors that the file lacks; their rows are those of before. */
  kept: readonly string[];
}

/**
 * Rows of every vendor that is in `api`, newest first: models that write text, call tools and have a price and a
 * window, without dated twins. Throws when `api` is no such file, or lacks the default model of a vendor that it has.
 */
export function fromModelsDev(api: unknown, before: Readonly<Record<string, readonly CatalogRow[]>>): CatalogSource {
  const rows: Record<string, readonly CatalogRow[]> = {};
  const kept: string[] = [];
  let asOf = '';
  for (const vendor of Object.keys(before)) {
    const models = modelsOf(api, PROVIDERS[vendor] ?? vendor);
    if (!models) {
      rows[vendor] = before[vendor]!;
      kept.push(vendor);
      continue;
    }
    const usable = models.filter((model) => isUsable(model, models));
    usable.sort((a, b) => compare(b.release_date ?? '', a.release_date ?? '') || compare(a.id, b.id));
    const wanted = vendors.find((row) => row.id === vendor)?.defaultModel ?? undefined;
    const must = usable.find(({ id }) => id === wanted);
    if (wanted !== undefined && !must)
      throw new Error(`${vendor}: its default model ${wanted} is not among the models`);
    const most = usable.slice(0, MOST_ROWS);
    if (must && !most.includes(must)) most.splice(-1, 1, must);
    for (const { last_updated: date = '' } of most) if (date > asOf) asOf = date;
    rows[vendor] = most.map(rowOf);
  }
  if (kept.length === Object.keys(before).length)
    throw new Error('this is no api.json of models.dev: it has no vendor');
  return { rows, asOf, kept };
}

/** The text of `models.ts` with other rows; its formatting is the formatter's. */
export function catalogText(current: string, { rows, asOf }: CatalogSource): string {
  const start = current.indexOf('export const catalog');
  const head = current.slice(0, start).replace(/Data, from [^;]*;/, `Data, from models.dev\n * as of ${asOf};`);
  const declaration = current.slice(start, current.indexOf('= {', start) + 3);
  const vendorText = ([vendor, list]: [string, readonly CatalogRow[]]) =>
    `  ${JSON.stringify(vendor)}: [\n${list.map((row) => `    ${literal(row)},\n`).join('')}  ],\n`;
  return `${head}${declaration}\n${Object.entries(rows).map(vendorText).join('')}};\n`;
}

function modelsOf(api: unknown, provider: string): SourceModel[] | undefined {
  const entry = (api as Record<string, { models?: Record<string, SourceModel> }> | null)?.[provider];
  if (typeof entry?.models !== 'object' || entry.models === null) return undefined;
  return Object.entries(entry.models).map(([id, model]) => ({ ...model, id }));
}

function isUsable(model: SourceModel, all: readonly SourceModel[]): boolean {
  const { id, status, modalities, limit, cost } = model;
  if (!model.tool_call || status === 'deprecated') return false;
  if (!modalities?.input?.includes('text') || modalities.output?.join() !== 'text') return false;
  if (!limit?.context || !limit.output || !isPrice(cost)) return false;
  // A dated id is found by the one without the date.
  const undated = id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  return undated === id || !all.some((other) => other.id === undated);
}

const isPrice = (price: SourcePrice | undefined): price is SourcePrice & { input: number; output: number } =>
  typeof price?.input === 'number' && typeof price.output === 'number';

function rowOf({ id, reasoning, modalities, limit, cost }: SourceModel): CatalogRow {
  const abilities = `t${modalities?.input?.includes('image') ? 'v' : ''}${reasoning ? 'r' : ''}`;
  const steps = stepsOf(cost!);
  const price = [cost!.cache_read ?? null, cost!.cache_write ?? null, steps] as const;
  // What is not known at the end of a row is left out.
  const known = steps.length ? 3 : price[1] !== null ? 2 : price[0] !== null ? 1 : 0;
  return [
    id,
    limit!.context!,
    limit!.output!,
    abilities,
    cost!.input!,
    cost!.output!,
    ...price.slice(0, known),
  ] as never;
}

function stepsOf({ tiers, context_over_200k: over }: NonNullable<SourceModel['cost']>) {
  const sized = tiers?.flatMap(({ tier, ...price }) =>
    tier?.type === 'context' && typeof tier.size === 'number' ? [{ above: tier.size, price }] : [],
  );
  // The newer field says it exactly; the older one is there beside it, with its own threshold.
  const steps = sized?.length ? sized : over ? [{ above: 200_000, price: over }] : [];
  return steps
    .filter(({ price }) => isPrice(price))
    .sort((a, b) => a.above - b.above)
    .map(({ above, price }) => [above, price.input, price.output, ...(price.cache_read ? [price.cache_read] : [])]);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'number') return JSON.stringify(value);
  return Number.isInteger(value) && value >= 1000 ? String(value).replace(/\B(?=(\d{3})+$)/g, '_') : String(value);
}
