/** Several Ollama servers as one: a model is the first's that has it. */
import type { ModelInfo } from '../../adapter.ts';
import { AdapterError } from '../../errors.ts';
import type { Transport } from '../../transport.ts';
import { ollamaBaseUrls } from './base-url.ts';
import { listOllamaModels, loadedModels, type OllamaModel, showModel } from './models.ts';

export interface OllamaServers {
  /** In any form that OLLAMA_HOST may have; the first is asked before the others. */
  urls: readonly string[];
  headers?: Readonly<Record<string, string>>;
  transport: Transport;
  /** Whether a server counts as one of a person's own; its address tells where that is left out. */
  isLocal?(url: string): boolean;
}

/** A server that could not be asked, and why. */
export interface ServerFailure {
  /** As in `urls`. */
  url: string;
  error: AdapterError;
}

export interface FoundModel {
  shown: OllamaModel;
  /** Place of its server among the `urls`. */
  index: number;
  /** Where that server was found. */
  baseUrl: string;
}

/**
 * What `ask` gives, and where the server was: an address that means this machine in general is looked for in both of
 * its forms, the second only where nothing listens at the first.
 */
export async function atServer<T>(
  url: string,
  ask: (baseUrl: string) => Promise<T>,
): Promise<{ answer: T; baseUrl: string }> {
  const [first, other] = ollamaBaseUrls(url);
  try {
    return { answer: await ask(first), baseUrl: first };
  } catch (error) {
    if (other === undefined || !(error instanceof AdapterError) || error.code !== 'CONNECTION_REFUSED') throw error;
    try {
      return { answer: await ask(other), baseUrl: other };
    } catch (second) {
      // Not even an address of that kind: the first is what a person knows.
      throw second instanceof AdapterError && second.category === 'network' ? error : second;
    }
  }
}

/**
 * The model, undefined when nobody has it, and who could not be asked. All servers are asked at once. A name that differs
 * in case alone is found under its own. Rejects with what is no AdapterError.
 */
export async function showOnServers(
  servers: OllamaServers,
  model: string,
): Promise<{ found?: FoundModel; failures: readonly ServerFailure[] }> {
  const { urls, headers, transport } = servers;
  const show = (name: string) => (baseUrl: string) => showModel(transport, baseUrl, name, headers);
  const first = await askAll(urls, (url) => atServer(url, show(model)));
  const index = first.answers.findIndex((one) => one?.answer !== undefined);
  if (index >= 0) {
    const { answer, baseUrl } = first.answers[index]!;
    return { found: { shown: answer!, index, baseUrl }, failures: first.failures };
  }
  for (const [index, one] of first.answers.entries()) {
    if (!one) continue;
    const listed = await listOllamaModels(transport, one.baseUrl, { headers }).catch(() => []);
    const name = otherCase(model, listed);
    const shown = name === undefined ? undefined : await show(name)(one.baseUrl);
    if (shown) return { found: { shown, index, baseUrl: one.baseUrl }, failures: first.failures };
  }
  return { failures: first.failures };
}

/** The window that a found model is loaded with now; null when it is not, or that cannot be told. */
export async function loadedTokensOf(servers: OllamaServers, { shown, baseUrl }: FoundModel): Promise<number | null> {
  const rows = await loadedModels(servers.transport, baseUrl, servers.headers).catch(() => []);
  return rows.find(({ id }) => isNamed(id, shown.id))?.contextTokens ?? null;
}

/** `:latest` is implied. */
export const isNamed = (id: string, name: string): boolean => id === name || id === `${name}:latest`;

function otherCase(name: string, listed: readonly ModelInfo[]): string | undefined {
  const wanted = name.toLowerCase();
  return listed.find(({ id }) => id !== name && isNamed(id.toLowerCase(), wanted))?.id;
}

/**
 * The models of all servers, each name once; `abilities` also asks what each can do. Never rejects: `problem` is why
 * something that did answer was no use, `failures` who could not be asked.
 */
export async function listOnServers(
  servers: OllamaServers,
  abilities: boolean,
): Promise<{ models: ModelInfo[]; answered: boolean; problem?: string; failures: readonly ServerFailure[] }> {
  const { urls, headers, transport, isLocal } = servers;
  const { answers, failures } = await askAll(urls, (url) =>
    atServer(url, (baseUrl) => listOllamaModels(transport, baseUrl, { abilities, local: isLocal?.(url), headers })),
  );
  const models = new Map<string, ModelInfo>();
  for (const one of answers)
    for (const model of one?.answer ?? []) if (!models.has(model.id)) models.set(model.id, model);
  const problem = failures.find(({ error }) => error.category !== 'network')?.error;
  return {
    models: [...models.values()],
    answered: failures.length < urls.length,
    failures,
    ...(problem && { problem: problem.message }),
  };
}

/** Answers in the order of the servers, undefined for one that could not be asked. */
export async function askAll<T>(
  urls: readonly string[],
  ask: (url: string) => Promise<T>,
): Promise<{ answers: readonly (T | undefined)[]; failures: readonly ServerFailure[] }> {
  const failures: ServerFailure[] = [];
  const answers = await Promise.all(
    urls.map(async (url) => {
      try {
        return await ask(url);
      } catch (error) {
        if (!(error instanceof AdapterError)) throw error;
        failures.push({ url, error });
        return undefined;
      }
    }),
  );
  return { answers, failures: failures.sort((a, b) => urls.indexOf(a.url) - urls.indexOf(b.url)) };
}
