/** Where a server is, told by its address alone: nothing is looked up and nothing is asked. */
import { isLoopback } from './vendors.ts';

/** On this machine, in a network of one's own, or anywhere else. */
export type Locality = 'machine' | 'network' | 'elsewhere';

/** A server as a person is told of it. */
export interface ServerPlace {
  /** Name or address, with the port where the address has one. */
  host: string;
  locality: Locality;
}

/** Names that are given inside of a network alone (RFC 6762, RFC 8375, and what is reserved for private use). */
const OWN_NAMES = /\.(local|lan|home\.arpa|internal)$/;

/**
 * Loopback is this machine. Private, link-local and shared addresses (RFC 1918, 3927, 4193, 4291, 6598), names without a
 * dot, and names that only a network of one's own has are in the network. What is no address is elsewhere.
 */
export function localityOf(url: string): Locality {
  const target = parsed(url);
  if (!target) return 'elsewhere';
  const host = target.hostname.replace(/\.$/, '').toLowerCase();
  if (host.startsWith('[')) return localityOfIPv6(host.slice(1, -1));
  const bytes = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host)?.slice(1).map(Number);
  if (bytes) return localityOfIPv4(bytes);
  // Such as a variable that is not filled in.
  if (!/^[\w.-]+$/.test(host)) return 'elsewhere';
  if (isLoopback(`http://${host}`)) return 'machine';
  return !host.includes('.') || OWN_NAMES.test(host) ? 'network' : 'elsewhere';
}

/** Where the server of a URL is; `host` keeps what a person wrote, without credentials. */
export const serverPlace = (url: string): ServerPlace => ({
  host: parsed(url)?.host ?? url,
  locality: localityOf(url),
});

/** How long a server may take to begin with what it is and has, ms: longer than one that is well takes anywhere. */
export const discoveryMs = (url: string): number => (localityOf(url) === 'machine' ? 2_000 : 5_000);

function parsed(url: string): URL | undefined {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  return URL.canParse(whole) ? new URL(whole) : undefined;
}

function localityOfIPv4([a = 0, b = 0]: readonly number[]): Locality {
  if (a === 127 || a === 0) return 'machine';
  const own =
    a === 10 ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b < 128);
  return own ? 'network' : 'elsewhere';
}

/** In the short form that a parsed URL has. */
function localityOfIPv6(address: string): Locality {
  if (address === '::1' || address === '::') return 'machine';
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address);
  if (mapped) {
    const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)];
    return localityOfIPv4([high >> 8, high & 255, low >> 8, low & 255]);
  }
  const first = Number.parseInt(address.split(':')[0] || '0', 16);
  // fc00::/7 and fe80::/10
  return (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80 ? 'network' : 'elsewhere';
}
