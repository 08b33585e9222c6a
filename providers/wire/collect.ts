/** Folds a streamed answer into a whole one. */
import { StreamError } from '../errors.ts';
import { type IRChatResponse, type IRChatStream, type IRMetadata, type IRWarning, resolveServedModel } from '../ir.ts';
import { createMessageFold } from './message-fold.ts';

/**
 * The response that a stream tells; its warnings are in the metadata. Throws the error of an `error` chunk, and
 * StreamError when the stream ends without a terminal chunk.
 */
export async function collect(stream: IRChatStream): Promise<IRChatResponse> {
  const fold = createMessageFold();
  const warnings: IRWarning[] = [];
  let started: IRMetadata | undefined;
  for await (const chunk of stream) {
    fold.add(chunk);
    if (chunk.type === 'start') started = chunk.metadata;
    else if (chunk.type === 'warning') warnings.push(chunk.warning);
    else if (chunk.type === 'error') throw chunk.error;
    else if (chunk.type === 'done') {
      const metadata: IRMetadata = { ...started, ...chunk.metadata };
      if (warnings.length) metadata.warnings = [...(metadata.warnings ?? []), ...warnings];
      const model = resolveServedModel(metadata.provenance) ?? metadata.provenance?.requestedModel;
      return {
        message: { role: 'assistant', content: fold.parts(model) },
        finishReason: chunk.finishReason,
        ...(chunk.usage && { usage: chunk.usage }),
        metadata,
      };
    }
  }
  throw new StreamError({ message: 'The stream ended without a terminal chunk.', code: 'STREAM_TRUNCATED' });
}
