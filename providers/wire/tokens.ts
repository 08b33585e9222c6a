/** A count of tokens as servers write it, some of them as text; null for whatever is no count. */
export function tokens(value: unknown): number | null {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? count : null;
}
