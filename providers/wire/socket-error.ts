/** Turns errors of sockets, name look-up and TLS into typed errors that a person understands. */
import { type ErrorProvenance, NetworkError } from '../errors.ts';

/** A URL as it may be shown: no user, no password, no query. */
export function withoutCredentials(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}

const TLS_CODES = /^(CERT_|ERR_TLS|ERR_SSL|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(VERIFY|GET)|HOSTNAME_MISMATCH|EPROTO$)/;

/** `url` is named in the message. Refused and unknown hosts and bad certificates are not worth another try. */
export function fromSocketError(error: Error, url: string): NetworkError {
  // With several addresses of one host Node reports one error for each.
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const code = String((first as NodeJS.ErrnoException).code ?? (error as NodeJS.ErrnoException).code ?? '');
  const origin = url.replace(/^(\w+:\/\/[^/]+).*$/, '$1');
  const make = (message: string, options: { code?: 'CONNECTION_REFUSED' | 'TIMEOUT'; isRetryable?: boolean } = {}) =>
    new NetworkError({ message, provenance: { url }, details: { errno: code }, cause: error, ...options });
  if (code === 'ECONNREFUSED')
    return make(`Nothing answers at ${origin} (connection refused). Is the server running?`, {
      code: 'CONNECTION_REFUSED',
      isRetryable: false,
    });
  if (code === 'ENOTFOUND') return make(`The host of ${origin} is not known.`, { isRetryable: false });
  if (code === 'EAI_AGAIN') return make(`The host of ${origin} could not be looked up (no network?).`);
  if (code === 'ETIMEDOUT') return make(`The connection to ${origin} timed out.`, { code: 'TIMEOUT' });
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return make(`${origin} cannot be reached (${code}).`);
  if (TLS_CODES.test(code)) {
    const authority = /ISSUER|SIGNED|VERIFY/.test(code);
    const hint = authority ? ' (NODE_EXTRA_CA_CERTS names a private certificate authority)' : '';
    return make(`No secure connection to ${origin}: ${first.message}${hint}.`, { isRetryable: false });
  }
  if (code === 'ERR_PROXY') return make(first.message, { isRetryable: false });
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return make(`${origin} closed the connection before it answered (${code}).`);
  if (/^(HPE_|ERR_INVALID_(HTTP|CHAR))/.test(code))
    return make(`${origin} does not speak HTTP: ${first.message}`, { isRetryable: false });
  return make(`The request to ${origin} failed: ${first.message || code}`);
}

/** The error of a request whose caller gave it up. */
export const abortedError = (provenance: ErrorProvenance, cause?: unknown): NetworkError =>
  new NetworkError({ message: 'The request was aborted.', code: 'ABORTED', isRetryable: false, provenance, cause });
