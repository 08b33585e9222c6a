/** Calls what only wants to be told: what it throws, now or later, never ends an answer. */
export function tell<Told extends readonly unknown[]>(
  hear: ((...told: Told) => unknown) | undefined,
  ...told: Told
): void {
  try {
    const heard = hear?.(...told);
    if (heard instanceof Promise) heard.catch(() => {});
  } catch {
    // Nobody can be told that telling failed.
  }
}
