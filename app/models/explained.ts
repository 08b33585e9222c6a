import type { AdapterError } from '../../providers/errors.ts';
import type { IRChatStream } from '../../providers/ir.ts';
import type { AskedServer } from './server-trouble.ts';
import type { Place } from './silent-server.ts';

/** A model of a server of one's own that requests go to. */
export interface AskedModel {
  backend: string;
  server: AskedServer;
  model: string;
}

/** The stream, its error told with what can be done about it. Of one that stood in for `asked` nothing is known here. */
export async function* explained(
  stream: IRChatStream,
  asked: AskedModel | undefined,
  place: Place,
): IRChatStream & AsyncGenerator {
  for await (const chunk of stream) {
    const error = chunk.type === 'error' ? (chunk.error as AdapterError) : undefined;
    if (asked && error?.provenance?.backend === asked.backend) {
      const { reword } = await import('./reword.ts');
      reword(error, asked.model, asked.server);
      const { notMoved } = await import('./silent-server.ts');
      error.message += notMoved(error, asked.backend, place);
    }
    // A server that is loading is waited for: that is no failure.
    const isLoading =
      asked && chunk.type === 'retry' && !chunk.to && / is loading the model \(503\)/.test(chunk.reason);
    yield isLoading ? { ...chunk, reason: `${asked.server.title} is loading the model` } : chunk;
  }
}
