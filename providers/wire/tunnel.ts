/** An https agent whose connections lead through an HTTP proxy by CONNECT (RFC 9110, 9.3.6). */
import { request as httpRequest } from 'node:http';
import { Agent, type AgentOptions, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';

type Opened = (error: Error | null, socket?: Socket) => void;
type Target = AgentOptions & { host?: string; port?: number | string; servername?: string; abandoned?: AbortSignal };

/** Leads through the http or https proxy `hop`; `credentials` is the Proxy-Authorization that it wants. */
export function createTunnelAgent(hop: URL, credentials: string | undefined, options: AgentOptions): Agent {
  const agent = new Agent(options);
  const open = (target: Target, done: Opened): void => {
    const host = target.host ?? '';
    const authority = `${host.includes(':') ? `[${host}]` : host}:${target.port || 443}`;
    const headers: Record<string, string> = { host: authority };
    if (credentials) headers['proxy-authorization'] = credentials;
    const asking = (hop.protocol === 'https:' ? httpsRequest : httpRequest)({
      host: hop.hostname.replace(/^\[|\]$/g, ''),
      port: hop.port || undefined,
      method: 'CONNECT',
      path: authority,
      headers,
      agent: false,
      signal: target.abandoned,
    });
    asking.on('connect', (response, socket, head) => {
      if (response.statusCode !== 200) {
        socket.destroy();
        const error = new Error(`The proxy ${hop.host} refused a tunnel to ${authority} (${response.statusCode}).`);
        return done(Object.assign(error, { code: 'ERR_PROXY' }));
      }
      if (head.length) socket.unshift(head);
      target.abandoned?.addEventListener('abort', () => socket.destroy(), { once: true });
      const secure = tlsConnect({ ...(target as object), socket, servername: target.servername || host });
      secure.once('error', done);
      secure.once('secureConnect', () => {
        secure.off('error', done);
        done(null, secure);
      });
    });
    asking.on('error', (error) =>
      done(Object.assign(new Error(`The proxy ${hop.host} failed: ${error.message}`), { code: 'ERR_PROXY' })),
    );
    asking.end();
  };
  // Agents accept a connection through the callback; the types know only the synchronous form.
  (agent as unknown as { createConnection: unknown }).createConnection = open;
  return agent;
}
