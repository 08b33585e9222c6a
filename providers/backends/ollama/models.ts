/** What an Ollama server tells about itself and its models (docs/api.md: /api/tags, /api/show, /api/ps, /api/version). */
import type { ModelInfo } from '../../adapter.ts';
import { AdapterError } from '../../errors.ts';
import type { Transport } from '../../transport.ts';
import { getJson } from '../../wire/get-json.ts';
import { memoryOf } from './window.ts';

/** One model in detail; what the server does not say is null. `contextTokens` is the longest that it was made for. */
export interface OllamaModel extends ModelInfo {
  /** `num_ctx` of the model's own parameters. */
  numCtx: number | null;
  /** `completion`, `tools`, `vision`, `thinking`, `embedding`, `insert`; null on servers that do not tell. */
  capabilities: readonly string[] | null;
  family: string | null;
  /** Architecture facts as reported, for estimates of memory. */
  info: Readonly<Record<string, unknown>>;
  template: string | null;
}

type Headers = Readonly<Record<string, string>>;

function ask(transport: Transport, url: string, headers?: Headers, signal?: AbortSignal, body?: { model: string }) {
  return getJson(transport, { backend: 'ollama', model: body?.model, url }, { headers, body, signal });
}

const ability = (abilities: unknown, name: string): boolean | null =>
  Array.isArray(abilities) ? abilities.includes(name) : null;

/** The details of a model, undefined when the server does not have it. */
export async function showModel(
  transport: Transport,
  baseUrl: string,
  model: string,
  headers?: Headers,
  signal?: AbortSignal,
): Promise<OllamaModel | undefined> {
  let answer: Record<string, any>;
  try {
    answer = await ask(transport, `${baseUrl}/api/show`, headers, signal, { model });
  } catch (error) {
    if (error instanceof AdapterError && error.code === 'MODEL_NOT_FOUND') return undefined;
    throw error;
  }
  const { capabilities, details = {}, model_info: info = {} } = answer;
  const length = info[`${info['general.architecture']}.context_length`];
  const numCtx = /^num_ctx\s+(\d+)/m.exec(answer.parameters ?? '')?.[1];
  return {
    id: model,
    provider: 'ollama',
    local: !answer.remote_host,
    contextTokens: typeof length === 'number' ? length : null,
    outputTokens: null,
    tools: ability(capabilities, 'tools'),
    vision: ability(capabilities, 'vision'),
    reasoning: ability(capabilities, 'thinking'),
    embedding: ability(capabilities, 'embedding') ?? false,
    size: null,
    quantization: details.quantization_level ?? null,
    parameters: details.parameter_size ?? null,
    price: null,
    numCtx: numCtx ? Number(numCtx) : null,
    capabilities: Array.isArray(capabilities) ? capabilities : null,
    family: details.family ?? null,
    info,
    template: answer.template ?? null,
  };
}

/** For example `0.12.6`. */
export async function serverVersion(
  transport: Transport,
  baseUrl: string,
  headers?: Headers,
  signal?: AbortSignal,
): Promise<string> {
  return String((await ask(transport, `${baseUrl}/api/version`, headers, signal)).version ?? '');
}

/**
 * The installed models. `abilities` asks further what each can do, what memory it takes, and which are loaded; else
 * that is left out, or null where the list does not tell.
 */
export async function listOllamaModels(
  transport: Transport,
  baseUrl: string,
  options: { abilities?: boolean; headers?: Headers; signal?: AbortSignal } = {},
): Promise<ModelInfo[]> {
  const { abilities, headers, signal } = options;
  const answer = await ask(transport, `${baseUrl}/api/tags`, headers, signal);
  const models = (answer.models ?? []).map(
    (row: Record<string, any>): ModelInfo => ({
      id: row.model ?? row.name,
      provider: 'ollama',
      // Cloud models are listed beside those that run here.
      local: !row.remote_host,
      contextTokens: row.details?.context_length ?? null,
      outputTokens: null,
      tools: ability(row.capabilities, 'tools'),
      vision: ability(row.capabilities, 'vision'),
      reasoning: ability(row.capabilities, 'thinking'),
      size: row.size ?? null,
      quantization: row.details?.quantization_level ?? null,
      parameters: row.details?.parameter_size ?? null,
      price: null,
    }),
  );
  if (!abilities) return models;
  const loading = loadedModels(transport, baseUrl, headers, signal).catch(() => []);
  const shown = await Promise.all(
    models.map(async (model: ModelInfo) => {
      // One broken model must not hide the others.
      const shown = await showModel(transport, baseUrl, model.id, headers, signal).catch(() => undefined);
      if (!shown) return model;
      const { contextTokens, tools, vision, reasoning, embedding, info, quantization } = shown;
      const memory = memoryOf({ contextTokens, size: model.size, quantization, info });
      const known = contextTokens ?? model.contextTokens;
      return { ...model, contextTokens: known, tools, vision, reasoning, embedding, memory };
    }),
  );
  const loaded = new Set((await loading).map(({ id }) => id));
  return shown.map((model) => ({ ...model, loaded: loaded.has(model.id) }));
}

/** The models in memory now, with the window each is loaded with. */
export async function loadedModels(
  transport: Transport,
  baseUrl: string,
  headers?: Headers,
  signal?: AbortSignal,
): Promise<{ id: string; contextTokens: number | null }[]> {
  const answer = await ask(transport, `${baseUrl}/api/ps`, headers, signal);
  return (answer.models ?? []).map((row: Record<string, any>) => ({
    id: row.model ?? row.name,
    contextTokens: row.context_length ?? null,
  }));
}
