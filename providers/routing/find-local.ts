import type { ModelInfo } from '../adapter.ts';
import type { ConfiguredVendors } from '../configured-vendors.ts';
import { AdapterError, ProviderError } from '../errors.ts';
import { isLoopback, type VendorRow } from '../vendors.ts';
import { pause } from '../wire/pause.ts';
import { nearest } from './nearest.ts';
import { defaultRetryPolicy, isLoading } from './retry-policy.ts';

/** A server on this machine that answered, or says that it is not ready yet. */
export interface LocalServer {
  row: VendorRow;
  url: string;
  models: readonly ModelInfo[];
  /** It is still reading its model into memory, and tells nothing before. */
  loading: boolean;
  /** Why it was no use: it is loading, or somebody set it up and something else is wrong. */
  error?: AdapterError;
}

const LOADING = new ProviderError({ message: 'loading the model', details: { loading: true } });

/**
 * The servers on this machine that are not Ollama: those that somebody set up, and LM Studio, llama.cpp and vLLM where
 * they listen unless told otherwise. All are asked at once; of those that nobody set up, one
 * that does not answer in `patienceMs` adds nothing. `except`: rows that were asked already.
 */
export async function findLocal(
  vendors: ConfiguredVendors,
  { patienceMs = 1_000, except = [] }: { patienceMs?: number; except?: readonly VendorRow[] } = {},
): Promise<LocalServer[]> {
  const asked = vendors.rows.flatMap((row) => {
    if (row.id === 'ollama' || !row.local || except.includes(row)) return [];
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
        // Of a stranger a server's own words are wanted, not a page that happens to say so.
        const isLoading = isNamed ? saysLoading(error) : (error as AdapterError).details?.loading === true;
        if (isLoading) return { row, url, models: [], loading: true, error: LOADING };
        if (!isNamed || !(error instanceof AdapterError) || error.code === 'CONNECTION_REFUSED') return undefined;
        return { row, url, models: [], loading: false, error };
      }
    });
  });
  return (await Promise.all(asked)).filter((server) => server !== undefined);
}

/** A server refused because it is still loading its model. */
const saysLoading = (error: unknown): boolean => error instanceof AdapterError && isLoading(error);

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

/**
 * Whose model is called so, among those that listen on this machine; undefined for nobody's. Those that are loading are
 * asked by `whenReady` where no other has it.
 */
export async function findNamed(
  vendors: ConfiguredVendors,
  name: string,
  whenReady: (server: LocalServer) => Promise<readonly ModelInfo[]>,
): Promise<{ row: VendorRow; model: string } | undefined> {
  const servers = await findLocal(vendors);
  for (const { row, models } of servers) {
    const found = findByName(name, models);
    if (found) return { row, model: found.id };
  }
  for (const server of servers.filter(({ loading }) => loading)) {
    const found = findByName(name, await whenReady(server));
    if (found) return { row: server.row, model: found.id };
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

/**
 * The names most like `name`, best first, however their server writes them: `qwen3:8b` is near `qwen/qwen3-8b`, and what
 * is of the same family is nearer than nothing.
 */
export function similarNames(name: string, names: readonly string[], limit = 3): string[] {
  const plain = (id: string): string => shortName(id).replace(/[:_\s]/g, '-');
  const wanted = plain(name);
  const near = nearest(wanted, names.map(plain), limit).flatMap((short) => names.filter((id) => plain(id) === short));
  const family = /^[a-z]{3,}/.exec(wanted)?.[0];
  const kin = names.filter((id) => family !== undefined && plain(id).startsWith(family));
  return [...new Set([...near, ...kin])].slice(0, limit);
}
