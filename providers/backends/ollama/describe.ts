/** One installed model as a person wants to see it: what it is, what it can do, and how it would be served here. */
import { shownUrl } from './base-url.ts';
import { listOllamaModels, loadedModels, type OllamaModel } from './models.ts';
import { type FoundModel, isNamed, type OllamaServers } from './servers.ts';
import { type ServedWindow, servedWindow } from './window.ts';

export interface DescribedModel extends OllamaModel {
  /** The server that has it, without credentials. */
  url: string;
  window: ServedWindow;
  loaded: boolean;
  /** The window that it is loaded with; null when it is not loaded, or the server does not tell. */
  loadedTokens: number | null;
}

/** `memory`: bytes of the machine that the server is on, null when that is another one. */
export async function describeInstalled(
  servers: OllamaServers,
  { shown, baseUrl }: FoundModel,
  options: { memory: number | null; wished?: number },
): Promise<DescribedModel> {
  const { transport, headers } = servers;
  const [rows, loaded] = await Promise.all([
    listOllamaModels(transport, baseUrl, { headers }).catch(() => []),
    loadedModels(transport, baseUrl, headers).catch(() => []),
  ]);
  const now = loaded.find(({ id }) => isNamed(id, shown.id));
  const loadedTokens = now?.contextTokens ?? null;
  return {
    ...shown,
    size: rows.find(({ id }) => isNamed(id, shown.id))?.size ?? null,
    url: shownUrl(baseUrl),
    // As a session would be served: it goes by what the model itself tells.
    window: servedWindow({ ...shown, loadedTokens }, options.memory, options.wished),
    loaded: now !== undefined,
    loadedTokens,
  };
}
