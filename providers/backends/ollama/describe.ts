/** One installed model as a person wants to see it: what it is, what it can do, and how it would be served here. */
import { ollamaBaseUrl } from './base-url.ts';
import { listOllamaModels, loadedModels, type OllamaModel } from './models.ts';
import { type OllamaServers, showOnServers } from './servers.ts';
import { type ServedWindow, servedWindow } from './window.ts';

export interface DescribedModel extends OllamaModel {
  /** The server that has it, and the model's place among the servers. */
  url: string;
  index: number;
  window: ServedWindow;
  loaded: boolean;
  /** The window that it is loaded with; null when it is not loaded, or the server does not tell. */
  loadedTokens: number | null;
}

/** `memory`: bytes of the machine. Undefined when nobody has the model; rejects when no server could be asked. */
export async function describeInstalled(
  servers: OllamaServers,
  model: string,
  options: { memory: number; wished?: number },
): Promise<DescribedModel | undefined> {
  const found = await showOnServers(servers, model);
  if (!found) return undefined;
  const { shown, index } = found;
  const { transport, headers } = servers;
  const url = ollamaBaseUrl(servers.urls[index]);
  const [rows, loaded] = await Promise.all([
    listOllamaModels(transport, url, { headers }).catch(() => []),
    loadedModels(transport, url, headers).catch(() => []),
  ]);
  const isIt = ({ id }: { id: string }): boolean => id === model || id === `${model}:latest`;
  const now = loaded.find(isIt);
  return {
    ...shown,
    size: rows.find(isIt)?.size ?? null,
    url,
    index,
    // As a session would be served: it goes by what the model itself tells.
    window: servedWindow(shown, options.memory, options.wished),
    loaded: now !== undefined,
    loadedTokens: now?.contextTokens ?? null,
  };
}
