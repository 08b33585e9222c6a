import { RouterError } from '../errors.ts';

/** What a function of the configuration says; what it throws becomes a RouterError with that cause. */
export async function asked<T>(what: string, backend: string | undefined, ask: () => T | Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new RouterError({
      message: `${what} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
      provenance: backend === undefined ? {} : { backend },
    });
  }
}
