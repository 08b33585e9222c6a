/** How long something took, in at most six cells: `0.4 s`, `12 s`, `3m 05s`, `2h 10m`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(milliseconds, 0) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const two = (value: number) => String(value).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${two(whole % 60)}s`;
  return `${Math.floor(whole / 3600)}h ${two(Math.floor(whole / 60) % 60)}m`;
}

/** The same; '' for what took no time that a person notices. */
export const noticeable = (milliseconds: number): string => (milliseconds < 95 ? '' : duration(milliseconds));

/** The same while it lasts: in whole seconds, so that the picture changes once a second. */
export const elapsed = (milliseconds: number): string =>
  duration(Math.floor(Math.max(milliseconds, 0) / 1000) * 1000).replace('.0', '');
