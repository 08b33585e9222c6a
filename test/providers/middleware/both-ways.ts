import type { FrontendAdapter, Middleware } from '../../../providers/adapter.ts';
import type { MockBackendAdapter } from '../../../providers/backends/mock.ts';
import { Bridge } from '../../../providers/bridge.ts';
import type { IRChatRequest, IRChatResponse, IRStreamChunk } from '../../../providers/ir.ts';
import { scripted } from '../router/scripted-backend.ts';

/** A format in which nothing is changed: requests, answers and chunks are IR. */
export const plain: FrontendAdapter<IRChatRequest, IRChatResponse, IRStreamChunk> = {
  metadata: { ...scripted([]).metadata, name: 'plain' },
  toIR: async (request) => request,
  fromIR: async (response) => response,
  async *fromIRStream(stream) {
    yield* stream;
  },
};

/** One request both ways through a Bridge. */
export function both(backend: Pick<MockBackendAdapter, 'metadata'>, ...middleware: Middleware[]) {
  const bridge = new Bridge(plain, backend as MockBackendAdapter);
  for (const one of middleware) bridge.use(one);
  return {
    chat: (request: IRChatRequest, signal?: AbortSignal) => bridge.chat(request, signal),
    async stream(request: IRChatRequest, signal?: AbortSignal): Promise<IRStreamChunk[]> {
      const chunks: IRStreamChunk[] = [];
      for await (const chunk of bridge.chatStream(request, signal)) chunks.push(chunk);
      return chunks;
    },
  };
}
