/** Reads what both formats say about images and documents. */
import type { IRWarning, MediaSource, TextContent } from '../ir.ts';
import { inlined } from '../wire/media.ts';

/** A URL as a source; a `data:` URL becomes inline bytes. */
export const sourceOfUrl = (url: string): MediaSource => inlined({ type: 'url', url });

/** What stands in the place of a part that nothing can carry, with its warning. */
export function leftOut(what: string, field: string, warnings: IRWarning[]): TextContent {
  warnings.push({ kind: 'dropped', field, message: `${what} cannot be passed on` });
  return { type: 'text', text: `[${what} left out]` };
}

/** Warns of the fields that the format does not have or that nothing here understands. */
export function warnUnknown(
  row: Record<string, unknown>,
  known: ReadonlySet<string>,
  base: string,
  warnings: IRWarning[],
): void {
  for (const [name, value] of Object.entries(row))
    if (!known.has(name) && value !== undefined && value !== null)
      warnings.push({ kind: 'dropped', field: `${base}${name}`, message: 'this field is not passed on' });
}
