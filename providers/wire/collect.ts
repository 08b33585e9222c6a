/** Folds a streamed answer into a whole one. */
import { AdapterError, isAbort, StreamError } from '../errors.ts';
import {
  type IRChatResponse,
  type IRChatStream,
  type IRMetadata,
  type IRWarning,
  type MessageContent,
  resolveServedModel,
} from '../ir.ts';
import { createMessageFold } from './message-fold.ts';

/**
 * The response that a stream tells; its warnings are in the metadata. Throws the error of an `error` chunk, and
 * StreamError when the stream ends without a terminal chunk. What had been received by then is in the error's
 * `irState.response`, without calls that did not end; where the last attempt gave nothing, what the one before it gave.
 */
export async function collect(stream: IRChatStream): Promise<IRChatResponse> {
  const fold = createMessageFold();
  const warnings: IRWarning[] = [];
  const open = new Set<string>();
  let started: IRMetadata | undefined;
  let voided: MessageContent[] = [];

  const told = (end?: IRMetadata): { metadata: IRMetadata; model: string | undefined } => {
    const metadata = { ...started, ...end } as IRMetadata;
    if (warnings.length) metadata.warnings = [...(metadata.warnings ?? []), ...warnings];
    return { metadata, model: resolveServedModel(metadata.provenance) ?? metadata.provenance?.requestedModel };
  };
  const received = (): MessageContent[] =>
    fold.parts(told().model).filter((part) => part.type !== 'tool_use' || !open.has(part.id));
  const failed = (error: Error): Error => {
    const now = received();
    const content = now.length > 0 ? now : voided;
    if (!(error instanceof AdapterError) || content.length === 0) return error;
    const response: Partial<IRChatResponse> = {
      message: { role: 'assistant', content },
      finishReason: isAbort(error) ? 'aborted' : 'error',
      ...(started && { metadata: told().metadata }),
    };
    return Object.assign(error, { irState: { ...error.irState, response } });
  };

  for await (const chunk of stream) {
    if (chunk.type === 'retry' && chunk.discard) {
      const before = received();
      if (before.length > 0) voided = before;
      open.clear();
    }
    fold.add(chunk);
    if (chunk.type === 'start') started = chunk.metadata;
    else if (chunk.type === 'warning') warnings.push(chunk.warning);
    else if (chunk.type === 'tool_use_start') open.add(chunk.id);
    else if (chunk.type === 'tool_use_end') open.delete(chunk.id);
    else if (chunk.type === 'error') throw failed(chunk.error);
    else if (chunk.type === 'done') {
      const { metadata, model } = told(chunk.metadata);
      return {
        message: { role: 'assistant', content: fold.parts(model) },
        finishReason: chunk.finishReason,
        ...(chunk.usage && { usage: chunk.usage }),
        metadata,
      };
    }
  }
  throw failed(new StreamError({ message: 'The stream ended without a terminal chunk.', code: 'STREAM_TRUNCATED' }));
}
