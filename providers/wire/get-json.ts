/** One JSON answer to one request, for the management endpoints of a provider. */
import { StreamError } from '../errors.ts';
import type { Transport } from '../transport.ts';
import { type ErrorSource, htmlError, httpError, looksLikeHtml } from './http-error.ts';
import { typedError } from './stream.ts';

export interface JsonRequest {
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; makes it a POST. */
  body?: unknown;
  signal?: AbortSignal;
}

/** The parsed answer of `source.url`. Throws the typed errors that a chat request gives. */
export async function getJson(
  transport: Pick<Transport, 'send'>,
  source: ErrorSource & { url: string },
  request: JsonRequest = {},
): Promise<any> {
  try {
    const { body, headers, signal } = request;
    const response = await transport.send({
      url: source.url,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    });
    const shown = { ...source, url: response.url };
    const text = await response.text(50_000_000);
    if (response.status < 200 || response.status >= 300)
      throw httpError({ ...shown, status: response.status, headers: response.headers, body: text });
    if (looksLikeHtml(text)) throw htmlError(shown, text, response.status);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new StreamError({
        message: `${response.url} did not answer with JSON.`,
        isRetryable: false,
        provenance: shown,
        cause,
      });
    }
  } catch (error) {
    throw typedError(error, source);
  }
}
