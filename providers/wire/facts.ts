/** What a backend is told about its models, and what it believes when it is told nothing. */
import type { AdapterCapabilities } from '../adapter.ts';

/** Facts about one model; what is absent counts as the backend's own capabilities say. */
export type CapabilitiesOf = (model: string) => Partial<AdapterCapabilities> | undefined;

/** The capabilities of a model at a backend. */
export const factsFor = (
  model: string,
  own: AdapterCapabilities,
  capabilitiesOf: CapabilitiesOf | undefined,
): AdapterCapabilities => ({ ...own, ...capabilitiesOf?.(model) });

/** True for two names of one model: equal but for a date or `-latest` at the end, or Ollama's implied `:latest`. */
export function sameModel(a: string, b: string): boolean {
  const plain = (name: string) => name.replace(/(?:[-@]\d{8}|[-:]latest|-\d{4}-\d{2}-\d{2})$/, '');
  return a === b || plain(a) === plain(b);
}
