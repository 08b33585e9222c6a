/** Which window a model is served with: as large as the memory bears, in coarse steps. */

/**
 * Coarse, so that a session keeps its window and two sessions share one: with another `num_ctx` the server loads the
 * model again.
 */
const STEPS = [131_072, 65_536, 32_768, 16_384, 8_192];
/** What agents need at least, whatever the memory says. */
const LEAST = 8_192;
/** Where the memory is not known: what common machines bear with common models. */
const FAR = 32_768;
/** Share of the machine's memory for weights and cache; the rest is for the system, the editor and the tests. */
const SHARE = 0.7;
/** Bytes of one number in the cache: the server keeps it as f16 unless told otherwise. */
const CACHE_NUMBER = 2;
/** What the server needs beside weights and cache. */
const OVERHEAD = 512 * 2 ** 20;

export interface WindowFacts {
  /** The longest window that the model was made for, tokens; null when unknown. */
  contextTokens: number | null;
  /** Bytes of the weights; null when unknown. */
  size: number | null;
  /** How they are kept, such as `Q4_K_M`: with the number of parameters that tells their size as well. */
  quantization?: string | null;
  /** `model_info` of /api/show. */
  info: Readonly<Record<string, unknown>>;
  /** `num_ctx` of the model's own parameters. */
  numCtx?: number | null;
  /** The server only passes requests on, and there is no memory to think of. */
  cloud?: boolean;
  /** The window that it is loaded with now, where its memory is not known. */
  loadedTokens?: number | null;
}

const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;

/**
 * Bytes that one token takes in the cache of keys and values; null when the architecture's facts are missing. Source:
 * GGUF's standardised metadata: block_count, attention.head_count(_kv), attention.key_length and .value_length.
 */
export function cacheBytesPerToken(info: WindowFacts['info']): number | null {
  const architecture = info['general.architecture'];
  const fact = (name: string): number | null => {
    const value = info[`${architecture}.${name}`];
    // Where it differs from layer to layer the server tells a list.
    if (Array.isArray(value)) return positive(value.reduce((sum, one) => sum + Number(one), 0) / value.length);
    return positive(value);
  };
  const [layers, heads] = [fact('block_count'), fact('attention.head_count')];
  const width = fact('embedding_length');
  const kvHeads = fact('attention.head_count_kv') ?? heads;
  const head = width !== null && heads !== null ? width / heads : null;
  const [key, value] = [fact('attention.key_length') ?? head, fact('attention.value_length') ?? head];
  if (layers === null || kvHeads === null || key === null || value === null) return null;
  return layers * kvHeads * (key + value) * CACHE_NUMBER;
}

/** Number of parameters of a model; null when unknown. */
export const parameterCount = (info: WindowFacts['info']): number | null => positive(info['general.parameter_count']);

/** Bits of a weight by the name of its form: `Q4_K_M` has four and what goes with them. */
function weightBytes({ size, info, quantization }: WindowFacts): number | null {
  if (size !== null) return size;
  const count = parameterCount(info);
  const bits = /^(?:[A-Z]*?F|I?Q|MXFP)(\d+)/i.exec(quantization ?? '')?.[1];
  return count === null || bits === undefined ? null : (count * (Number(bits) + 0.8)) / 8;
}

/** Bytes of weights and cache with the smallest window; null when the architecture's facts are missing. */
export function memoryOf(model: WindowFacts): number | null {
  const weights = weightBytes(model);
  if (weights === null) return null;
  return weights + LEAST * (cacheBytesPerToken(model.info) ?? 0) + OVERHEAD;
}

export interface ServedWindow {
  tokens: number;
  /** Why it is as large as it is, for a person: half a line. */
  reason: string;
}

/**
 * The window that a model is served with, and why. `wished` (a setting, or what a stored session had) stands, else what
 * the model's own parameters say, up to what the model was made for. `memory`: bytes of the machine that the server is
 * on, null when that is another one: then what it has loaded decides. Where nothing is known of the model a rule of
 * thumb decides.
 */
export function servedWindow(model: WindowFacts, memory: number | null, wished?: number | null): ServedWindow {
  const most = model.contextTokens ?? LEAST;
  const all = model.contextTokens === null ? 'the model does not tell its own' : 'all that the model was made for';
  if (wished) {
    const tokens = Math.min(wished, model.contextTokens ?? wished);
    return { tokens, reason: tokens < wished ? `${all}; the setting asks for more` : 'as ollama.contextTokens says' };
  }
  if (model.numCtx) {
    const tokens = Math.min(model.numCtx, model.contextTokens ?? model.numCtx);
    return { tokens, reason: 'as PARAMETER num_ctx of its Modelfile says (ollama.contextTokens sets another)' };
  }
  if (model.cloud) return { tokens: most, reason: all };
  if (memory === null) return farWindow(model, most, all);
  const perToken = cacheBytesPerToken(model.info);
  const weights = weightBytes(model);
  const fits = (step: number): boolean => {
    if (perToken !== null && weights !== null) return weights + step * perToken + OVERHEAD <= memory * SHARE;
    return step <= (memory >= 24 * 2 ** 30 ? 32_768 : memory >= 12 * 2 ** 30 ? 16_384 : LEAST);
  };
  const step = STEPS.find((one) => one <= most && fits(one));
  const tokens = Math.min(most, step ?? LEAST);
  if (tokens === most) return { tokens, reason: all };
  const machine = `${gigabytes(memory)} of memory`;
  if (perToken === null || weights === null)
    return { tokens, reason: `usual with ${machine}: the model does not tell what its cache takes` };
  const takes = `${gigabytes(weights)} of weights and ${gigabytes(tokens * perToken)} of cache`;
  if (step === undefined)
    return { tokens, reason: `the least for an agent, although ${takes} are much for ${machine}` };
  const larger = STEPS[STEPS.indexOf(step) - 1];
  const fitting = `${takes} fit ${Math.round(SHARE * 100)} % of ${machine}`;
  return {
    tokens,
    reason: larger === undefined || larger > most || fits(larger) ? fitting : `${fitting}, more do not`,
  };
}

/** A model on another machine: nothing is known of its memory but what it holds at the moment. */
function farWindow({ loadedTokens, contextTokens }: WindowFacts, most: number, all: string): ServedWindow {
  if (loadedTokens && loadedTokens >= Math.min(LEAST, most))
    return { tokens: Math.min(loadedTokens, contextTokens ?? loadedTokens), reason: 'as its server has it loaded' };
  const tokens = Math.min(most, FAR);
  const why = 'the memory of its server is not known (ollama.contextTokens asks for more)';
  return { tokens, reason: tokens === most ? all : why };
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** The window in tokens, as `servedWindow` finds it. */
export const chooseWindow = (model: WindowFacts, memory: number | null, wished?: number | null): number =>
  servedWindow(model, memory, wished).tokens;
