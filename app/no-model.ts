import type { Trouble } from './models/server-trouble.ts';
import { type Installed, type LookedFor, StartError } from './start-error.ts';

/** What an Ollama has, with what decides whether it can be chosen. */
export interface InstalledModel extends Installed {
  local: boolean;
  /** Bytes of weights and cache; null when unknown, or on another machine. */
  memory?: number | null;
}

export interface NoModel {
  /** Addresses that were asked for an Ollama. */
  ollama: readonly string[];
  answered: boolean;
  /** Of the servers that did not answer as one should. */
  troubles: readonly Trouble[];
  /** Of other servers of one's own that are no use, one line each. */
  others?: readonly string[];
  /** Lines about servers that were not even asked. */
  leftOut: readonly string[];
  /** What the Ollama has. */
  models: readonly InstalledModel[];
  /** `ADA_BACKEND_URL`, null when it is not set. */
  remote: string | null;
  offline: boolean;
  /** Bytes of this machine. */
  memory: number;
  /** What fits this machine, undefined when its memory is too small for any. */
  suggestion: LookedFor['suggestion'];
}

/** A window below holds the prompt and nothing beside it. */
const LEAST_WINDOW = 4_096;

/** What a person is told when no model was named and none was found: what was looked for, where, and how to get each. */
export function noModel(found: NoModel): StartError {
  const { ollama, answered, troubles, leftOut, models, remote, offline, suggestion, others = [] } = found;
  const url = ollama.join(' and ');
  const get = suggestion ? `get one with "ada models pull ${suggestion.id}"` : 'this machine has little memory for one';
  const silent = troubles.map(({ what, remedy }) => (remedy ? `${what} (${remedy})` : what));
  const state = answered
    ? [`Ollama at ${url} ${whyNone(found)}; ${get}`, ...silent]
    : troubles.length === 1
      ? [[troubles[0]!.what, troubles[0]!.remedy].filter(Boolean).join('; ')]
      : silent;
  state.push(...others);
  if (state.length === 0) state.push(leftOut.join('; ') || 'no address of an Ollama is set');
  const backend = remote
    ? `; nothing answers at ADA_BACKEND_URL (${remote})${offline ? ', which --offline leaves alone' : ''}`
    : '';
  const keys = 'a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY';
  const rest = offline ? backend : `${backend}${remote ? '; or set ' : ', or set ADA_BACKEND_URL, or '}${keys}`;
  // A server that is not there is told by its address alone; anything else needs its words.
  const problem = answered || troubles.every(({ what }) => /^no \w+ at /.test(what)) ? undefined : silent.join('; ');
  return new StartError(`no model can be reached: ${state.join('; ')}${rest}; "ada demo" needs none`, 3, {
    ollama: { url, answered, problem, models, ...(answered && { lacks: whyNone(found) }) },
    ...(others.length > 0 && { others }),
    backend: remote,
    offline,
    suggestion,
  });
}

/** Why none of the models that are there was chosen: what is true of the one that was nearest to it. */
function whyNone({ models, memory }: NoModel): string {
  if (models.length === 0) return 'has no model yet';
  const answering = models.filter(({ embedding }) => !embedding);
  if (answering.length === 0) return 'has only models that turn text into numbers';
  const here = answering.filter(({ local }) => local);
  if (here.length === 0) return 'has only models that it passes on to a hosted service (--model chooses one)';
  const calling = here.filter(({ tools }) => tools === true);
  if (calling.length === 0)
    return here.some(({ tools }) => tools === null)
      ? 'has no model of which it is known that it can call tools (--model tries one)'
      : 'has no model that can call tools';
  const wide = calling.filter(({ contextTokens }) => contextTokens === null || contextTokens >= LEAST_WINDOW);
  if (wide.length === 0)
    return `has no model with a window that holds more than the prompt (the largest is ${tokens(calling)})`;
  const least = Math.min(...wide.map(({ memory: need, size }) => need ?? size ?? 0));
  return `has only models that are too big for ${gigabytes(memory)} of memory (the smallest takes ${gigabytes(least)}; --model tries one all the same)`;
}

const tokens = (models: readonly InstalledModel[]): string =>
  `${Math.max(...models.map(({ contextTokens }) => contextTokens ?? 0)).toLocaleString('en-US')} tokens`;
const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
