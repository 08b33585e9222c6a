/** The one place through which tools change files: who wants to be able to take changes back keeps what was there. */

/** Larger files are data: each would push all others out. */
export const MOST_KEPT_BYTES = 8 << 20;

/** What a person and a model should know before such a file is overwritten. */
export const NOT_KEPT = 'too large to be kept: /rewind cannot bring it back';

const KEY = 'guarded-change';

/** Told of a file that is about to be changed; gives what is to be told when the change is made. */
export type ChangeGuard = (file: string) => Promise<() => Promise<void>>;

type Memory = Map<string, unknown>;

/** Has `guard` told of every later change that is made with this session's memory. */
export const guardChanges = (memory: Memory, guard: ChangeGuard): void => void memory.set(KEY, guard);

/** Makes a change of `file`. What the guard cannot keep does not hinder it. */
export async function guardedChange<T>(memory: Memory, file: string, change: () => Promise<T>): Promise<T> {
  const guard = memory.get(KEY) as ChangeGuard | undefined;
  const made = await guard?.(file).catch(() => undefined);
  const result = await change();
  await made?.().catch(() => {});
  return result;
}
