import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type PullProgress, pullModel } from '../../../providers/backends/ollama/pull.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that answers /api/pull with these lines; `hold`: it then says no more. */
async function serve(lines: readonly object[], options: { status?: number; hold?: boolean } = {}): Promise<string> {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => {
      body += bytes;
    });
    request.on('end', () => {
      const { name, model, stream } = JSON.parse(body);
      const right = request.url === '/api/pull' && (model ?? name) === 'owl:1b' && stream;
      if (!right) return response.writeHead(400).end();
      response.writeHead(options.status ?? 200, { 'content-type': 'application/x-ndjson' });
      for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
      if (!options.hold) response.end();
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function pulled(baseUrl: string, signal?: AbortSignal): Promise<PullProgress[]> {
  const all: PullProgress[] = [];
  for await (const progress of pullModel({ baseUrl, model: 'owl:1b', signal })) all.push(progress);
  return all;
}

describe('pullModel', () => {
  it('adds up the bytes of all layers', async () => {
    const url = await serve([
      { status: 'pulling manifest' },
      { status: 'pulling aa', digest: 'sha256:aa', total: 100 },
      { status: 'pulling aa', digest: 'sha256:aa', total: 100, completed: 60 },
      { status: 'pulling bb', digest: 'sha256:bb', total: 50, completed: 50 },
      { status: 'success' },
    ]);
    expect(await pulled(url)).toEqual([
      { status: 'pulling manifest', completed: 0, total: 0 },
      { status: 'pulling aa', completed: 0, total: 100 },
      { status: 'pulling aa', completed: 60, total: 100 },
      { status: 'pulling bb', completed: 110, total: 150 },
      { status: 'success', completed: 110, total: 150 },
    ]);
  });

  it('tells why the server could not', async () => {
    const url = await serve([{ status: 'pulling manifest' }, { error: 'pull model manifest: file does not exist' }]);
    await expect(pulled(url)).rejects.toThrow('Ollama could not pull owl:1b: pull model manifest: file does not exist');
  });

  it('tells that nobody is there', async () => {
    const url = await serve([]);
    await new Promise((resolve) => server!.close(resolve));
    await expect(pulled(url)).rejects.toMatchObject({ category: 'network' });
  });

  it('stops at once, and the server sees it', async () => {
    const url = await serve([{ status: 'pulling aa', digest: 'sha256:aa', total: 100, completed: 1 }], { hold: true });
    const closed = new Promise((resolve) => server!.on('connection', (socket) => socket.once('close', resolve)));
    const controller = new AbortController();
    const stream = pullModel({ baseUrl: url, model: 'owl:1b', signal: controller.signal });
    expect((await stream.next()).value).toMatchObject({ completed: 1 });
    controller.abort();
    await expect(stream.next()).rejects.toMatchObject({ code: 'ABORTED' });
    await closed;
  });
});
