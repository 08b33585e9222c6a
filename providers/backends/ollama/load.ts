/** Brings a model into the server's memory ahead of the first prompt (docs/api.md, "Load a model"). */
import type { Transport } from '../../transport.ts';
import { getJson } from '../../wire/get-json.ts';

export interface LoadOptions {
  /** Of the server, as `ollamaBaseUrl` gives it. */
  baseUrl: string;
  model: string;
  /** The window that requests will ask for: with another one the server would load the model again. */
  contextTokens: number | null;
  keepAlive?: string | number;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  transport: Transport;
}

/**
 * Resolves when the model is loaded, at once where it is already: a request without a prompt is answered as soon as a
 * runner is ready, whatever that does at the moment. Rejects with a typed error.
 */
export async function loadModel(options: LoadOptions): Promise<void> {
  const { baseUrl, model, contextTokens, keepAlive, headers, signal, transport } = options;
  const url = `${baseUrl}/api/generate`;
  const body = {
    model,
    prompt: '',
    stream: false,
    ...(keepAlive !== undefined && { keep_alive: keepAlive }),
    ...(contextTokens !== null && { options: { num_ctx: contextTokens } }),
  };
  await getJson(transport, { backend: 'ollama', model, url }, { body, headers, signal });
}
