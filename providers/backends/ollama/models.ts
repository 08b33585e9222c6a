/** What an Ollama server tells about itself and its models (docs/api.md: /api/tags, /api/show, /api/ps, /api/version). */
import type { ModelInfo } from '../../adapter.ts';
import { AdapterError, StreamError } from '../../errors.ts';
import { discoveryMs, localityOf, serverPlace } from '../../locality.ts';
import type { Transport } from '../../transport.ts';
import { countOf, type Fields, fieldsOf, includesOf, isFields, rowsOf, textOf } from '../../wire/answer-fields.ts';
import { getJson } from '../../wire/get-json.ts';
import { within } from '../../wire/within.ts';
import { abilitiesOf } from './abilities.ts';
import { shownUrl } from './base-url.ts';
import { memoryOf } from './window.ts';

/** One model in detail; what the server does not say is null. `contextTokens` is the longest that it was made for. */
export interface OllamaModel extends ModelInfo {
  /** The server only passes requests on: its weights are elsewhere, and so is what is sent. */
  cloud: boolean;
  /** `num_ctx` of the model's own parameters. */
  numCtx: number | null;
  /** `completion`, `tools`, `vision`, `thinking`, `embedding`, `insert`; null on servers that do not tell. */
  capabilities: readonly string[] | null;
  /** It turns text into vectors and cannot answer. */
  embedsOnly: boolean;
  family: string | null;
  /** Architecture facts as reported, for estimates of memory. */
  info: Fields;
  template: string | null;
}

type Headers = Readonly<Record<string, string>>;

/** So many models of one server are asked about at once. */
const AT_ONCE = 8;

/** The answer, an object: from a server that is well it comes at once. Throws typed errors. */
async function ask(
  transport: Transport,
  url: string,
  headers?: Headers,
  signal?: AbortSignal,
  body?: { model: string },
): Promise<Fields> {
  const answer: unknown = await within(discoveryMs(url), url, signal, (limited) =>
    getJson(transport, { backend: 'ollama', model: body?.model, url }, { headers, body, signal: limited }),
  );
  if (isFields(answer)) return answer;
  throw notOllama(url);
}

const notOllama = (url: string): StreamError =>
  new StreamError({
    message: `${shownUrl(url)} does not answer as an Ollama server does.`,
    isRetryable: false,
    provenance: { backend: 'ollama', url: shownUrl(url) },
  });

/** Models that a server only passes on are named so, or name the host that has them. */
const isCloud = (name: string, row: Fields): boolean => textOf(row.remote_host) !== null || /[:-]cloud$/i.test(name);

/** The details of a model, undefined when the server does not have it. */
export async function showModel(
  transport: Transport,
  baseUrl: string,
  model: string,
  headers?: Headers,
  signal?: AbortSignal,
): Promise<OllamaModel | undefined> {
  let answer: Fields;
  try {
    answer = await ask(transport, `${baseUrl}/api/show`, headers, signal, { model });
  } catch (error) {
    if (error instanceof AdapterError && error.code === 'MODEL_NOT_FOUND') return undefined;
    throw error;
  }
  const details = fieldsOf(answer.details);
  const info = fieldsOf(answer.model_info);
  const { tools, vision, reasoning, embedding, completion } = abilitiesOf(answer);
  const numCtx = /^num_ctx\s+(\d+)/m.exec(textOf(answer.parameters) ?? '')?.[1];
  const cloud = isCloud(model, answer);
  return {
    id: model,
    provider: 'ollama',
    local: !cloud && localityOf(baseUrl) !== 'elsewhere',
    cloud,
    server: serverPlace(baseUrl),
    contextTokens: countOf(info[`${String(info['general.architecture'])}.context_length`]),
    outputTokens: null,
    tools,
    vision,
    reasoning,
    embedding,
    embedsOnly: embedding && !completion,
    size: null,
    quantization: textOf(details.quantization_level),
    parameters: textOf(details.parameter_size),
    price: null,
    numCtx: countOf(Number(numCtx)),
    capabilities: Array.isArray(answer.capabilities) ? answer.capabilities : null,
    family: textOf(details.family),
    info,
    template: textOf(answer.template),
  };
}

/** For example `0.12.6`. */
export async function serverVersion(
  transport: Transport,
  baseUrl: string,
  headers?: Headers,
  signal?: AbortSignal,
): Promise<string> {
  return textOf((await ask(transport, `${baseUrl}/api/version`, headers, signal)).version) ?? '';
}

/**
 * The installed models. `abilities` asks further what each can do, what memory it takes, and which are loaded; else
 * that is left out, or null where the list does not tell. `local`: whether the server counts as one of a person's own;
 * its address tells where that is left out.
 */
export async function listOllamaModels(
  transport: Transport,
  baseUrl: string,
  options: { abilities?: boolean; local?: boolean; headers?: Headers; signal?: AbortSignal } = {},
): Promise<ModelInfo[]> {
  const { abilities, headers, signal, local = localityOf(baseUrl) !== 'elsewhere' } = options;
  const url = `${baseUrl}/api/tags`;
  const answer = await ask(transport, url, headers, signal);
  // An empty list is null on some servers.
  if (!Array.isArray(answer.models) && answer.models !== null) throw notOllama(url);
  const server = serverPlace(baseUrl);
  const models = rowsOf(answer.models).flatMap((row): ModelInfo[] => {
    const id = textOf(row.model) ?? textOf(row.name);
    if (id === null) return [];
    const details = fieldsOf(row.details);
    // Cloud models are listed beside those that run here, with a size that is not that of their weights.
    const cloud = isCloud(id, row);
    return [
      {
        id,
        provider: 'ollama',
        local: local && !cloud,
        ...(cloud && { cloud }),
        server,
        contextTokens: countOf(details.context_length),
        outputTokens: null,
        tools: includesOf(row.capabilities, 'tools'),
        vision: includesOf(row.capabilities, 'vision'),
        reasoning: includesOf(row.capabilities, 'thinking'),
        size: cloud ? null : countOf(row.size),
        quantization: textOf(details.quantization_level),
        parameters: textOf(details.parameter_size),
        price: null,
      },
    ];
  });
  if (!abilities) return models;
  const loading = loadedModels(transport, baseUrl, headers, signal).catch(() => []);
  const shown: ModelInfo[] = [];
  for (let from = 0; from < models.length; from += AT_ONCE)
    shown.push(...(await Promise.all(models.slice(from, from + AT_ONCE).map(inDetail))));
  const loaded = new Set((await loading).map(({ id }) => id));
  return shown.map((model) => ({ ...model, loaded: loaded.has(model.id) }));

  async function inDetail(model: ModelInfo): Promise<ModelInfo> {
    // One broken model must not hide the others.
    const shown = await showModel(transport, baseUrl, model.id, headers, signal).catch(() => undefined);
    if (!shown) return model;
    const { contextTokens, tools, vision, reasoning, embedding, info, quantization, cloud } = shown;
    const memory = cloud ? null : memoryOf({ contextTokens, size: model.size, quantization, info });
    const known = contextTokens ?? model.contextTokens;
    const more = { contextTokens: known, tools, vision, reasoning, embedding, memory };
    return { ...model, ...more, ...(cloud && { cloud, local: false, size: null }) };
  }
}

/** The models in memory now, with the window each is loaded with. */
export async function loadedModels(
  transport: Transport,
  baseUrl: string,
  headers?: Headers,
  signal?: AbortSignal,
): Promise<{ id: string; contextTokens: number | null }[]> {
  const answer = await ask(transport, `${baseUrl}/api/ps`, headers, signal);
  return rowsOf(answer.models).flatMap((row) => {
    const id = textOf(row.model) ?? textOf(row.name);
    return id === null ? [] : [{ id, contextTokens: countOf(row.context_length) }];
  });
}
