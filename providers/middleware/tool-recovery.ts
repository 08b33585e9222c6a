import type { Middleware } from '../adapter.ts';
import type { FinishReason, IRChatRequest, IRChatStream, IRStreamChunk } from '../ir.ts';
import { LateRecovery } from '../recovery/late-recovery.ts';
import type { MessageEnd, RecoveryOptions, RecoveryPiece } from '../recovery/recovery.ts';
import { makeCallId } from '../wire/call-id.ts';

export interface ToolRecoveryOptions {
  /**
   * True for a call that the caller can resolve though its name or arguments are not those that were offered. Asked
   * without `input` while only the name is known.
   */
  accepts?(name: string, input?: Record<string, unknown>): boolean;
  /** Name of the model's family; the name of the model unless given. */
  family?(request: IRChatRequest): string | undefined;
  /** True when the template opens the thinking; otherwise it is learnt from a model's first answer. */
  startsThinking?(request: IRChatRequest): boolean;
  /** The reader can forget text (a `retry` with `discard`): an answer that turns out to be thinking is said anew as such. */
  unsays?: boolean;
}

/**
 * Turns calls that a model printed as text into calls, and tags around thinking into reasoning. A call is recovered
 * only where the message has ended, the tool was offered and the arguments fit; what can be recognised but not run
 * becomes a call with `invalid`. Calls of the format itself pass untouched, and none is doubled.
 */
export function createToolRecoveryMiddleware(options: ToolRecoveryOptions = {}): Middleware {
  /** Models that were seen to close thinking which they had not opened. */
  const opened = new Set<string>();
  return ({ request }, next) => {
    const model = request.parameters?.model ?? '';
    const { tools, toolChoice } = request;
    const recovery: RecoveryOptions = {
      tools: tools ?? [],
      accepts: options.accepts,
      calls: !!tools?.length && toolChoice !== 'none',
      family: options.family ? options.family(request) : model,
    };
    const startsThinking = options.startsThinking?.(request) ?? opened.has(model);
    const { unsays = false } = options;
    return recovered(next(), { ...recovery, startsThinking, unsays }, () => opened.add(model));
  };
}

type Body<Chunk> = Chunk extends unknown ? Omit<Chunk, 'sequence'> : never;

async function* recovered(
  stream: IRChatStream,
  options: RecoveryOptions & { unsays: boolean },
  onRethought: () => void,
): AsyncGenerator<IRStreamChunk, void, undefined> {
  let recovery = new LateRecovery(options);
  let pieces: RecoveryPiece[] = [];
  let loading: Promise<void> | undefined;
  let sequence = 0;
  let index: number | undefined;
  /** Calls of the format itself: their names until they end, then name and arguments. */
  const names = new Map<string, string>();
  let native: { name: string; input: unknown }[] = [];
  let called = false;
  /** Calls that were printed and not meant. */
  let shown: 'perhaps' | 'surely' | undefined;
  const number = (chunk: Body<IRStreamChunk>): IRStreamChunk =>
    Object.assign(chunk, { sequence: sequence++ }) as IRStreamChunk;

  const pass = (chunk: IRStreamChunk): IRStreamChunk => {
    const place = sequence++;
    return chunk.sequence === place ? chunk : { ...chunk, sequence: place };
  };
  const isNative = (name: string, input: unknown): boolean =>
    native.some((call) => call.name === name && signature(call.input) === signature(input));

  function* take(): Generator<IRStreamChunk> {
    const taken = pieces;
    pieces = [];
    for (const piece of taken) {
      switch (piece.type) {
        case 'content':
          yield number({ type: 'content', delta: piece.delta });
          break;
        case 'reasoning':
          yield number({ type: 'reasoning', delta: piece.delta, ...(index !== undefined && { index }) });
          break;
        case 'rethought': {
          onRethought();
          if (options.unsays && !called && native.length === 0) {
            const reason = 'what was said so far was thinking';
            yield number({ type: 'retry', reason, attempt: 1, delayMs: 0, discard: true });
            if (piece.text) yield number({ type: 'reasoning', delta: piece.text });
            break;
          }
          const message = 'The answer began with thinking that was taken for text.';
          yield number({ type: 'warning', warning: { kind: 'approximated', field: 'content', message } });
          break;
        }
        case 'shown':
          shown = piece.surely ? 'surely' : 'perhaps';
          break;
        default: {
          if (piece.type === 'call' && isNative(piece.name, piece.arguments)) break;
          called = true;
          const id = makeCallId();
          yield number({ type: 'tool_use_start', id, name: printable(piece.name) });
          const raw = piece.type === 'call' ? JSON.stringify(piece.arguments) : piece.raw;
          if (raw !== '') yield number({ type: 'tool_use_delta', id, delta: raw });
          yield number(
            piece.type === 'call'
              ? { type: 'tool_use_end', id, input: piece.arguments, raw }
              : { type: 'tool_use_end', id, input: {}, raw, invalid: piece.reason },
          );
        }
      }
    }
  }

  for await (const chunk of stream) {
    switch (chunk.type) {
      case 'content':
        loading = recovery.content(chunk.delta, pieces);
        if (loading) await loading;
        break;
      case 'reasoning':
        index = chunk.index;
        if (chunk.signature === undefined && !chunk.redacted) {
          loading = recovery.thinking(chunk.delta, pieces);
          if (loading) await loading;
          break;
        }
        // Signed thinking goes back as it came.
        recovery.settle(pieces);
        if (pieces.length) yield* take();
        yield pass(chunk);
        continue;
      case 'retry':
        if (chunk.discard) {
          recovery = new LateRecovery(options);
          pieces = [];
          native = [];
          names.clear();
          called = false;
        }
        yield pass(chunk);
        continue;
      case 'done': {
        recovery.end(ENDS[chunk.finishReason], pieces);
        if (pieces.length) yield* take();
        const finishReason = called && chunk.finishReason === 'stop' ? 'tool_use' : chunk.finishReason;
        const { metadata } = chunk;
        if (shown)
          yield number({ ...chunk, metadata: { ...metadata, custom: { ...metadata?.custom, callsShown: shown } } });
        else yield finishReason === chunk.finishReason ? pass(chunk) : number({ ...chunk, finishReason });
        continue;
      }
      case 'error':
        recovery.end('broken', pieces);
        yield* take();
        yield pass(chunk);
        continue;
      case 'tool_use_start':
        names.set(chunk.id, chunk.name);
        recovery.settle(pieces);
        if (pieces.length) yield* take();
        yield pass(chunk);
        continue;
      case 'tool_use_end':
        native.push({ name: names.get(chunk.id) ?? '', input: chunk.input });
        yield pass(chunk);
        continue;
      default:
        yield pass(chunk);
        continue;
    }
    const [piece] = pieces;
    if (pieces.length === 1 && piece!.type === chunk.type && 'delta' in piece! && piece.delta === chunk.delta) {
      pieces.length = 0;
      yield pass(chunk);
    } else if (pieces.length) yield* take();
  }
}

const ENDS: Record<FinishReason, MessageEnd> = {
  stop: 'whole',
  tool_use: 'whole',
  length: 'cut',
  filter: 'cut',
  aborted: 'broken',
  error: 'broken',
};

/** The same for the same arguments in any order. */
const signature = (input: unknown): string =>
  JSON.stringify(input, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** A name that every wire format takes back. */
const printable = (name: string): string => name.replace(/[^\w.-]/g, '_').slice(0, 64) || 'unknown';
