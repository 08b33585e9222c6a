/** Which proxy leads to a target, by the conventions of HTTPS_PROXY and NO_PROXY. Reads no environment itself. */

export interface ProxySettings {
  httpProxy?: string;
  httpsProxy?: string;
  allProxy?: string;
  /** Comma- or space-separated hosts that are reached directly: `host`, `.domain`, `*.domain`, `host:port`, `*`. */
  noProxy?: string;
}

const withScheme = (proxy: string): string => (/^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`);

function excluded(target: URL, noProxy: string): boolean {
  const host = target.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  for (const entry of noProxy.toLowerCase().split(/[\s,]+/)) {
    if (entry === '') continue;
    if (entry === '*') return true;
    const parts = /^(\[[^\]]+\]|[^:]+|[^:]*(?::[^:]*){2,}?)(?::(\d+))?$/.exec(entry);
    if (!parts) continue;
    if (parts[2] && parts[2] !== port) continue;
    const name = parts[1]!.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
    if (host === name || host.endsWith(`.${name}`)) return true;
  }
  return false;
}

/**
 * The `proxy` option of a transport, made from settings that the caller read. Only http and https proxies are known;
 * others (socks) throw at once, for to ignore one would send requests where they were not meant to go.
 */
export function createProxyLookup(settings: ProxySettings): (target: URL) => string | undefined {
  const check = (proxy: string | undefined): string | undefined => {
    if (!proxy?.trim()) return undefined;
    const url = withScheme(proxy.trim());
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
      throw new TypeError(`The proxy ${url.replace(/\/\/.*@/, '//')} cannot be used: only http and https proxies can.`);
    return url;
  };
  const plain = check(settings.httpProxy) ?? check(settings.allProxy);
  const secure = check(settings.httpsProxy) ?? check(settings.allProxy);
  const direct = settings.noProxy ?? '';
  return (target) => {
    const proxy = target.protocol === 'https:' ? secure : plain;
    return proxy && !excluded(target, direct) ? proxy : undefined;
  };
}

/** The same from an environment that the caller hands over; the lower-case name of a variable wins, as in curl. */
export function proxyFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): (target: URL) => string | undefined {
  return createProxyLookup({
    // Upper-case HTTP_PROXY can be set by a request header in CGI programs, so it is not honoured.
    httpProxy: env.http_proxy,
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY,
    allProxy: env.all_proxy ?? env.ALL_PROXY,
    noProxy: env.no_proxy ?? env.NO_PROXY,
  });
}
