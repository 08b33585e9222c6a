/** Streams an answer that is known beforehand, for backends that have no server. */
import {
  type FinishReason,
  type IRChatRequest,
  type IRMetadata,
  type IRStreamChunk,
  type IRUsage,
  unknownUsage,
} from '../ir.ts';
import { pause } from './pause.ts';
import { abortedError } from './socket-error.ts';
import { typedError } from './stream.ts';

export interface Script {
  reasoning?: string;
  text?: string;
  calls?: readonly { id: string; name: string; input: Record<string, unknown>; raw?: string; invalid?: string }[];
  finishReason?: FinishReason;
  usage?: IRUsage;
  servedModel?: string;
  /** What its server tells of it besides, as `custom` of the metadata. */
  custom?: Readonly<Record<string, unknown>>;
  /** Characters per delta; everything in one unless given. */
  chunk?: number;
  /** Pause between deltas, ms. */
  delayMs?: number;
  /** Ends the stream after `errorAfter` deltas (0 unless given), or at its end. */
  error?: Error;
  errorAfter?: number;
}

export interface ScriptContext {
  backend: string;
  local: boolean;
  request: IRChatRequest;
  model: string;
  signal?: AbortSignal;
}

/** Cuts text into deltas, never between the halves of a surrogate pair. */
function* cut(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + size);
    const unit = text.charCodeAt(to - 1);
    if (to < text.length && unit >= 0xd800 && unit < 0xdc00) to++;
    yield text.slice(from, to);
    from = to;
  }
}

/** The pieces of the answer, deltas marked by their having one. */
function* pieces(script: Script): Generator<any> {
  const size = Math.max(1, Math.floor(script.chunk ?? Number.POSITIVE_INFINITY)) || 1;
  for (const delta of cut(script.reasoning ?? '', size)) yield { type: 'reasoning', delta };
  for (const delta of cut(script.text ?? '', size)) yield { type: 'content', delta };
  for (const call of script.calls ?? []) {
    const raw = call.raw ?? JSON.stringify(call.input);
    yield { type: 'tool_use_start', id: call.id, name: call.name };
    for (const delta of cut(raw, size)) yield { type: 'tool_use_delta', id: call.id, delta };
    yield { type: 'tool_use_end', id: call.id, input: call.input, raw, ...(call.invalid && { invalid: call.invalid }) };
  }
}

/** Plays what `prepare` gives; what it throws becomes the error chunk. */
export async function* streamScript(
  context: ScriptContext,
  prepare: () => Script | Promise<Script>,
): AsyncGenerator<IRStreamChunk, void, undefined> {
  const { backend, local, request, model, signal } = context;
  const began = Date.now();
  const provenance = { ...request.metadata.provenance, backend, requestedModel: model, local };
  const metadata: IRMetadata = { ...request.metadata, provenance };
  let sequence = 0;
  const checkAbort = () => {
    if (!signal?.aborted) return;
    throw abortedError({ backend, model }, signal.reason);
  };
  try {
    yield { sequence: sequence++, type: 'start', metadata };
    checkAbort();
    const script = await prepare();
    checkAbort();
    let deltas = 0;
    for (const piece of pieces(script)) {
      const isDelta = 'delta' in piece;
      if (script.error && isDelta && deltas === (script.errorAfter ?? 0)) throw script.error;
      if (isDelta && script.delayMs && deltas > 0) await pause(script.delayMs, signal);
      checkAbort();
      yield { sequence: sequence++, ...piece };
      if (isDelta) deltas++;
    }
    if (script.error) throw script.error;
    yield {
      sequence: sequence++,
      type: 'done',
      finishReason: script.finishReason ?? (script.calls?.length ? 'tool_use' : 'stop'),
      usage: script.usage ?? unknownUsage(),
      metadata: {
        ...metadata,
        provenance: { ...provenance, servedModel: script.servedModel ?? model },
        custom: { ...metadata.custom, ...script.custom, latencyMs: Date.now() - began },
      },
    };
  } catch (error) {
    yield { sequence: sequence++, type: 'error', error: typedError(error, { backend, model }) };
  }
}
