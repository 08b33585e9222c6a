import { StartError } from './start-error.ts';

export interface NoModel {
  /** Addresses that were asked for an Ollama. */
  ollama: readonly string[];
  answered: boolean;
  /** `ADA_BACKEND_URL`, null when it is not set. */
  remote: string | null;
  offline: boolean;
}

/** What a person is told when no model was named and none was found: what was looked for, where, and how to get each. */
export function noModel({ ollama, answered, remote, offline }: NoModel): StartError {
  const url = ollama.join(' and ');
  const state = answered ? `Ollama at ${url} has no model that can call tools` : `no Ollama at ${url}`;
  const remedy = answered ? 'get one with "ollama pull qwen3:8b"' : 'start it with "ollama serve"';
  const backend = remote
    ? `; nothing answers at ADA_BACKEND_URL (${remote})${offline ? ', which --offline leaves alone' : ''}`
    : '';
  const keys = 'a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY';
  const rest = offline ? backend : `${backend}${remote ? '; or set ' : ', or set ADA_BACKEND_URL, or '}${keys}`;
  return new StartError(`no model can be reached: ${state}; ${remedy}${rest}; "ada demo" needs none`, 3, {
    ollama: { url, answered },
    backend: remote,
    offline,
  });
}
