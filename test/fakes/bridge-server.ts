/** Serves bridges over HTTP on loopback, one endpoint each, as a program would that lets others speak to its models. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BackendAdapter } from '../../providers/adapter.ts';
import { Bridge } from '../../providers/bridge.ts';
import { AnthropicFrontendAdapter } from '../../providers/frontends/anthropic.ts';
import type { HttpFrontendAdapter } from '../../providers/frontends/http-frontend.ts';
import { OpenAIFrontendAdapter } from '../../providers/frontends/openai-chat.ts';

export interface BridgeServer {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  /** What answers from now on. */
  use(backend: BackendAdapter): void;
  /** Bodies as they came, and the text of each answer. */
  readonly exchanges: readonly { path: string; body: any; status: number; answer: string }[];
  /** Requests whose caller left before the end. */
  readonly left: number;
  close(): Promise<void>;
}

const FRONTENDS: Readonly<Record<string, HttpFrontendAdapter>> = {
  '/v1/chat/completions': new OpenAIFrontendAdapter(),
  '/v1/messages': new AnthropicFrontendAdapter(),
};

/** Starts a server for both formats on a free port of 127.0.0.1. */
export async function startBridgeServer(first: BackendAdapter): Promise<BridgeServer> {
  let backend = first;
  let left = 0;
  const exchanges: { path: string; body: any; status: number; answer: string }[] = [];

  async function answer(frontend: HttpFrontendAdapter, request: IncomingMessage, response: ServerResponse) {
    const gone = new AbortController();
    response.on('close', () => {
      if (response.writableEnded) return;
      left++;
      gone.abort();
    });
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const exchange = { path: request.url ?? '', body: undefined as any, status: 200, answer: '' };
    exchanges.push(exchange);
    const write = (text: string) => {
      exchange.answer += text;
      response.write(text);
    };
    try {
      exchange.body = JSON.parse(Buffer.concat(parts).toString());
      const bridge = new Bridge(frontend, backend);
      if (!exchange.body.stream) {
        const whole = JSON.stringify(await bridge.chat(exchange.body, gone.signal));
        response.writeHead(200, { 'content-type': 'application/json' });
        write(whole);
      } else {
        const chunks = bridge.chatStream(exchange.body, gone.signal);
        let failed = false;
        // The head waits for the first chunk: what fails before it still gets its status.
        for await (const chunk of chunks) {
          if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
          failed ||= frontend.isError(chunk);
          write(frontend.toFrame(chunk));
        }
        write(frontend.toLastFrame(failed));
      }
    } catch (error) {
      const { status, headers, body } = frontend.toError(error);
      exchange.status = status;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      write(JSON.stringify(body));
    }
    response.end();
  }

  const server = createServer((request, response) => {
    const frontend = FRONTENDS[new URL(request.url ?? '/', 'http://localhost').pathname];
    if (frontend && request.method === 'POST') void answer(frontend, request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (next) => {
      backend = next;
    },
    exchanges,
    get left() {
      return left;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
