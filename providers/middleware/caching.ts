import type { Middleware, MiddlewareContext } from '../adapter.ts';
import { type IRChatRequest, type IRStreamChunk, partsOf } from '../ir.ts';
import { abortedError } from '../wire/socket-error.ts';
import { tell } from './tell.ts';

/** Where answers are kept: texts by key. What it throws costs the cache, never the answer. */
export interface CacheStorage {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): void | Promise<void>;
  delete(key: string): void | Promise<void>;
}

export interface CachingOptions {
  /** Memory with its default limits unless given. */
  storage?: CacheStorage;
  /** How long an answer holds, ms; an hour unless given. */
  maxAgeMs?: number;
  /** True: answers that call tools are kept too. They are not otherwise, since what a tool gives changes. */
  toolAnswers?: boolean;
  /** The key of a request; `cacheKey` unless given. Undefined: this request is neither looked up nor kept. */
  keyOf?: (request: IRChatRequest, context: MiddlewareContext) => string | undefined | Promise<string | undefined>;
  /** Told of what the storage or `keyOf` throws. */
  onError?: (error: unknown) => void;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

type Piece = Exclude<IRStreamChunk, { type: 'start' | 'retry' | 'error' }>;
interface Kept {
  at: number;
  chunks: Piece[];
}

const HOUR = 3_600_000;

/**
 * Answers a request that was answered before from memory, as the same chunks; `done.metadata.custom.cached` is then
 * true. Only whole answers are kept: none that failed, was aborted, cut off or filtered, or that its reader left.
 */
export function createCachingMiddleware(options: CachingOptions = {}): Middleware {
  const { storage = createMemoryStorage(), maxAgeMs = HOUR, toolAnswers = false, now = Date.now } = options;
  const keyOf =
    options.keyOf ?? ((request: IRChatRequest, { backendName }: MiddlewareContext) => cacheKey(request, backendName));

  async function tried<T>(run: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await run();
    } catch (error) {
      tell(options.onError, error);
      return undefined;
    }
  }

  return async function* caching(context, next) {
    const key = await tried(() => keyOf(context.request, context));
    if (key === undefined) {
      yield* next();
      return;
    }
    const kept = read(await tried(() => storage.get(key)));
    if (kept && now() - kept.at <= maxAgeMs) {
      yield* replay(kept, context);
      return;
    }
    if (kept) await tried(() => storage.delete(key));

    let chunks: Piece[] = [];
    for await (const chunk of next()) {
      if (chunk.type === 'retry') {
        if (chunk.discard) chunks = chunks.filter((one) => one.type === 'warning');
      } else if (chunk.type !== 'start' && chunk.type !== 'error') chunks.push(chunk);
      if (chunk.type === 'done' && isKept(chunks, chunk.finishReason, toolAnswers) && !context.signal?.aborted) {
        const text = JSON.stringify({ at: now(), chunks } satisfies Kept);
        await tried(() => storage.set(key, text));
      }
      yield chunk;
    }
  };
}

function isKept(chunks: readonly Piece[], finish: string, toolAnswers: boolean): boolean {
  if (finish !== 'stop' && finish !== 'tool_use') return false;
  return toolAnswers || (finish === 'stop' && !chunks.some((chunk) => chunk.type === 'tool_use_start'));
}

/** What a storage gave back; anything that is no kept answer is as if it were not there. */
function read(text: string | undefined): Kept | undefined {
  if (text === undefined) return undefined;
  try {
    const kept = JSON.parse(text) as Kept;
    return Array.isArray(kept.chunks) && kept.chunks.at(-1)?.type === 'done' ? kept : undefined;
  } catch {
    return undefined;
  }
}

async function* replay({ chunks }: Kept, { request, signal }: MiddlewareContext) {
  const { requestId, timestamp } = request.metadata;
  let sequence = 0;
  yield { type: 'start', sequence: sequence++, metadata: request.metadata } satisfies IRStreamChunk;
  for (const chunk of chunks) {
    if (signal?.aborted) throw abortedError({ requestId });
    if (chunk.type !== 'done') yield { ...chunk, sequence: sequence++ };
    else {
      const before = chunk.metadata.custom ?? {};
      // This answer cost nothing, whatever the first one did.
      const free = { latencyMs: 0, ...('cost' in before && { cost: 0 }), cached: true };
      const custom = { ...before, ...request.metadata.custom, ...free };
      yield { ...chunk, sequence: sequence++, metadata: { ...chunk.metadata, requestId, timestamp, custom } };
    }
  }
}

/**
 * A digest of what decides the answer: the backend's name and the whole request but for ids, times, cache hints, how
 * long a model stays loaded and how the answer is sent. A text and one text part are the same, and so are a field that
 * is left out and its default.
 */
export async function cacheKey(request: IRChatRequest, backend = ''): Promise<string> {
  const { createHash } = await import('node:crypto');
  const { messages, tools, toolChoice, parameters = {}, ...others } = request;
  const { metadata: _, cache: __, stream: ___, whole: ____, ...rest } = others;
  const { keepAlive: _____, ...deciding } = parameters;
  const said = messages.map(({ role, name, content }) => [role, name ?? null, partsOf(content)]);
  const about = { ...rest, toolChoice: toolChoice ?? 'auto', parameters: deciding };
  // The order of a schema's fields is part of the prompt.
  const text = JSON.stringify([backend, ordered(said), tools ?? [], ordered(about)]);
  return createHash('sha256').update(text).digest('hex');
}

/** A value with the fields of its objects in one order, so that the hand that built it does not matter. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => [name, ordered(field)]);
}

export interface MemoryStorageOptions {
  /** 500 unless given. */
  maxEntries?: number;
  /** Characters of all answers together; 16 million unless given. A longer answer is not kept. */
  maxCharacters?: number;
}

/** Keeps answers in memory; when it is full, the one that was longest not asked for goes. */
export function createMemoryStorage(options: MemoryStorageOptions = {}): CacheStorage & { readonly size: number } {
  const { maxEntries = 500, maxCharacters = 16_000_000 } = options;
  const entries = new Map<string, string>();
  let characters = 0;
  const remove = (key: string) => {
    characters -= entries.get(key)?.length ?? 0;
    entries.delete(key);
  };
  return {
    get size() {
      return entries.size;
    },
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      // A Map keeps its order of insertion: the first is then the one least used.
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      remove(key);
      if (value.length > maxCharacters) return;
      entries.set(key, value);
      characters += value.length;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && characters <= maxCharacters) break;
        remove(oldest);
      }
    },
    delete: remove,
  };
}
