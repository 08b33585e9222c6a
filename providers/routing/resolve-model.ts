/** Which vendor a model id means. Pure: nothing is asked, nothing is sent. */
import { findVendor, type VendorRow, vendors } from '../vendors.ts';
import { huggingFaceName } from './hugging-face.ts';
import { nearest } from './nearest.ts';

export type ResolvedModel =
  /** `explicit`: the vendor was written in front of the model. */
  | { vendor: string; model: string; explicit: boolean }
  | { replay: string }
  /** Only the list of installed models can tell: ask Ollama, then resolve again with it. */
  | { needsInstalled: true }
  | { unknown: string; nearest: readonly string[] };

export interface ResolveOptions {
  /** Models that Ollama has; leave it out while nobody has asked, give an empty list when it cannot be reached. */
  installed?: readonly string[];
  /** Other names of models, from the settings; they are looked up once. */
  aliases?: Readonly<Record<string, string>>;
  /** Further names to suggest when nothing matches. */
  known?: readonly string[];
  rows?: readonly VendorRow[];
}

/**
 * Order: `replay:FILE`; a first segment that is a vendor row; a name that Ollama has installed (`:latest` implied);
 * any other id with a `:`, and weights on Hugging Face, are Ollama's; a known prefix; any other id with a `/` is
 * OpenRouter's; else unknown.
 * A prefix is one of bare names: in `qwen/qwen3-coder` the part before the slash is OpenRouter's name of an author.
 */
export function resolveModel(id: string, options: ResolveOptions = {}): ResolvedModel {
  const rows = options.rows ?? vendors;
  const { aliases = {} } = options;
  const wanted = aliased(id, aliases);
  if (wanted.startsWith('replay:')) return { replay: wanted.slice('replay:'.length) };

  const slash = wanted.indexOf('/');
  if (slash > 0 && slash < wanted.length - 1) {
    const row = vendorCalled(wanted.slice(0, slash), rows);
    const model = wanted.slice(slash + 1);
    if (row)
      return { vendor: row.id, model: (row.wire === 'ollama' && huggingFaceName(model)) || model, explicit: true };
  }

  // Ollama gets models from there by these names.
  const weights = huggingFaceName(wanted);
  if (weights !== undefined && options.installed !== undefined)
    return { vendor: 'ollama', model: findInstalled(weights, options.installed) ?? weights, explicit: false };

  const here = findInstalled(wanted, options.installed ?? []);
  if (here !== undefined) return { vendor: 'ollama', model: here, explicit: false };
  if (wanted.includes(':') && weights === undefined) return { vendor: 'ollama', model: wanted, explicit: false };
  if (wanted !== '' && options.installed === undefined) return { needsInstalled: true };

  for (const row of rows) {
    if (!row.prefix?.test(wanted)) continue;
    if (slash === -1 || wanted.startsWith('@')) return { vendor: row.id, model: wanted, explicit: false };
  }
  if (slash > 0 && slash < wanted.length - 1) return { vendor: 'openrouter', model: wanted, explicit: false };

  const names = [...(options.installed ?? []), ...Object.keys(options.aliases ?? {}), ...(options.known ?? [])];
  for (const row of rows) if (row.defaultModel !== null) names.push(row.defaultModel);
  return { unknown: wanted, nearest: nearest(wanted, names) };
}

/** Servers of one's own also as people write them: `LM-Studio`, `llama.cpp`, `vLLM`. */
function vendorCalled(name: string, rows: readonly VendorRow[]): VendorRow | undefined {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return findVendor(name, rows) ?? rows.find(({ id, local }) => local && id === plain);
}

/** The name that another one stands for in the settings; it is looked up once. */
export const aliased = (id: string, aliases: Readonly<Record<string, string>> = {}): string =>
  (Object.hasOwn(aliases, id) ? aliases[id]! : id).trim();

/**
 * The installed model of that name; where the name has no tag, the one with `:latest`, or with the only tag that is
 * installed. Undefined when there is none.
 */
export function findInstalled(name: string, installed: readonly string[]): string | undefined {
  if (name === '') return undefined;
  if (installed.includes(name)) return name;
  // Ollama compares names without regard to case.
  const wanted = name.toLowerCase();
  const isTagged = wanted.slice(wanted.lastIndexOf('/') + 1).includes(':');
  const same = installed.filter((candidate) => {
    const id = candidate.toLowerCase();
    const rest = id.slice(wanted.length);
    // A short name never becomes a model that Ollama passes on to a server of its own.
    return (
      id === wanted || (!isTagged && id.startsWith(`${wanted}:`) && !rest.includes('/') && !/[:-]cloud$/.test(rest))
    );
  });
  const exact = same.find((candidate) => /^(?:|:latest)$/i.test(candidate.slice(name.length)));
  return exact ?? (same.length === 1 ? same[0] : undefined);
}
