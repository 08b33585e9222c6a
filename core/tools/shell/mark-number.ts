/**
 * A mark that outlives a cleared environment: on Linux every shell gets a soft limit of its own for file locks, which the
 * kernel has not looked at since 2.4 (getrlimit(2), RLIMIT_LOCKS), and which all that it starts inherits and hardly
 * anything changes. `env -i setsid` keeps it.
 */
const CALLS = 2 ** 20;

/** The first number of the session that the mark (`pid-time-random`, perhaps with `.call.` behind it) belongs to. */
export function firstNumber(mark: string): number {
  const session = mark.split('.', 1)[0]!;
  let hash = 0x811c9dc5;
  for (let i = 0; i < session.length; i++) hash = Math.imul(hash ^ session.charCodeAt(i), 0x01000193);
  return (2 ** 30 + ((hash >>> 2) ^ (hash & 3))) * CALLS;
}

/** The number of one command, or of a whole session the first and the one behind the last. */
export function numbersOf(mark: string): { from: number; to: number } {
  const first = firstNumber(mark);
  const call = /^[^.]*\.(\d+)\.$/.exec(mark)?.[1];
  if (call === undefined) return { from: first, to: first + CALLS };
  const from = first + (Number(call) % CALLS);
  return { from, to: from + 1 };
}

/** What gives a bash its number; where it may not, there is none, and the environment alone must tell. */
export const takingNumber = (mark: string): string => `ulimit -Sx ${numbersOf(mark).from} 2>/dev/null; `;
