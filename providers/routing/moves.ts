/** Where the request of a model that failed may go: what `routing.fallback` means. */
import type { ConfiguredVendors } from '../configured-vendors.ts';
import type { AdapterError } from '../errors.ts';
import type { IRChatRequest, IRUsage } from '../ir.ts';
import type { Router } from '../router.ts';
import { needsOf } from './fit.ts';
import type { StandIn } from './stand-ins.ts';

/** Moves to a hosted model: never, after a yes to `mayLeave`, or always. Between local ones nobody is asked. */
export type Fallback = 'never' | 'ask' | 'always';

/** A request that a local model did not answer, and who would be asked instead. */
export interface Move {
  /** Of the request: several moves of one request are one decision. */
  requestId: string;
  /** Backend that failed, and why in one line. */
  from: string;
  error: string;
  /** `vendor/model`. */
  to: string;
  /** How a person knows the vendor. */
  title: string;
  /** US dollars per million tokens, null when unknown. */
  price: { input: number; output: number } | null;
  /** Estimated size of what would be sent. */
  tokens: number;
}

/** The model that requests go to. */
export interface Origin {
  vendor: string;
  model: string;
  url: string;
  local: boolean;
}

export interface MovesOptions {
  vendors: ConfiguredVendors;
  router(): Router;
  fallback: Fallback;
  mayLeave?(move: Move): Promise<boolean>;
}

export interface Moves {
  /** To be called when another model is chosen; undefined: nobody stands in for it (a recording). */
  from(origin: Origin | undefined): void;
  /** For the router's configuration. */
  moreBackends(failed: string): Promise<readonly string[]>;
  mayLeave(from: string, to: string, request: IRChatRequest, error: AdapterError): Promise<boolean>;
  /** US dollars of an answer of one that stood in; undefined for any other backend. */
  cost(backend: string, model: string, usage: IRUsage): number | null | undefined;
}

export function createMoves({ vendors, router, fallback, mayLeave }: MovesOptions): Moves {
  let origin: Origin | undefined;
  let standIns: ReadonlyMap<string, StandIn> = new Map();

  return {
    from(next) {
      origin = next;
      standIns = new Map();
    },

    async moreBackends() {
      // From one hosted vendor to another only where every move is welcome.
      if (!origin || (!origin.local && fallback !== 'always')) return [];
      if (standIns.size > 0) return [...standIns.keys()];
      const { findStandIns } = await import('./stand-ins.ts');
      const found = await findStandIns(vendors, { failed: origin, hosted: fallback !== 'never' });
      for (const { name, model, backend, capabilities } of found)
        router().register(name, backend, {
          defaultModel: model,
          serves: (asked) => asked === model,
          capabilitiesOf: () => capabilities,
        });
      standIns = new Map(found.map((one) => [one.name, one]));
      return [...standIns.keys()];
    },

    async mayLeave(from, to, request, error) {
      const one = standIns.get(to);
      if (!one || fallback === 'never') return false;
      if (fallback === 'always') return true;
      const move: Move = {
        requestId: request.metadata.requestId,
        from,
        error: error.message,
        to: `${one.row.id}/${one.model}`,
        title: one.row.title,
        price: one.known?.price ?? null,
        tokens: needsOf(request).tokens,
      };
      return (await mayLeave?.(move)) ?? false;
    },

    cost(backend, model, usage) {
      return standIns.get(backend)?.cost(model, usage);
    },
  };
}
