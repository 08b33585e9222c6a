/** Node fires a timer that is set for longer at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Waits, and resolves early (never rejects) when the signal aborts. The timer keeps the process alive on purpose. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, LONGEST_MS));
    signal?.addEventListener('abort', end, { once: true });
  });
}
