/** How the router chooses the backend that a request goes to first. One function a strategy. */
import type { AdapterMetadata, BackendAdapter } from '../adapter.ts';
import { RouterError } from '../errors.ts';
import type { IRChatRequest } from '../ir.ts';
import { asked } from './asked.ts';
import type { BreakerState } from './breaker.ts';
import type { BackendStats } from './statistics.ts';

export type RoutingStrategy =
  /** The backend that the request names in `metadata.custom.backend`, else the default one. */
  | 'explicit'
  /** By the request's model: the model mapping, then who says that it serves it. */
  | 'model-based'
  | 'cost-optimized'
  | 'latency-optimized'
  | 'round-robin'
  | 'random'
  | 'custom'
  /** A local backend before any other; another one only where `mayLeave` agrees. */
  | 'local-first';

/** What a custom router may look at. */
export interface RoutingContext {
  readonly backends: Readonly<
    Record<string, { metadata: AdapterMetadata; breaker: BreakerState; stats: BackendStats }>
  >;
  readonly defaultBackend?: string;
  readonly modelMapping: Readonly<Record<string, string>>;
}

/** Undefined or null: the default backend. */
export type CustomRouter = (
  request: IRChatRequest,
  names: readonly string[],
  context: RoutingContext,
) => string | null | undefined | Promise<string | null | undefined>;

/** One backend as a strategy sees it. */
export interface Candidate {
  name: string;
  adapter: BackendAdapter;
  local: boolean;
  /** The request as this backend would get it. */
  request: IRChatRequest;
  /** Median time of whole answers, ms. */
  latencyMs: number | null;
  serves(model: string): boolean;
}

export interface Choosing {
  request: IRChatRequest;
  /** Never empty; those that fit the request and are healthy, in order of registration, where there are any. */
  candidates: readonly Candidate[];
  /** All registered names. */
  names: readonly string[];
  /** Those of `names` that are local, fitting or not. */
  locals: readonly string[];
  defaultBackend?: string;
  /** Who is chosen in the place of the default one, since that cannot call the tools of the request. */
  instead?: string;
  modelMapping: Readonly<Record<string, string>>;
  customRouter?: CustomRouter;
  context(): RoutingContext;
  random(): number;
  /** Counts up with every call of round-robin. */
  turn(): number;
}

const known = (name: string, c: Choosing): string => {
  if (c.names.includes(name)) return name;
  throw new RouterError({
    message: `No backend is called ${name}; there are ${c.names.join(', ') || 'none'}.`,
    code: 'NO_BACKEND',
  });
};

const fallbackChoice = (c: Choosing): string =>
  c.instead ?? (c.defaultBackend === undefined ? c.names[0]! : known(c.defaultBackend, c));

/** The value of a name that a caller chose; never what every object has under it. */
export const named = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

const least = (c: Choosing, values: readonly number[]): string => {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! < values[best]!) best = i;
  return c.candidates[best]!.name;
};

async function byCost(c: Choosing): Promise<string> {
  const costs = c.candidates.map(async (candidate) => {
    const cost = await candidate.adapter.estimateCost?.(candidate.request);
    // An unknown price is not a low one; a local model costs nothing a call.
    return cost ?? (candidate.local ? 0 : Number.POSITIVE_INFINITY);
  });
  return least(c, await Promise.all(costs));
}

export const strategies: Record<RoutingStrategy, (c: Choosing) => string | Promise<string>> = {
  explicit: (c) => {
    const asked = c.request.metadata.custom?.backend;
    return typeof asked === 'string' ? known(asked, c) : fallbackChoice(c);
  },
  'model-based': (c) => {
    const model = c.request.parameters?.model;
    if (model === undefined) return fallbackChoice(c);
    const mapped = named(c.modelMapping, model);
    if (mapped !== undefined) return known(mapped, c);
    return c.candidates.find((candidate) => candidate.serves(model))?.name ?? fallbackChoice(c);
  },
  'cost-optimized': byCost,
  // One that was never asked counts as fastest, so that each is measured once.
  'latency-optimized': (c) =>
    least(
      c,
      c.candidates.map((candidate) => candidate.latencyMs ?? 0),
    ),
  'round-robin': (c) => c.candidates[c.turn() % c.candidates.length]!.name,
  random: (c) => c.candidates[Math.floor(c.random() * c.candidates.length)]!.name,
  custom: async (c) => {
    const chosen = await asked('customRouter', undefined, () => c.customRouter?.(c.request, c.names, c.context()));
    return chosen == null ? fallbackChoice(c) : known(chosen, c);
  },
  'local-first': (c) => {
    const local = c.candidates.filter((candidate) => candidate.local).map((candidate) => candidate.name);
    const from = local.length > 0 ? local : c.locals;
    const names = from.length > 0 ? from : c.candidates.map((candidate) => candidate.name);
    return names.find((name) => name === c.defaultBackend) ?? names[0]!;
  },
};
