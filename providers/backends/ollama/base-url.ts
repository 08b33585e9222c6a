/** The address in OLLAMA_HOST, in every form that users write. */
import { ValidationError } from '../../errors.ts';

/** Where Ollama listens unless it is told otherwise. */
export const OLLAMA_DEFAULT_URL = 'http://127.0.0.1:11434';

/**
 * A base URL without a trailing slash: `host`, `host:port`, `:port`, an IPv6 address with or without brackets, a URL,
 * each with or without a path. As for Ollama's own client, the port is 11434 without a scheme, else the scheme's own;
 * an address that only a server can listen on (`0.0.0.0`, `::`) means this machine; `/api` and `/v1` are cut off.
 * Throws ValidationError for anything else.
 */
export function ollamaBaseUrl(value: string | undefined): string {
  const text = (value ?? '')
    .trim()
    .replace(/^["']|["']$/g, '')
    .trim();
  if (text === '') return OLLAMA_DEFAULT_URL;
  const wrong = () => new ValidationError({ message: `OLLAMA_HOST “${text}” is not an address.` });
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text);
  const protocol = scheme?.[1]?.toLowerCase() ?? 'http';
  if (protocol !== 'http' && protocol !== 'https') throw wrong();
  let rest = scheme ? text.slice(scheme[0].length) : text;
  const slash = rest.search(/[/?#]/);
  const path = slash < 0 ? '' : rest.slice(slash);
  if (slash >= 0) rest = rest.slice(0, slash);
  const at = rest.lastIndexOf('@');
  const user = at < 0 ? '' : rest.slice(0, at + 1);
  let host = rest.slice(at + 1);
  // A bare IPv6 address has more colons than a host with a port.
  if (!host.startsWith('[') && (host.match(/:/g)?.length ?? 0) > 1) host = `[${host}]`;
  const parts = /^(\[[^\]]+\]|[^:]*)(?::(\d*))?$/.exec(host);
  if (!parts) throw wrong();
  let name = parts[1] || '127.0.0.1';
  if (name === '0.0.0.0') name = '127.0.0.1';
  if (name === '[::]' || name === '[0:0:0:0:0:0:0:0]') name = '[::1]';
  const port = parts[2] || (scheme ? '' : '11434');
  const full = `${protocol}://${user}${name}${port ? `:${port}` : ''}${path.replace(/[?#].*$/, '')}`;
  if (!URL.canParse(full)) throw wrong();
  const trimmed = full.replace(/\/+$/, '').replace(/\/(api|v1)$/, '');
  return trimmed.replace(/\/+$/, '');
}
