/** What a person without a model is told: what was looked for, how to get each, and what there is to do now. */
import type { LookedFor, StartError } from '../start-error.ts';
import type { Overlay } from './types.ts';

/** Name under which the choice comes back; no slash command has it. */
export const FIRST_RUN = 'start';
export type FirstChoice = 'demo' | 'again' | 'exit';

/** What was found and what is missing, a few lines. */
export function firstRunText({ message, lookedFor }: StartError): string {
  if (!lookedFor) return `No model yet: ${message}`;
  return ['No model can be reached yet. ada looked for:', ...searched(lookedFor)].join('\n');
}

function searched({ ollama, backend, offline }: LookedFor): string[] {
  const local = ollama.answered
    ? `1. Ollama at ${ollama.url}: it answers, but has no model that can call tools.`
    : `1. Ollama at ${ollama.url}: no answer.`;
  const get = ollama.answered
    ? '   Get one: ollama pull qwen3:8b'
    : '   Install it from ollama.com, then: ollama serve, and ollama pull qwen3:8b. Elsewhere: set OLLAMA_HOST.';
  if (offline)
    return [local, get, '2. and 3. A remote backend and keys of hosted models: left out, because of --offline.'];
  return [
    local,
    get,
    backend === null
      ? '2. ADA_BACKEND_URL, an OpenAI-compatible server: not set.'
      : `2. ADA_BACKEND_URL, ${backend}: no answer, or no model there.`,
    '   Set it to the base URL; ADA_CLIENT_KEY is its key.',
    '3. A key of a hosted model: none is set.',
    '   Set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or another vendor’s, and start ada again.',
  ];
}

export function firstRunMenu(error: StartError): Overlay {
  const items: { label: string; detail: string; value: FirstChoice }[] = [
    {
      label: 'Watch the demonstration',
      detail: 'a recorded model repairs a real bug in a sample project; you approve each step',
      value: 'demo',
    },
    { label: 'Look again', detail: 'at once', value: 'again' },
    { label: 'Leave', detail: '', value: 'exit' },
  ];
  return {
    kind: 'pick',
    title: 'No model yet',
    text: firstRunText(error),
    items,
    filter: '',
    selected: 0,
    command: FIRST_RUN,
    toDraft: true,
    after: 'ada looks again by itself every few seconds. What you type is kept, and can be sent then.',
  };
}
