/** Figures as a person reads them. */

/** Tokens: `812`, `12.3k`, `128k`, `1.5M`. */
export function amount(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 99.95 ? Number(value.toFixed(1)) : Math.round(value)}${unit}`;
}

/** A context window: `32k` for 32,768, else as `amount`. */
export const windowSize = (tokens: number): string =>
  tokens >= 1024 && tokens % 1024 === 0 && tokens < 1 << 20 ? `${tokens / 1024}k` : amount(tokens);
