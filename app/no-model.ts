import { type Installed, type LookedFor, StartError } from './start-error.ts';

export interface NoModel {
  /** Addresses that were asked for an Ollama. */
  ollama: readonly string[];
  answered: boolean;
  /** Why what answered was no use. */
  problem?: string;
  /** What the Ollama has. */
  models: readonly Installed[];
  /** `ADA_BACKEND_URL`, null when it is not set. */
  remote: string | null;
  offline: boolean;
  /** What fits this machine, undefined when its memory is too small for any. */
  suggestion: LookedFor['suggestion'];
}

/** What a person is told when no model was named and none was found: what was looked for, where, and how to get each. */
export function noModel({ ollama, answered, problem, models, remote, offline, suggestion }: NoModel): StartError {
  const url = ollama.join(' and ');
  const state = answered
    ? `Ollama at ${url} has no model that can call tools`
    : problem?.replace(/\.$/, '') || `no Ollama at ${url}`;
  const get = suggestion ? `get one with "ada models pull ${suggestion.id}"` : 'this machine has little memory for one';
  const remedy = answered ? get : problem ? 'set OLLAMA_HOST' : 'start it with "ollama serve"';
  const backend = remote
    ? `; nothing answers at ADA_BACKEND_URL (${remote})${offline ? ', which --offline leaves alone' : ''}`
    : '';
  const keys = 'a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY';
  const rest = offline ? backend : `${backend}${remote ? '; or set ' : ', or set ADA_BACKEND_URL, or '}${keys}`;
  return new StartError(`no model can be reached: ${state}; ${remedy}${rest}; "ada demo" needs none`, 3, {
    ollama: { url, answered, problem, models },
    backend: remote,
    offline,
    suggestion,
  });
}
