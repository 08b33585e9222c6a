import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createTransport, isLoopback, type TransportResponse } from '../../providers/transport.ts';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    (server as Server).closeAllConnections?.();
    server.close();
  }
});

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handler);
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, sockets, server };
}

async function readAll(response: TransportResponse): Promise<string> {
  let text = '';
  for await (const bytes of response.reads()) text += bytes.toString();
  return text;
}

const closed = (socket: Socket) => socket.destroyed || new Promise((resolve) => socket.once('close', resolve));

describe('createTransport', () => {
  it('sends method, path, headers and body, and reads the answer', async () => {
    const { url } = await serve((request, response) => {
      let body = '';
      request.on('data', (bytes) => (body += bytes));
      request.on('end', () => {
        const { 'x-test': header, 'content-length': length } = request.headers;
        response.writeHead(201).end(JSON.stringify([request.method, request.url, header, length, body]));
      });
    });
    const transport = createTransport();
    const posted = await transport.send({ url: `${url}/a?b=c`, headers: { 'x-test': '1' }, body: 'ä' });
    expect(posted.status).toBe(201);
    expect(posted.url).toBe(`${url}/a`);
    expect(JSON.parse(await posted.text())).toEqual(['POST', '/a?b=c', '1', '2', 'ä']);
    const got = await transport.send({ url });
    expect(JSON.parse(await got.text())[0]).toBe('GET');
  });

  it('turns user and password of a URL into a header and never shows them', async () => {
    const { port } = await serve((request, response) => response.end(request.headers.authorization));
    const response = await createTransport().send({ url: `http://me:s%20t@127.0.0.1:${port}/x` });
    expect(response.url).toBe(`http://127.0.0.1:${port}/x`);
    expect(await response.text()).toBe(`Basic ${Buffer.from('me:s t').toString('base64')}`);
  });

  it('uses one connection for requests that follow each other', async () => {
    const { url, sockets } = await serve((_request, response) => response.end('x'));
    const transport = createTransport();
    for (let i = 0; i < 3; i++) expect(await readAll(await transport.send({ url }))).toBe('x');
    const released = await transport.send({ url });
    released.release();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await (await transport.send({ url })).text();
    expect(sockets).toHaveLength(1);
    transport.close();
    await closed(sockets[0]!);
  });

  it('closes the connection of an answer that was left', async () => {
    const { url, sockets } = await serve((_request, response) => void response.write('x'));
    const response = await createTransport().send({ url });
    response.destroy();
    await closed(sockets[0]!);
  });

  it('closes a released connection whose body does not end', async () => {
    const { url, sockets } = await serve((_request, response) => void response.write('x'));
    (await createTransport().send({ url })).release();
    await closed(sockets[0]!);
  });

  it('stops reading a text at its limit', async () => {
    const { url, sockets } = await serve((_request, response) => void response.write('x'.repeat(1000)));
    expect(await (await createTransport().send({ url })).text(10)).toBe('x'.repeat(10));
    await closed(sockets[0]!);
  });

  it('gives up when no answer begins', async () => {
    const { url, sockets } = await serve(() => {});
    const transport = createTransport({ firstByteTimeoutMs: 30 });
    await expect(transport.send({ url })).rejects.toMatchObject({ code: 'TIMEOUT', category: 'network' });
    await closed(sockets[0]!);
  });

  it('waits for the first byte of the body as long as for the head', async () => {
    const { url } = await serve((_request, response) => {
      response.flushHeaders();
      setTimeout(() => response.end('late'), 60);
    });
    const transport = createTransport({ firstByteTimeoutMs: 5_000, idleTimeoutMs: 20 });
    expect(await readAll(await transport.send({ url }))).toBe('late');
  });

  it('does not take a slow reader for a silent server', async () => {
    const { url } = await serve((_request, response) => {
      response.write('one');
      setTimeout(() => response.end('two'), 20);
    });
    const response = await createTransport({ idleTimeoutMs: 30 }).send({ url });
    let text = '';
    for await (const bytes of response.reads()) {
      text += bytes.toString();
      await new Promise((resolve) => setTimeout(resolve, 80));
    }
    expect(text).toBe('onetwo');
  });

  it('gives up a connection that cannot be made in time', async () => {
    // A proxy that takes the connection and says nothing: the tunnel never stands.
    const silent = createTcpServer(() => {});
    open.push(silent);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const transport = createTransport({ connectTimeoutMs: 40, proxy: () => `http://127.0.0.1:${port}` });
    await expect(transport.send({ url: 'https://vendor.test/' })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('leaves no listener on a signal that outlives many requests', async () => {
    const { url } = await serve((_request, response) => response.end('x'));
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = ((...args: Parameters<typeof add>) => (listeners++, add(...args))) as typeof add;
    signal.removeEventListener = ((...args: Parameters<typeof remove>) => (
      listeners--, remove(...args)
    )) as typeof remove;
    const transport = createTransport();
    for (let i = 0; i < 3; i++) await (await transport.send({ url, signal })).text();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(listeners).toBe(0);
  });
});

describe('proxies', () => {
  it('asks a proxy for the absolute form of an http URL', async () => {
    const { url: proxy } = await serve((request, response) => {
      response.end(JSON.stringify([request.url, request.headers.host, request.headers['proxy-authorization']]));
    });
    const withUser = proxy.replace('://', '://u:p@');
    const transport = createTransport({ proxy: () => withUser });
    const answer = await (await transport.send({ url: 'http://vendor.test/a?b' })).text();
    const credentials = `Basic ${Buffer.from('u:p').toString('base64')}`;
    expect(JSON.parse(answer)).toEqual(['http://vendor.test/a?b', 'vendor.test', credentials]);
  });

  it('tunnels https through CONNECT', async () => {
    const asked: string[] = [];
    const { url: proxy, server } = await serve((_request, response) => response.end());
    const { url: plain, port } = await serve((_request, response) => response.end());
    server.on('connect', (request: IncomingMessage, client: Socket) => {
      asked.push(`${request.url} ${request.headers['proxy-authorization']}`);
      const target = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        target.pipe(client).pipe(target);
      });
      for (const socket of [client, target]) socket.on('error', () => {});
    });
    const transport = createTransport({ proxy: () => proxy.replace('://', '://u:p@') });
    // The target speaks no TLS: the handshake through the tunnel fails, and is reported as that.
    const error = await transport.send({ url: 'https://vendor.test/' }).catch((reason) => reason);
    expect(error).toMatchObject({ category: 'network' });
    expect(error.message).toContain('vendor.test');
    expect(asked).toEqual([`vendor.test:443 Basic ${Buffer.from('u:p').toString('base64')}`]);
    expect(plain).toBeTruthy();
  });

  it('names a proxy that refuses', async () => {
    const { url: proxy, server } = await serve((_request, response) => response.end());
    server.on('connect', (_request: IncomingMessage, client: Socket) => client.end('HTTP/1.1 407 No\r\n\r\n'));
    await expect(createTransport({ proxy: () => proxy }).send({ url: 'https://vendor.test/' })).rejects.toThrow(
      /proxy 127\.0\.0\.1:\d+ refused a tunnel to vendor\.test:443 \(407\)/,
    );
  });

  it('never asks about this machine', async () => {
    const { url } = await serve((_request, response) => response.end('direct'));
    const transport = createTransport({
      proxy() {
        throw new Error('asked');
      },
    });
    expect(await (await transport.send({ url })).text()).toBe('direct');
  });

  it.each([
    ['localhost', true],
    ['a.localhost', true],
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['[::1]', true],
    ['localhost.test', false],
    ['10.0.0.1', false],
    ['127.0.0.1.test', false],
  ])('isLoopback(%s) is %s', (host, loopback) => expect(isLoopback(host)).toBe(loopback));
});
