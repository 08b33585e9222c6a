/** What a person without a model is told: what was looked for, how to get each, and what there is to do now. */
import { bytesText } from '../pull-progress.ts';
import type { Installed, LookedFor, StartError } from '../start-error.ts';
import type { Overlay } from './types.ts';

/** Name under which the choice comes back; no slash command has it. */
export const FIRST_RUN = 'start';
export type FirstChoice = 'demo' | 'again' | 'exit' | 'stop' | 'no' | `pull ${string}` | `yes ${string}`;

/** So many installed models are told one by one. */
const MOST_LISTED = 6;

/** What was found and what is missing, a few lines. */
export function firstRunText({ message, lookedFor }: StartError): string {
  if (!lookedFor) return `No model yet: ${message}`;
  return ['No model can be reached yet. ada looked for:', ...searched(lookedFor)].join('\n');
}

function searched({ ollama, backend, offline, suggestion, others = [] }: LookedFor): string[] {
  const installed = ollama.models ?? [];
  const local = ollama.answered
    ? `1. Ollama at ${ollama.url}: it answers, but ${ollama.lacks ?? 'has no model that can call tools'}.`
    : `1. Ollama at ${ollama.url}: ${ollama.problem ? `no use. ${ollama.problem}` : 'no answer.'}`;
  const listed = installed.slice(0, MOST_LISTED).map((model) => `   - ${installedText(model)}`);
  if (installed.length > MOST_LISTED) listed.push(`   - and ${installed.length - MOST_LISTED} more`);
  const name = suggestion?.id ?? 'qwen3:1.7b';
  const why = suggestion ? ` (${suggestion.reason})` : ' (this machine has little memory even for that)';
  const get = ollama.answered
    ? `   Get one: ollama pull ${name}${why}`
    : `   Install it from ollama.com, then: ollama serve, and ollama pull ${name}. Elsewhere: set OLLAMA_HOST.`;
  const first = [local, ...listed, get, ...others.map((line) => `   ${line}.`)];
  if (offline)
    return [...first, '2. and 3. A remote backend and keys of hosted models: left out, because of --offline.'];
  return [
    ...first,
    backend === null
      ? '2. ADA_BACKEND_URL, an OpenAI-compatible server: not set.'
      : `2. ADA_BACKEND_URL, ${backend}: no answer, or no model there.`,
    '   Set it to the base URL; ADA_CLIENT_KEY is its key.',
    '3. A key of a hosted model: none is set.',
    '   Set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or another vendor’s, and start ada again.',
  ];
}

function installedText({ id, parameters, quantization, size, contextTokens, tools, embedding }: Installed): string {
  const facts = [
    parameters,
    quantization,
    size === null ? null : bytesText(size),
    contextTokens === null ? null : `${Math.round(contextTokens / 1024)}k window`,
    embedding ? 'only embeds text' : tools === false ? 'cannot call tools' : whyNot({ tools, contextTokens }),
  ];
  return `${id}: ${facts.filter(Boolean).join(', ')}`;
}

/** Why one that may be able to call tools was not taken. */
function whyNot({ tools, contextTokens }: Pick<Installed, 'tools' | 'contextTokens'>): string {
  if (tools === null) return 'it is not known whether it can call tools';
  return contextTokens !== null && contextTokens < 4096 ? 'too small a window' : 'larger than the memory, or hosted';
}

/**
 * `now`: ms; keys that were typed before then choose nothing, where the first choice costs something. `news`: what became
 * of the choice before.
 */
export function firstRunMenu(error: StartError, now?: number, news?: string): Overlay {
  const items: { label: string; detail: string; value: FirstChoice }[] = [
    {
      label: 'Watch the demonstration',
      detail: 'a recorded model repairs a real bug in a sample project; you approve each step',
      value: 'demo',
    },
    { label: 'Look again', detail: 'at once', value: 'again' },
    { label: 'Leave', detail: '', value: 'exit' },
  ];
  const { ollama, suggestion, offline } = error.lookedFor ?? {};
  const canPull = ollama?.answered === true && suggestion !== undefined;
  if (canPull) {
    const from = offline ? 'the Ollama server goes out for it, not ada' : 'the Ollama server fetches it';
    const detail = `${from}; Esc stops it, and what has come is kept`;
    const label = `Get ${suggestion.id} (${bytesText(suggestion.size)})`;
    items.unshift({ label, detail, value: `pull ${suggestion.id}` });
  }
  return {
    kind: 'pick',
    title: 'No model yet',
    text: news === undefined ? firstRunText(error) : `${news}\n\n${firstRunText(error)}`,
    items,
    filter: '',
    selected: 0,
    command: FIRST_RUN,
    toDraft: true,
    after: 'ada looks again by itself every few seconds. What you type is kept, and can be sent then.',
    ...(canPull && { shownAt: now }),
  };
}

/** Larger downloads are asked about once more, bytes: on many lines they take minutes. */
const LARGE = 2e9;

/**
 * What is asked before a large download, one that the disk has no room for, or one whose size nobody knows; undefined
 * where nothing is. `free`: bytes on the disk that it goes to, null when unknown.
 */
export function downloadQuestion(
  { lookedFor }: StartError,
  model: string,
  free: number | null,
): { text: string; yes: string } | undefined {
  const suggested = lookedFor?.suggestion;
  const size = suggested?.id === model ? suggested.size : null;
  const lacks = size !== null && free !== null && size > free;
  if (size !== null && size <= LARGE && !lacks) return undefined;
  const what = size === null ? 'a download of unknown size' : `${bytesText(size)} to download`;
  const room = free === null ? '' : ` ${bytesText(free)} are free on its disk${lacks ? ': that is too little' : ''}.`;
  return { text: `${model} is ${what}.${room}`, yes: `Yes, download ${size === null ? 'it' : bytesText(size)}` };
}

/** The same as a list; the first choice downloads nothing. `now`: as for the menu. */
export function downloadMenu(question: { text: string; yes: string }, model: string, now: number): Overlay {
  return {
    kind: 'pick',
    title: `Get ${model}?`,
    text: question.text,
    items: [
      { label: 'No', detail: 'nothing is downloaded', value: 'no' },
      { label: question.yes, detail: 'Esc stops it, and what has come is kept', value: `yes ${model}` },
    ],
    filter: '',
    selected: 0,
    command: FIRST_RUN,
    unchosen: 'no',
    overDraft: true,
    shownAt: now,
  };
}

/** A newer menu with the choice that the person had gone to, where it is still there. */
export function keptChoice(menu: Overlay, before: Overlay): Overlay {
  // What is asked about the choice stays until it is answered.
  if (before.kind === 'pick' && before.unchosen === 'no') return before;
  if (menu.kind !== 'pick' || before.kind !== 'pick' || before.selected === 0) return menu;
  const chosen = before.items[before.selected]?.value;
  return {
    ...menu,
    selected: Math.max(
      0,
      menu.items.findIndex(({ value }) => value === chosen),
    ),
  };
}
