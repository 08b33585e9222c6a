/** HTTP to a model: one request, one answer that is read as it arrives, and a closed socket on every way out. */
import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type AdapterError, NetworkError, StreamError } from './errors.ts';
import { basicAuth } from './wire/basic-auth.ts';
import { abortedError, fromSocketError, withoutCredentials } from './wire/socket-error.ts';

export interface TransportOptions {
  /** Until the connection stands, name look-up and TLS included; ms. */
  connectTimeoutMs?: number;
  /** Until the first byte of the body; ms. Generous: a local server may load a model and read a long prompt first. */
  firstByteTimeoutMs?: number;
  /** Longest silence within the body; ms. */
  idleTimeoutMs?: number;
  /** The proxy's URL for a target, or undefined for none. Never asked about this machine itself. */
  proxy?: (target: URL) => string | undefined;
}

export interface TransportRequest {
  /** POST when there is a body, else GET. */
  method?: string;
  /** User and password in it become basic authentication. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** As text or as bytes in pieces. */
  body?: string | readonly Uint8Array[];
  signal?: AbortSignal;
}

/** An answer whose head has arrived, whatever its status. Exactly one of `release` and `destroy` ends it. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Without credentials. */
  readonly url: string;
  /** The body, one item a socket read. Throws StreamError when it is cut off, NetworkError on timeout and abort. */
  reads(): AsyncGenerator<Buffer, void, undefined>;
  /** The body as text, at most `limit` bytes of it. Ends the response. */
  text(limit?: number): Promise<string>;
  /** From now on silence of `ms` ends the body: for the rest of a message that is complete already. */
  patience(ms: number): void;
  /** Keeps the connection for the next request if the body has ended or does so at once. */
  release(): void;
  /** Closes the socket. */
  destroy(): void;
}

export interface Transport {
  /** Throws NetworkError when no answer begins. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes idle connections. */
  close(): void;
}

const CONNECT_TIMEOUT = 15_000;
const FIRST_BYTE_TIMEOUT = 600_000;
const IDLE_TIMEOUT = 300_000;
/** Reads that wait for their reader before the server has to. */
const MOST_QUEUED = 64;
/** Below the five seconds after which common servers hang up unasked. Handshakes cost more, and hosts wait longer. */
const POOLED = { 'http:': 4_000, 'https:': 30_000 };
/** Node tries the addresses of a host one after another; its 250 ms each are too short for a slow line. */
const agentOptions = (protocol: 'http:' | 'https:') => ({
  keepAlive: true,
  timeout: POOLED[protocol],
  scheduling: 'lifo' as const,
  autoSelectFamilyAttemptTimeout: 1_000,
});

const sizeOf = (body: string | readonly Uint8Array[]): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, piece) => sum + piece.length, 0);

/** True for names and addresses of this machine itself. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

const timedOut = (url: string, message: string): NetworkError =>
  new NetworkError({ message: `${url}: ${message}`, code: 'TIMEOUT', provenance: { url } });

/** Makes a transport with its own pool of connections; idle ones never keep the process alive. */
export function createTransport(options: TransportOptions = {}): Transport {
  const agents = new Map<string, Agent>();

  async function agentFor(target: URL, proxy: string | undefined): Promise<Agent> {
    const key = `${target.protocol} ${proxy ?? ''}`;
    let agent = agents.get(key);
    if (agent) return agent;
    if (target.protocol === 'http:') agent = new (await import('node:http')).Agent(agentOptions('http:'));
    else if (proxy) {
      const { createTunnelAgent } = await import('./wire/tunnel.ts');
      const hop = new URL(proxy);
      agent = createTunnelAgent(hop, basicAuth(hop), agentOptions('https:'));
    } else agent = new (await import('node:https')).Agent(agentOptions('https:'));
    agents.set(key, agent);
    return agent;
  }

  async function send(request: TransportRequest): Promise<TransportResponse> {
    const target = new URL(request.url);
    const url = withoutCredentials(target);
    const proxy = isLoopback(target.hostname) ? undefined : options.proxy?.(target) || undefined;
    const agent = await agentFor(target, proxy);
    const headers: Record<string, string> = { 'user-agent': 'ada', ...request.headers };
    const { body } = request;
    if (body !== undefined) headers['content-length'] = String(sizeOf(body));
    const credentials = basicAuth(target);
    if (credentials) headers.authorization ??= credentials;
    // RFC 9112, 3.2.2: a proxy is asked for the absolute form, unless a tunnel leads through it.
    const direct = proxy && target.protocol === 'http:' ? new URL(proxy) : target;
    const { request: start } = direct.protocol === 'https:' ? await import('node:https') : await import('node:http');
    if (direct !== target) {
      headers.host = target.host;
      const proxyCredentials = basicAuth(direct);
      if (proxyCredentials) headers['proxy-authorization'] = proxyCredentials;
    }
    // Here, and not earlier: from now on nothing waits until the listener is there.
    if (request.signal?.aborted) throw abortedError({ url });
    const abandoned = new AbortController();
    return new Promise((resolve, reject) => {
      const outgoing = start({
        method: request.method ?? (body === undefined ? 'GET' : 'POST'),
        host: direct.hostname.replace(/^\[|\]$/g, ''),
        port: direct.port || undefined,
        path:
          direct === target ? target.pathname + target.search : `${target.origin}${target.pathname}${target.search}`,
        headers,
        agent: direct.protocol === target.protocol ? agent : undefined,
        // Reaches the tunnel's agent, which makes a request of its own before there is a socket to destroy.
        ...{ abandoned: abandoned.signal },
      });
      let failure: AdapterError | undefined;
      const fail = (error: AdapterError) => {
        failure ??= error;
        settle();
        outgoing.destroy();
        abandoned.abort();
        reject(failure);
      };
      const onAbort = () => fail(abortedError({ url }, request.signal?.reason));
      const connectMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT;
      const connecting = setTimeout(() => fail(timedOut(url, `no connection within ${connectMs / 1000} s`)), connectMs);
      const firstByteMs = options.firstByteTimeoutMs ?? FIRST_BYTE_TIMEOUT;
      const waiting = setTimeout(() => fail(timedOut(url, `no answer within ${firstByteMs / 1000} s`)), firstByteMs);
      waiting.unref();
      const settle = () => {
        clearTimeout(connecting);
        clearTimeout(waiting);
        request.signal?.removeEventListener('abort', onAbort);
      };
      request.signal?.addEventListener('abort', onAbort, { once: true });
      outgoing.on('socket', (socket: Socket) => {
        if (!socket.connecting) clearTimeout(connecting);
        else socket.once(direct.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
      });
      outgoing.on('error', (error) => {
        settle();
        reject(failure ?? fromSocketError(error, url));
      });
      outgoing.on('response', (incoming) => {
        settle();
        resolve(answer(incoming, url, request.signal, firstByteMs, options.idleTimeoutMs ?? IDLE_TIMEOUT));
      });
      if (typeof body === 'object') for (const piece of body) outgoing.write(piece);
      outgoing.end(typeof body === 'string' ? body : undefined);
    });
  }

  return {
    send,
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

function answer(
  incoming: IncomingMessage,
  url: string,
  signal: AbortSignal | undefined,
  firstByteMs: number,
  idleMs: number,
): TransportResponse {
  let failure: AdapterError | undefined;
  let patience = idleMs;
  let timer: NodeJS.Timeout | undefined;
  let waiting = false;
  const fail = (error: AdapterError) => {
    failure ??= error;
    incoming.destroy();
  };
  const onAbort = () => fail(abortedError({ url }, signal?.reason));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  let broken: Error | undefined;
  /** Wakes the reader. */
  let stir = () => {};
  // Without a listener a socket that breaks while nobody reads would end the process.
  incoming.on('error', (error) => {
    broken = error;
  });
  incoming.on('close', () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    stir();
  });
  const silence = () => {
    // A reader that takes its time is not a silent server.
    if (waiting) fail(timedOut(url, 'the answer went silent'));
  };

  async function* reads(): AsyncGenerator<Buffer, void, undefined> {
    timer = setTimeout(silence, firstByteMs);
    timer.unref();
    let current = firstByteMs;
    const queue: Buffer[] = [];
    // The stream's own iterator does the same at several times the cost.
    const take = (bytes: Buffer) => {
      if (queue.push(bytes) >= MOST_QUEUED) incoming.pause();
      stir();
    };
    const onEnd = () => stir();
    incoming.on('data', take);
    incoming.on('end', onEnd);
    try {
      for (;;) {
        if (failure) throw failure;
        const next = queue.shift();
        if (next === undefined) {
          if (incoming.readableEnded) return;
          if (incoming.destroyed) break;
          waiting = true;
          await new Promise<void>((resolve) => {
            stir = resolve;
          });
          waiting = false;
          continue;
        }
        if (incoming.isPaused()) incoming.resume();
        yield next;
        if (current !== patience) {
          current = patience;
          clearTimeout(timer);
          timer = setTimeout(silence, patience);
          timer.unref();
        } else timer.refresh();
      }
    } finally {
      clearTimeout(timer);
      incoming.off('data', take);
      incoming.off('end', onEnd);
    }
    throw new StreamError({
      message: `${url}: the connection broke in the middle of the answer.`,
      code: 'STREAM_TRUNCATED',
      provenance: { url },
      cause: broken,
    });
  }

  const destroy = () => {
    incoming.destroy();
  };
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    url,
    reads,
    async text(limit = 1_000_000) {
      const parts: Buffer[] = [];
      let size = 0;
      try {
        for await (const part of reads()) {
          parts.push(part);
          if ((size += part.length) > limit) break;
        }
      } finally {
        if (!incoming.readableEnded) destroy();
      }
      return Buffer.concat(parts).toString('utf8', 0, Math.min(size, limit));
    },
    patience(ms) {
      patience = ms;
      if (!timer || !waiting) return;
      clearTimeout(timer);
      timer = setTimeout(silence, ms);
      timer.unref();
    },
    release() {
      if (incoming.readableEnded || incoming.destroyed) return;
      incoming.resume();
      // The end of the body is usually in the same packet; nobody waits longer for a connection to become reusable.
      const late = setTimeout(destroy, 100);
      late.unref();
      incoming.once('close', () => clearTimeout(late));
      incoming.once('end', () => clearTimeout(late));
    },
    destroy,
  };
}
