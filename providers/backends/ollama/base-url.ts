/** The address in OLLAMA_HOST, in every form that users write. */
import { ValidationError } from '../../errors.ts';
import { withoutCredentials } from '../../wire/socket-error.ts';

/** Where Ollama listens unless it is told otherwise. */
export const OLLAMA_DEFAULT_URL = 'http://127.0.0.1:11434';

/** What an address means that names no host, or the one that only a server can listen on. */
const ANY = /^(?:https?:)?(?:\/\/)?(?:0\.0\.0\.0|\[?::\]?)?(?::\d*)?(?:\/|$)/i;

/**
 * A base URL without a trailing slash: `host`, `host:port`, `:port`, an IPv6 address with or without brackets, a URL
 * with or without its scheme, each with or without a path. As for Ollama's own client, the port is 11434 without a
 * scheme, else the scheme's own; an address that only a server can listen on (`0.0.0.0`, `::`) means this machine; `/api`
 * and `/v1` are cut off. User and password stay in it. Throws ValidationError for anything else.
 */
export function ollamaBaseUrl(value: string | undefined): string {
  const text = plain(value);
  if (text === '') return OLLAMA_DEFAULT_URL;
  const wrong = () =>
    new ValidationError({ message: `OLLAMA_HOST “${text.replace(/[^/@]*@/, '')}” is not an address.` });
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text);
  const protocol = scheme?.[1]?.toLowerCase() ?? 'http';
  if (protocol !== 'http' && protocol !== 'https') throw wrong();
  let rest = scheme ? text.slice(scheme[0].length) : text.replace(/^\/\//, '');
  const slash = rest.search(/[/?#]/);
  const path = slash < 0 ? '' : rest.slice(slash);
  if (slash >= 0) rest = rest.slice(0, slash);
  const at = rest.lastIndexOf('@');
  const user = at < 0 ? '' : rest.slice(0, at + 1);
  let host = rest.slice(at + 1);
  // A bare IPv6 address has more colons than a host with a port; behind the short ones people mean a port.
  const short = /^(::1?):(\d{2,5})$/.exec(host);
  if (short) host = `[${short[1]}]:${short[2]}`;
  else if (!host.startsWith('[') && (host.match(/:/g)?.length ?? 0) > 1) host = `[${host}]`;
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

/**
 * Where to look for the server, one after the other where nothing listens: an address that names no host means both of
 * this machine's, since a server may listen on either alone. Throws ValidationError.
 */
export function ollamaBaseUrls(value: string | undefined): readonly [string, ...string[]] {
  const url = ollamaBaseUrl(value);
  const text = plain(value);
  if (text !== '' && text !== OLLAMA_DEFAULT_URL && !ANY.test(text)) return [url];
  const other = url.includes('//[::1]') ? url.replace('[::1]', '127.0.0.1') : url.replace('127.0.0.1', '[::1]');
  return other === url ? [url] : [url, other];
}

/** The base URL as it may be shown: without user and password. */
export const shownUrl = (baseUrl: string): string => withoutCredentials(new URL(baseUrl));

/** As people write it into a variable. */
const plain = (value: string | undefined): string =>
  (value ?? '')
    .trim()
    .replace(/^["']|["']$/g, '')
    .trim();
