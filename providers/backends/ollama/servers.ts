/** Several Ollama servers as one: a model is the first's that has it. */
import type { ModelInfo } from '../../adapter.ts';
import { AdapterError } from '../../errors.ts';
import type { Transport } from '../../transport.ts';
import { ollamaBaseUrl } from './base-url.ts';
import { listOllamaModels, type OllamaModel, showModel } from './models.ts';

export interface OllamaServers {
  /** In any form that OLLAMA_HOST may have; the first is asked before the others. */
  urls: readonly string[];
  headers?: Readonly<Record<string, string>>;
  transport: Transport;
}

/** One of several servers that does not answer in this time is passed over. */
const SEVERAL_MS = 3_000;

/** All are asked at once; one that is switched off must not hold up the others. */
const patience = ({ urls }: OllamaServers): AbortSignal | undefined =>
  urls.length > 1 ? AbortSignal.timeout(SEVERAL_MS) : undefined;

/** The model and the index of its server, undefined when nobody has it. Rejects when no server could be asked. */
export async function showOnServers(
  servers: OllamaServers,
  model: string,
): Promise<{ shown: OllamaModel; index: number } | undefined> {
  const { urls, headers, transport } = servers;
  const signal = patience(servers);
  const asked = urls.map((url) =>
    showModel(transport, ollamaBaseUrl(url), model, headers, signal).catch((error: unknown) => error as Error),
  );
  let failures = 0;
  let failure: Error | undefined;
  for (const [index, answer] of asked.entries()) {
    const shown = await answer;
    if (shown instanceof Error) {
      failures++;
      failure ??= shown;
    } else if (shown) return { shown, index };
  }
  if (failure && failures === urls.length) throw failure;
  return undefined;
}

/**
 * The models of all servers, each name once; `abilities` also asks what each can do. Never rejects: `problem` is why
 * something that did answer was no use.
 */
export async function listOnServers(
  servers: OllamaServers,
  abilities: boolean,
): Promise<{ models: ModelInfo[]; answered: boolean; problem?: string }> {
  const { urls, headers, transport } = servers;
  const signal = patience(servers);
  const lists = await Promise.allSettled(
    urls.map(async (url) => listOllamaModels(transport, ollamaBaseUrl(url), { abilities, headers, signal })),
  );
  const models = new Map<string, ModelInfo>();
  for (const list of lists)
    if (list.status === 'fulfilled') for (const one of list.value) if (!models.has(one.id)) models.set(one.id, one);
  const failures = lists.flatMap((list) => (list.status === 'rejected' ? [list.reason] : []));
  const problem = failures.find((one) => one instanceof AdapterError && one.category !== 'network');
  return {
    models: [...models.values()],
    answered: failures.length < lists.length,
    ...(problem && { problem: problem.message }),
  };
}
