import type { ModelInfo } from '../adapter.ts';
import type { ConfiguredVendors } from '../configured-vendors.ts';
import { AdapterError } from '../errors.ts';
import { isLoopback, type VendorRow } from '../vendors.ts';
import { pause } from '../wire/pause.ts';
import { defaultRetryPolicy, isLoading } from './retry-policy.ts';

/** A server on this machine that answered, or says that it is not ready yet. */
export interface LocalServer {
  row: VendorRow;
  url: string;
  models: readonly ModelInfo[];
  /** It is still reading its model into memory, and tells nothing before. */
  loading: boolean;
  /** Somebody set it up, something listens there, and this is why it was no use. */
  error?: AdapterError;
}

/**
 * The servers on this machine that are not Ollama: those that somebody set up, and LM Studio, llama.cpp and vLLM where
 * they listen unless told otherwise. All are asked at once; of those that nobody set up, one
 * that does not answer in `patienceMs` adds nothing.
 */
export async function findLocal(
  vendors: ConfiguredVendors,
  { patienceMs = 1_000 }: { patienceMs?: number } = {},
): Promise<LocalServer[]> {
  const asked = vendors.rows.flatMap((row) => {
    if (row.id === 'ollama' || !row.local) return [];
    // Nobody is asked elsewhere without having been named.
    const isNamed = vendors.isNamed(row);
    const urls = vendors.urls(row).filter((url) => isNamed || isLoopback(url));
    return urls.map(async (url): Promise<LocalServer | undefined> => {
      try {
        const models = await vendors.models(row, url, {
          abilities: true,
          ...(!isNamed && { signal: AbortSignal.timeout(patienceMs) }),
        });
        return { row, url, models, loading: false };
      } catch (error) {
        if (saysLoading(error)) return { row, url, models: [], loading: true };
        if (!isNamed || !(error instanceof AdapterError) || error.code === 'CONNECTION_REFUSED') return undefined;
        return { row, url, models: [], loading: false, error };
      }
    });
  });
  return (await Promise.all(asked)).filter((server) => server !== undefined);
}

/** A server refused because it is still loading its model. */
export const saysLoading = (error: unknown): boolean => error instanceof AdapterError && isLoading(error);

/**
 * Asks a server that is loading its model until it answers; undefined when that takes longer than `ms`, or `signal` ends
 * it. Rejects with what it says else.
 */
export async function whenLoaded<T>(
  ask: () => Promise<T>,
  { ms = defaultRetryPolicy.loadingMs, everyMs = 500, signal }: { ms?: number; everyMs?: number; signal?: AbortSignal },
): Promise<T | undefined> {
  const end = Date.now() + ms;
  while (Date.now() < end && !signal?.aborted) {
    await pause(everyMs, signal);
    try {
      return await ask();
    } catch (error) {
      if (!saysLoading(error)) throw error;
    }
  }
  return undefined;
}

/** All models of those that listen on this machine. */
export async function localModels(vendors: ConfiguredVendors): Promise<{ row: VendorRow; model: string }[]> {
  const servers = await findLocal(vendors);
  return servers.flatMap(({ row, models }) => models.map(({ id }) => ({ row, model: id })));
}

/** Whose model is called so, among those that listen on this machine; undefined for nobody's. */
export async function findNamed(
  vendors: ConfiguredVendors,
  name: string,
): Promise<{ row: VendorRow; model: string } | undefined> {
  for (const { row, models } of await findLocal(vendors)) {
    const found = findByName(name, models);
    if (found) return { row, model: found.id };
  }
  return undefined;
}

/** The model that a name without a vendor means: the name in full, in any case, else the end of just one path. */
export function findByName(name: string, models: readonly ModelInfo[]): ModelInfo | undefined {
  const wanted = name.toLowerCase();
  const whole = models.find(({ id }) => id === name) ?? models.find(({ id }) => id.toLowerCase() === wanted);
  if (whole) return whole;
  const ends = models.filter(({ id }) => shortName(id) === wanted);
  return ends.length === 1 ? ends[0] : undefined;
}

/** `qwen/qwen3-8b` and `/models/qwen3-8b.gguf` are `qwen3-8b`. */
const shortName = (id: string): string =>
  id
    .slice(Math.max(id.lastIndexOf('/'), id.lastIndexOf('\\')) + 1)
    .replace(/\.gguf$/i, '')
    .toLowerCase();
