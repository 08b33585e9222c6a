/** What OpenAI's own models refuse, by their names (API reference, "Reasoning models"). */
import type { Effort } from '../../ir.ts';

/** `o1`, `o3-mini`, `gpt-5`, `openai/gpt-5.2-codex`; not `gpt-5-chat-latest`, not `gpt-oss`. */
const REASONING = /^(?:o[1-9]\d*|gpt-(?:[5-9]|\d\d)(?:\.\d+)?)(?=$|[-@:])(?!.*-chat\b)/i;
const PLAIN = /^(?:gpt-3\.5|gpt-4|chatgpt-|gpt-[5-9](?:\.\d+)?-chat\b)/i;

const bare = (model: string): string => model.slice(model.lastIndexOf('/') + 1);

/** One of the models that always reason and refuse `max_tokens`. */
export const isReasoningModel = (model: string): boolean => REASONING.test(bare(model));

/** One of the models that never reason. */
export const isPlainModel = (model: string): boolean => PLAIN.test(bare(model));

/** True when the model refuses temperature, top_p, stop and penalties; newer ones take them while they do not reason. */
export function refusesSampling(model: string, effort: Effort | undefined): boolean {
  return isReasoningModel(model) && !(effort === 'off' && mayRest(model));
}

/** The least effort that the model knows. */
export function leastEffort(model: string): 'none' | 'minimal' | 'low' {
  if (!isReasoningModel(model) || mayRest(model)) return 'none';
  return /^gpt-5/i.test(bare(model)) && !/codex|pro\b/i.test(model) ? 'minimal' : 'low';
}

/** From gpt-5.1 on, but for the models that are made for code or for long thought. */
const mayRest = (model: string): boolean =>
  /^gpt-(?:5\.\d|[6-9]|\d\d)/i.test(bare(model)) && !/codex|pro\b/i.test(model);
