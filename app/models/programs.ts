/** Programs that serve models on machines of one's own: each has settings of its own, which remedies must name. */
import type { VendorRow } from '../../providers/vendors.ts';

export interface Program {
  /** How a window is made larger, as half a sentence. */
  widen: string;
  /** The same, smaller. */
  narrow: string;
  /** How it is started on this machine. */
  start: string;
  /** What is so where it lists nothing, where that is not that it has none. */
  none?: string;
  /** How it gets its first model. */
  getOne: string;
  /** How it gets a model that it does not have, or has not loaded. */
  get(model: string): string;
}

export const OLLAMA: Program = {
  widen: 'serve a larger window (ollama.contextTokens in the settings)',
  narrow: 'ollama.contextTokens in the settings',
  start: 'start it with "ollama serve"',
  getOne: '"ada models pull NAME" gets one',
  get: (model) => `"ada models pull ${model}" gets it`,
};

const BY_ID: Readonly<Record<string, Program>> = {
  lmstudio: {
    widen: 'load the model with a larger context length (in LM Studio, or lms load --context-length)',
    narrow: 'its context length in LM Studio, or lms load --context-length',
    start: 'start its server (in LM Studio, or "lms server start")',
    none: 'has no model loaded',
    getOne: 'load one in LM Studio',
    get: (model) => `load it in LM Studio ("lms load ${model}")`,
  },
  llamacpp: {
    widen: 'start llama-server with a larger window (--ctx-size)',
    narrow: '--ctx-size of llama-server',
    start: 'start it ("llama-server -m MODEL.gguf")',
    getOne: 'start llama-server with one (-m)',
    get: () => 'start llama-server with it (-m)',
  },
  vllm: {
    widen: 'start vLLM with a larger window (--max-model-len)',
    narrow: '--max-model-len of vLLM',
    start: 'start it ("vllm serve MODEL")',
    getOne: '"vllm serve MODEL" serves one',
    get: (model) => `"vllm serve ${model}" serves it`,
  },
};

const OTHER: Program = {
  widen: 'serve a larger window (a setting of its server)',
  narrow: 'a setting of its server',
  start: 'start its server',
  getOne: 'have its server load one',
  get: () => 'have its server load it',
};

/** How the window of a model is made larger, as half a sentence; undefined where it was made for no larger one. */
export const widenOf = (
  row: Pick<VendorRow, 'id' | 'wire'>,
  window: number | null,
  longest: number | null = null,
): string | undefined => (window !== null && longest !== null && window >= longest ? undefined : programOf(row).widen);

/** Of a server of one's own. */
export const programOf = ({ id, wire }: Pick<VendorRow, 'id' | 'wire'>): Program =>
  wire === 'ollama' ? OLLAMA : (BY_ID[id] ?? OTHER);
