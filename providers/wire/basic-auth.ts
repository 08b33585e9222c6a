/** The value of an (Proxy-)Authorization header for the user and password in a URL; undefined without a user. */
export const basicAuth = (url: URL): string | undefined =>
  url.username || url.password
    ? `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`
    : undefined;
