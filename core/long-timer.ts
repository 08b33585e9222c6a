/** Node fires a timer that is set for longer at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Calls back after any number of ms, weeks too; gives what calls it off. */
export function afterLong(ms: number, then: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    const now = Math.min(left, LONGEST_MS);
    timer = setTimeout(() => (left > now ? wait(left - now) : then()), now);
  };
  wait(ms);
  return () => clearTimeout(timer);
}
