/** Figures as a person reads them. */

/** Tokens: `812`, `12.3k`, `128k`, `1.5M`. */
export function amount(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 99.95 ? Number(value.toFixed(1)) : Math.round(value)}${unit}`;
}
