/** What a server of one's own besides Ollama is asked before its model is used. */
import type { ModelInfo } from '../../providers/adapter.ts';
import type { ServerFailure } from '../../providers/backends/ollama.ts';
import type { ConfiguredVendors } from '../../providers/configured-vendors.ts';
import type { AdapterError } from '../../providers/errors.ts';
import type { VendorRow } from '../../providers/vendors.ts';
import { StartError } from '../start-error.ts';
import type { Refusals } from './refusals.ts';

export interface QuestionsOptions {
  vendors: ConfiguredVendors;
  refusals: Refusals;
  /** Told what is waited for. */
  tell?(line: string): void;
  /** Ends the waiting. */
  signal: AbortSignal;
  /** Asks until the server has loaded its model; undefined when that takes too long. */
  wait<T>(ask: () => Promise<T>, how: { signal: AbortSignal }): Promise<T | undefined>;
}

export interface ServerQuestions {
  /** What it tells of a model; undefined where it does not tell, or is asked by the chat itself. */
  askedFor(row: VendorRow, url: string, model: string): Promise<ModelInfo | undefined>;
  /** What a server that is loading its model has, once it is ready. */
  whenLoaded(row: VendorRow, url: string): Promise<readonly ModelInfo[]>;
}

export function createServerQuestions({ vendors, refusals, tell, signal, wait }: QuestionsOptions): ServerQuestions {
  async function whenLoaded(row: VendorRow, url: string): Promise<readonly ModelInfo[]> {
    const { title, url: address } = refusals.addressOf(row, url);
    tell?.(`${title} at ${address} is loading the model; ada waits for it`);
    const found = await wait(() => vendors.models(row, url, { abilities: true }), { signal });
    if (found) return found;
    throw new StartError(`${title} at ${address} is still loading its model: try again when it is ready`, 3);
  }

  return {
    whenLoaded,

    async askedFor(row, url, model) {
      const find = (models: readonly ModelInfo[]) => models.find(({ id }) => id === model);
      try {
        return find(await vendors.models(row, url, { abilities: true }));
      } catch (error) {
        if ((error as AdapterError).details?.loading === true) return find(await whenLoaded(row, url));
        // Who accepts and does not answer would not answer the chat either, which waits much longer.
        if ((error as AdapterError).code === 'TIMEOUT')
          throw await refusals.unreachable(row, [{ url, error } as ServerFailure], model);
        return undefined;
      }
    },
  };
}
