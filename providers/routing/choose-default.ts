/** Which model answers when nobody named one. Pure. */
import type { ModelInfo } from '../adapter.ts';
import { type VendorRow, vendors } from '../vendors.ts';

export interface DefaultChoice {
  vendor: string;
  model: string;
  local: boolean;
  /** One line for the notice: which model, where, and why this one. */
  reason: string;
}

export interface DefaultOptions {
  /** Models of local servers that were reached. */
  local: readonly ModelInfo[];
  /** What the configured remote backend lists; undefined when none is configured. */
  remote?: { url: string; models: readonly ModelInfo[] };
  /** Ids of the hosted vendors that have a key. */
  withKey: readonly string[];
  /** Bytes that a model may take here; unknown: no model is ruled out by its size. */
  memory?: number;
  rows?: readonly VendorRow[];
}

/**
 * The best local model that can call tools and fits the memory; else the remote backend's; else the first hosted vendor with a key, in the
 * order of the table, with its default model; undefined when there is none of the three.
 */
export function chooseDefault(options: DefaultOptions): DefaultChoice | undefined {
  const local = bestLocal(options.local, options.memory);
  if (local) return local;

  const remote = options.remote?.models.find((model) => model.tools !== false && !model.embedding);
  const why = options.local.some((model) => !model.embedding)
    ? 'no local model that fits can call tools'
    : 'there is no local model';
  if (options.remote && remote) {
    const { url } = options.remote;
    return { vendor: 'remote', model: remote.id, local: false, reason: `${remote.id} through ${url}: ${why}` };
  }
  for (const row of options.rows ?? vendors) {
    if (row.local || row.id === 'remote' || row.defaultModel === null || !options.withKey.includes(row.id)) continue;
    const { defaultModel: model } = row;
    return { vendor: row.id, model, local: false, reason: `${model} at ${row.title} (hosted): ${why}` };
  }
  return undefined;
}

/** Of families made for coding with tools, best first; position decides before size. */
const families: readonly RegExp[] = [
  /qwen3?[.\d]*-coder-next|qwen3(\.\d)?-coder|devstral/i,
  /gpt-oss|glm-(4\.[5-9]|[5-9])|kimi|minimax/i,
  /qwen3|qwen2\.5-coder|magistral|nemotron/i,
  /coder|codestral|granite-?(code|[34])|mistral-(small|medium|large)|llama-?[34]|gemma-?[34]/i,
];

/** Share of the memory for weights and cache; the rest is for the system, the editor and the tests. */
const SHARE = 0.7;
/** A window below holds the prompt and nothing beside it. */
const LEAST_WINDOW = 4_096;

function bestLocal(models: readonly ModelInfo[], memory: number | undefined): DefaultChoice | undefined {
  const able = models
    // Ollama says what a model can do; of another server's model nothing is known before it is tried.
    .filter(({ tools, provider }) => tools ?? provider !== 'ollama')
    .filter((model) => model.local && !model.embedding)
    .filter(({ contextTokens }) => contextTokens === null || contextTokens >= LEAST_WINDOW)
    .map((model) => ({ model, family: rank(model.id), size: billions(model) ?? 0 }))
    .sort(
      (a, b) =>
        a.family - b.family ||
        b.size - a.size ||
        Number(b.model.loaded ?? false) - Number(a.model.loaded ?? false) ||
        (a.model.id < b.model.id ? -1 : 1),
    );
  const fitting = able.filter(({ model }) => fits(model, memory));
  // Better slow than none: what can be held at all, the smallest first.
  const tight = able
    .filter(({ model }) => memory === undefined || (model.size ?? 0) <= memory)
    .sort((a, b) => (a.model.size ?? 0) - (b.model.size ?? 0));
  const best = fitting[0] ?? tight[0];
  if (!best) return undefined;
  const { id, provider, parameters, loaded } = best.model;
  const facts = [parameters && `${parameters} parameters`, 'on this machine', loaded && 'loaded already'];
  const why = [
    able.length === 1
      ? 'the only local model that can call tools'
      : `the best of ${able.length} local models that can call tools`,
  ];
  if (fitting.length === 0) why.push('although it leaves little memory for anything else');
  else if (fitting.length < able.length) why.push('and fits the memory');
  // The name that asks for it: a bare one means Ollama.
  const name = provider === 'ollama' ? id : `${provider}/${id}`;
  const reason = `${name} (${facts.filter(Boolean).join(', ')}): ${why.join(fitting.length === 0 ? ', ' : ' ')}`;
  return { vendor: provider, model: id, local: true, reason };
}

/** Whether weights and the cache of a small window leave room for the rest; what is loaded evidently fits. */
function fits({ size, memory: need, loaded }: ModelInfo, memory: number | undefined): boolean {
  const bytes = need ?? size;
  return memory === undefined || bytes === null || loaded === true || bytes <= memory * SHARE;
}

function rank(id: string): number {
  const index = families.findIndex((family) => family.test(id));
  return index === -1 ? families.length : index;
}

/** Parameters in billions: from what the server says, else from the name (`:30b`, `-7b`). */
function billions(model: ModelInfo): number | undefined {
  const text = model.parameters ?? /[:-](\d+(?:\.\d+)?[bm])(?:$|[-_])/i.exec(model.id)?.[1];
  const match = text ? /(\d+(?:\.\d+)?)\s*([bm])/i.exec(text) : null;
  if (!match) return undefined;
  return Number(match[1]) / (match[2]!.toLowerCase() === 'm' ? 1000 : 1);
}
