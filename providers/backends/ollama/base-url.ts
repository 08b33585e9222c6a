/** The address in OLLAMA_HOST, in every form that users write. */
import { ValidationError } from '../../errors.ts';
import { withoutCredentials } from '../../wire/socket-error.ts';

/** Where Ollama listens unless it is told otherwise. */
export const OLLAMA_DEFAULT_URL = 'http://127.0.0.1:11434';

/**
 * A base URL without a trailing slash: `host`, `host:port`, `:port`, an IPv6 address with or without brackets, a URL
 * with or without its scheme, each with or without a path. As for Ollama's own client, the port is 11434 without a
 * scheme, else the scheme's own; an address that only a server can listen on (`0.0.0.0`, `::`) means this machine; `/api`
 * and `/v1` are cut off. User and password stay in it. Throws ValidationError for anything else.
 */
export const ollamaBaseUrl = (value: string | undefined): string => read(value).url;

/** `isAny`: no host of its own is named, or one that only a server can listen on. */
function read(value: string | undefined): { url: string; isAny: boolean } {
  const text = plain(value);
  if (text === '' || text === OLLAMA_DEFAULT_URL) return { url: OLLAMA_DEFAULT_URL, isAny: true };
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
  // A scheme and nothing else was meant to be more.
  if (!parts || (scheme && !parts[1] && !parts[2])) throw wrong();
  const given = parts[1] ?? '';
  const isAny = /^(?:|0\.0\.0\.0|\[(?:::|0:0:0:0:0:0:0:0)\])$/.test(given);
  const name = isAny ? (given.startsWith('[') ? '[::1]' : '127.0.0.1') : given;
  const port = parts[2] || (scheme ? '' : '11434');
  const full = `${protocol}://${user}${name}${port ? `:${port}` : ''}${path.replace(/[?#].*$/, '')}`;
  if (!URL.canParse(full)) throw wrong();
  const trimmed = full.replace(/\/+$/, '').replace(/\/(api|v1)$/, '');
  return { url: trimmed.replace(/\/+$/, ''), isAny };
}

/**
 * Where to look for the server, one after the other where nothing listens: an address that names no host means both of
 * this machine's, since a server may listen on either alone. Throws ValidationError.
 */
export function ollamaBaseUrls(value: string | undefined): readonly [string, ...string[]] {
  const { url, isAny } = read(value);
  if (!isAny) return [url];
  const other = url.includes('//[::1]') ? url.replace('[::1]', '127.0.0.1') : url.replace('127.0.0.1', '[::1]');
  return [url, other];
}

/** The base URL as it may be shown: without user and password. */
export const shownUrl = (baseUrl: string): string => withoutCredentials(new URL(baseUrl));

/** As people write it into a variable. */
const plain = (value: string | undefined): string =>
  (value ?? '')
    .trim()
    .replace(/^["']|["']$/g, '')
    .trim();
