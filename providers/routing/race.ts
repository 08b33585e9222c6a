import type { AdapterError } from '../errors.ts';
import type { IRChatStream, IRStreamChunk } from '../ir.ts';
import { abortedError, toAdapterError } from './retry-policy.ts';

export interface Runner {
  name: string;
  start(signal: AbortSignal): IRChatStream;
}

export interface RaceResult {
  /** The first whose answer began, with its whole stream; undefined when all failed or the caller aborted. */
  winner?: { name: string; stream: IRChatStream };
  failures: readonly { name: string; error: AdapterError }[];
}

type Iterator = AsyncIterator<IRStreamChunk, void, undefined>;

/**
 * Asks several backends at once: the first whose answer begins wins, the others are aborted and closed. An answer
 * begins with its first piece of content, reasoning or a call, or with a `done`; an error before that is a failure.
 */
export async function race(runners: readonly Runner[], signal?: AbortSignal): Promise<RaceResult> {
  const failures: { name: string; error: AdapterError }[] = [];
  const entries = runners.map((runner) => ({ ...runner, abort: new AbortController() }));
  const abortAll = () => {
    for (const entry of entries) entry.abort.abort();
  };
  if (signal?.aborted) return { failures };
  signal?.addEventListener('abort', abortAll, { once: true });

  const heats = entries.map(async (entry) => {
    let iterator: Iterator | undefined;
    try {
      iterator = entry.start(entry.abort.signal)[Symbol.asyncIterator]() as Iterator;
      const head: IRStreamChunk[] = [];
      for (;;) {
        const { value, done } = await iterator.next();
        if (entry.abort.signal.aborted) throw abortedError(entry.name);
        if (done || !value) throw new Error(`${entry.name} ended its answer before it began.`);
        if (value.type === 'error') throw value.error;
        head.push(value);
        if (value.type !== 'start' && value.type !== 'warning' && value.type !== 'retry') break;
      }
      return { entry, head, iterator };
    } catch (error) {
      const failure = toAdapterError(error, entry.name);
      if (failure.code !== 'ABORTED') failures.push({ name: entry.name, error: failure });
      void iterator?.return?.()?.catch(() => {});
      throw failure;
    }
  });

  try {
    const first = await Promise.any(heats);
    for (const entry of entries) if (entry !== first.entry) entry.abort.abort();
    for (const heat of heats) {
      heat.then(
        (late) => late !== first && void late.iterator.return?.()?.catch(() => {}),
        () => {},
      );
    }
    return {
      winner: { name: first.entry.name, stream: rejoin(first.head, first.iterator, signal, abortAll) },
      failures,
    };
  } catch {
    signal?.removeEventListener('abort', abortAll);
    return { failures };
  }
}

/** The chunks that were read already, then the rest; closes the inner stream on every way out. */
async function* rejoin(
  head: readonly IRStreamChunk[],
  rest: Iterator,
  signal: AbortSignal | undefined,
  onAbort: () => void,
): AsyncGenerator<IRStreamChunk, void, undefined> {
  try {
    yield* head;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    signal?.removeEventListener('abort', onAbort);
    await rest.return?.();
  }
}
