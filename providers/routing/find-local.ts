import type { ModelInfo } from '../adapter.ts';
import type { ConfiguredVendors } from '../configured-vendors.ts';
import { isLoopback } from '../vendors.ts';

/**
 * Models of the servers on this machine that are not Ollama: those that somebody set up, and with `usualPorts` also
 * LM Studio, llama.cpp and vLLM where they listen unless told otherwise. All are asked at once; one that does not
 * answer in `patienceMs` adds nothing.
 */
export async function findLocal(
  vendors: ConfiguredVendors,
  { usualPorts, patienceMs = 1_000 }: { usualPorts: boolean; patienceMs?: number },
): Promise<ModelInfo[]> {
  const lists = vendors.rows.flatMap((row) => {
    if (row.id === 'ollama' || !row.local || !(usualPorts || vendors.isNamed(row))) return [];
    // Nobody is asked elsewhere without having been named.
    const urls = vendors.urls(row).filter((url) => vendors.isNamed(row) || isLoopback(url));
    return urls.map((url) =>
      vendors.models(row, url, { abilities: true, signal: AbortSignal.timeout(patienceMs) }).catch(() => []),
    );
  });
  return (await Promise.all(lists)).flat();
}
