/** What a server of one's own besides Ollama is asked before its model is used. */
import type { ModelInfo } from '../../providers/adapter.ts';
import type { ServerFailure } from '../../providers/backends/ollama.ts';
import type { ConfiguredVendors } from '../../providers/configured-vendors.ts';
import type { AdapterError } from '../../providers/errors.ts';
import type { findByName, similarNames } from '../../providers/routing/find-local.ts';
import type { VendorRow } from '../../providers/vendors.ts';
import { StartError } from '../start-error.ts';
import { type Refusals, silent } from './refusals.ts';

/** Programs that answer with an error where another model is asked for; llama.cpp answers with what it has. */
const LISTS_ALL = new Set(['lmstudio', 'vllm']);

export interface QuestionsOptions {
  vendors: ConfiguredVendors;
  refusals: Refusals;
  /** Told what is waited for. */
  tell?(line: string): void;
  /** How names are compared; loaded when it is needed. */
  names(): Promise<{ findByName: typeof findByName; similarNames: typeof similarNames }>;
  /** Ends the waiting. */
  signal: AbortSignal;
  /** Asks until the server has loaded its model; undefined when that takes too long. */
  wait<T>(ask: () => Promise<T>, how: { signal: AbortSignal }): Promise<T | undefined>;
}

export interface ServerQuestions {
  /**
   * What it tells of a model, which may have another spelling there; undefined where it does not tell, or is asked by the
   * chat itself. StartError where a program that lists all that it has does not list it.
   */
  askedFor(row: VendorRow, url: string, model: string): Promise<ModelInfo | undefined>;
  /** What a server that is loading its model has, once it is ready. */
  whenLoaded(row: VendorRow, url: string): Promise<readonly ModelInfo[]>;
}

export function createServerQuestions({
  vendors,
  refusals,
  tell,
  signal,
  wait,
  names,
}: QuestionsOptions): ServerQuestions {
  async function whenLoaded(row: VendorRow, url: string): Promise<readonly ModelInfo[]> {
    const { title, url: address } = refusals.addressOf(row, url);
    tell?.(`${title} at ${address} is loading the model; ada waits for it`);
    const found = await wait(() => vendors.models(row, url, { abilities: true }), { signal });
    if (found) return found;
    throw silent(`${title} at ${address} is still loading its model: try again when it is ready`);
  }

  return {
    whenLoaded,

    async askedFor(row, url, model) {
      const find = async (models: readonly ModelInfo[]) => {
        const { findByName, similarNames } = await names();
        const found = findByName(model, models);
        if (found || !LISTS_ALL.has(row.id)) return found;
        const near = similarNames(
          model,
          models.flatMap(({ id, embedding }) => (embedding ? [] : [id])),
        );
        throw refusals.notServed(row, url, model, near);
      };
      try {
        return await find(await vendors.models(row, url, { abilities: true }));
      } catch (error) {
        if (error instanceof StartError) throw error;
        if ((error as AdapterError).details?.loading === true) return find(await whenLoaded(row, url));
        const { code, message } = error as AdapterError;
        // Who accepts and does not answer would not answer the chat either, which waits much longer; nor would a web page,
        // nor nobody at all.
        const isGone = code === 'TIMEOUT' || code === 'CONNECTION_REFUSED' || / is not an address\.$/.test(message);
        if (isGone || / answered with a web page\b/.test(message))
          throw await refusals.unreachable(row, [{ url, error } as ServerFailure], model);
        return undefined;
      }
    },
  };
}
