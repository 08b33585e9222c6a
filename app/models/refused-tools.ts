/** Models that were seen to refuse tools though nobody said so before: they are taught calls in words. */
import type { ValidationError } from '../../providers/errors.ts';

/** A model at one server. */
export interface ModelAt {
  vendor: string;
  url: string;
  model: string;
}

const keyOf = ({ vendor, url, model }: ModelAt): string => `${vendor} ${url} ${model}`;

/** While the process lives: another session need not find it out again. */
const seen = new Set<string>();

export const wasRefused = (at: ModelAt): boolean => seen.has(keyOf(at));

export const noteRefused = (at: ModelAt): void => {
  seen.add(keyOf(at));
};

/** Whether this model's server refused a request because of its tools. */
export function isRefusal(error: unknown, { vendor, model }: ModelAt): error is ValidationError {
  const { refusesTools, provenance } = error as Partial<ValidationError>;
  if (!refusesTools || !provenance) return false;
  const { backend, model: asked } = provenance;
  return backend === vendor && (asked === undefined || asked === model);
}

/** Said once. `where`: its server, for a person. */
export const taughtInstead = (model: string, where: string, { message }: ValidationError): string =>
  `${model} cannot call tools, says ${where}${remedyOf(message)}: from now on it is taught to write calls as text, which goes wrong more often (ada models lists others)`;

/** Where it is not the model, but how its server was started. */
function remedyOf(words: string): string {
  if (/--enable-auto-tool-choice/.test(words))
    return ' (it can where vLLM is started with --enable-auto-tool-choice and --tool-call-parser)';
  return /--jinja/.test(words) ? ' (it may where llama-server is started with --jinja)' : '';
}
