/** A whole answer of a provider to IR, through the decoder that also reads its streams. */
import type { AdapterMetadata } from '../adapter.ts';
import type { IRChatRequest, IRChatResponse } from '../ir.ts';
import { createMessageFold } from './message-fold.ts';
import type { Piece, StreamDecoder } from './stream.ts';

/** `raw` is kept in the response. */
export function responseOf(
  decoder: StreamDecoder,
  raw: Record<string, any>,
  request: IRChatRequest,
  adapter: AdapterMetadata,
  model: string,
  latencyMs: number,
): IRChatResponse {
  const pieces: Piece[] = [];
  decoder.push(JSON.stringify(raw), pieces);
  const ending = decoder.finish(pieces);
  const fold = createMessageFold();
  for (const piece of pieces) fold.add(piece);
  const told = pieces.flatMap((piece) => (piece.type === 'warning' ? [piece.warning] : []));
  const warnings = [...(request.metadata.warnings ?? []), ...told];
  const servedModel = ending.servedModel ?? model;
  return {
    message: { role: 'assistant', content: fold.parts(servedModel) },
    finishReason: ending.finishReason,
    usage: ending.usage,
    metadata: {
      ...request.metadata,
      provenance: {
        ...request.metadata.provenance,
        backend: adapter.name,
        requestedModel: model,
        servedModel,
        local: ending.local ?? adapter.local ?? false,
      },
      ...(ending.responseId !== undefined && { providerResponseId: ending.responseId }),
      ...(warnings.length && { warnings }),
      custom: { ...request.metadata.custom, ...ending.custom, latencyMs },
    },
    raw,
  };
}
