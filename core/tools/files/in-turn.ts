/** One change of a file after another. */
import { canonical } from './locate.ts';

const queues = new Map<string, Promise<unknown>>();

/** Runs `change` when every earlier change of the same file has ended, whatever name it was given by. */
export async function inTurn<T>(file: string, change: () => Promise<T>): Promise<T> {
  const key = canonical(file);
  const before = queues.get(key) ?? Promise.resolve();
  const mine = before.then(change, change);
  const settled = mine.catch(() => {});
  queues.set(key, settled);
  try {
    return await mine;
  } finally {
    if (queues.get(key) === settled) queues.delete(key);
  }
}
