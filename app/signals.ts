/** Turns the signals that end a program into one orderly stop with the conventional exit code. */

const CODES: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 };
/** A stop that takes longer than this is cut short; the whole program must be gone within two seconds. */
const GRACE_MS = 1700;
const WRITE_MS = 500;

export interface Stop {
  /** Exit code of the first signal; undefined as long as none came. */
  readonly code: number | undefined;
  /** Runs at the first signal. */
  onStop(handler: () => void): void;
  /** Asked at each SIGINT before it counts as a signal; true: it was meant for something else than the program. */
  onInterrupt(handler: () => boolean): void;
  /** Resolves half a second after the first signal: what is not written by then may never be. */
  readonly expired: Promise<void>;
}

/**
 * Takes over SIGINT, SIGTERM, SIGHUP and SIGQUIT. Without a handler the process exits at once; with one it has 1.7 s.
 * A second signal does not wait.
 */
export function takeSignals(): Stop {
  let code: number | undefined;
  let handler: (() => void) | undefined;
  let interrupt: (() => boolean) | undefined;
  let expire = () => {};
  const expired = new Promise<void>((resolve) => {
    expire = resolve;
  });
  for (const [name, value] of Object.entries(CODES)) {
    process.on(name, () => {
      if (name === 'SIGINT' && code === undefined && interrupt?.()) return;
      if (code !== undefined || !handler) process.exit(code ?? value);
      code = value;
      setTimeout(() => process.exit(value), GRACE_MS);
      setTimeout(expire, WRITE_MS);
      handler();
    });
  }
  return {
    get code() {
      return code;
    },
    onStop(next) {
      handler = next;
    },
    onInterrupt(next) {
      interrupt = next;
    },
    expired,
  };
}

/** Waits for `work`, but not longer than `ms`. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    work,
    new Promise((resolve) => {
      timer = setTimeout(resolve, ms);
    }),
  ]);
  clearTimeout(timer);
}
