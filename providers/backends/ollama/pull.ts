/** Gets a model onto the server, with progress. The `ollama` package is loaded for this alone. */
import { NetworkError, ProviderError } from '../../errors.ts';
import { countOf, fieldsOf, textOf } from '../../wire/answer-fields.ts';
import { basicAuth } from '../../wire/basic-auth.ts';
import { abortedError } from '../../wire/socket-error.ts';
import { shownUrl } from './base-url.ts';
import { serverVersion } from './models.ts';
import { askAll, atServer, type OllamaServers, type ServerFailure } from './servers.ts';

/**
 * The first of the servers that answers, where it was found, and who does not. All are asked at once. Rejects when
 * `signal` was aborted.
 */
export async function answeringServer(
  servers: OllamaServers,
  signal?: AbortSignal,
): Promise<{ baseUrl?: string; failures: readonly ServerFailure[] }> {
  const { urls, headers, transport } = servers;
  const { answers, failures } = await askAll(urls, (url) =>
    atServer(url, (baseUrl) => serverVersion(transport, baseUrl, headers, signal)),
  );
  const aborted = failures.find(({ error }) => error.code === 'ABORTED');
  if (aborted) throw aborted.error;
  return { baseUrl: answers.find((one) => one !== undefined)?.baseUrl, failures };
}

/** Bytes of all layers known so far: `total` grows while the manifest is read. */
export interface PullProgress {
  /** The server's words: `pulling manifest`, `verifying sha256 digest`, `success` … */
  status: string;
  completed: number;
  total: number;
}

export interface PullOptions {
  /** Of the server, as `ollamaBaseUrl` gives it. */
  baseUrl: string;
  model: string;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/**
 * Pulls a model. The server keeps what it has got, so that a pull that was stopped or broke goes on where it was when
 * it is asked for again. Throws a typed error; one with the code `ABORTED` when `signal` stopped it.
 */
export async function* pullModel(options: PullOptions): AsyncGenerator<PullProgress, void, undefined> {
  const { model, headers, signal } = options;
  // The package would name the URL in its errors, and cannot ask one with a user in it.
  const baseUrl = shownUrl(options.baseUrl);
  const credentials = basicAuth(new URL(options.baseUrl));
  const provenance = { backend: 'ollama', model, url: baseUrl };
  const { Ollama } = await import('ollama');
  // The package's own abort closes every stream of a client: this client has one.
  const client = new Ollama({
    host: baseUrl,
    headers: { ...(credentials && { authorization: credentials }), ...headers },
  });
  const onAbort = () => client.abort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const layers = new Map<string, { completed: number; total: number }>();
  try {
    if (signal?.aborted) throw abortedError(provenance);
    const stream = await client.pull({ model, stream: true });
    if (signal?.aborted) client.abort();
    for await (const line of stream) {
      const { status, digest, total, completed } = fieldsOf(line);
      const whole = countOf(total);
      if (typeof digest === 'string' && whole) layers.set(digest, { completed: countOf(completed) ?? 0, total: whole });
      const sums = { completed: 0, total: 0 };
      for (const layer of layers.values()) {
        sums.completed += layer.completed;
        sums.total += layer.total;
      }
      yield { status: textOf(status) ?? '', ...sums };
    }
  } catch (error) {
    if (signal?.aborted) throw abortedError(provenance, error);
    const message = (error as Error).message;
    if (error instanceof TypeError)
      throw new NetworkError({ message: `${baseUrl}: ${causeOf(error)}`, provenance, cause: error });
    throw new ProviderError({ message: `Ollama could not pull ${model}: ${message}`, provenance, cause: error });
  } finally {
    signal?.removeEventListener('abort', onAbort);
    client.abort();
  }
}

/** `fetch failed` says nothing; its cause does. */
const causeOf = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message);
