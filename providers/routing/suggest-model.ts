/** Which model to get for a machine that has none. Pure data and arithmetic. */

export interface SuggestedModel {
  /** Its name in Ollama's library. */
  id: string;
  /** Bytes to download. */
  size: number;
  /** One line: why this one. */
  reason: string;
}

interface Row {
  id: string;
  /** GB to download, as the library tells. */
  size: number;
  /** Bytes of cache for a token, from the architecture: layers × key and value heads × their width × 2 × 2 bytes. */
  cache: number;
}

/** Families that call tools, best for coding first. */
const TABLE: readonly Row[] = [
  { id: 'qwen3-coder:30b', size: 19, cache: 48 * 4 * 128 * 4 },
  { id: 'gpt-oss:20b', size: 14, cache: 24 * 8 * 64 * 4 },
  { id: 'qwen3:14b', size: 9.3, cache: 40 * 8 * 128 * 4 },
  { id: 'qwen3:8b', size: 5.2, cache: 36 * 8 * 128 * 4 },
  { id: 'qwen3:4b', size: 2.6, cache: 36 * 8 * 128 * 4 },
  { id: 'llama3.2:3b', size: 2, cache: 28 * 8 * 128 * 4 },
  { id: 'qwen3:1.7b', size: 1.4, cache: 28 * 8 * 128 * 4 },
];

const WINDOW = 8_192;
const OVERHEAD = 512 * 2 ** 20;
/** As for the window: the rest is for the system, the editor and the tests. */
const SHARE = 0.7;

/**
 * The best model for coding with tools whose weights and cache of an 8k window take at most 70 % of `memory` (bytes of
 * the machine); undefined when the memory is too small for any.
 */
export function suggestModel(memory: number): SuggestedModel | undefined {
  const row = TABLE.find(({ size, cache }) => size * 1e9 + WINDOW * cache + OVERHEAD <= memory * SHARE);
  if (!row) return undefined;
  const need = (row.size * 1e9 + WINDOW * row.cache + OVERHEAD) / 1e9;
  const reason = `the best for coding that fits here: ${need.toFixed(1)} of ${(memory / 1e9).toFixed(0)} GB of memory with an 8k window`;
  return { id: row.id, size: row.size * 1e9, reason };
}
