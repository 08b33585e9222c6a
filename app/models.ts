/**
 * From names, settings and the environment to a router with the right backend behind it: CONTRACT, "Which model
 * answers". Nothing is asked before a model is wanted, and then only the server that the model belongs to.
 */
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import type { BackendAdapter, ModelInfo } from '../providers/adapter.ts';
import { AdapterError } from '../providers/errors.ts';
import type { IRChatRequest, IRChatStream, IRParameters, IRUsage } from '../providers/ir.ts';
import { composeMiddleware } from '../providers/middleware/compose-middleware.ts';
import { createImagesAsTextMiddleware } from '../providers/middleware/images-as-text.ts';
import { Router } from '../providers/router.ts';
import { chooseDefault } from '../providers/routing/choose-default.ts';
import { type ResolvedModel, resolveModel } from '../providers/routing/resolve-model.ts';
import { createTransport } from '../providers/transport.ts';
import {
  findVendor,
  isConfigured,
  isLoopback,
  type VendorRow,
  vendorBaseUrl,
  vendorKey,
  vendors,
} from '../providers/vendors.ts';
import { proxyFromEnvironment } from '../providers/wire/proxy.ts';
import { StartError } from './start-error.ts';

export interface ModelsOptions {
  env: NodeJS.ProcessEnv;
  /** Where a relative path of a recording starts. */
  cwd: string;
  /** `ollama.hosts`, `ollama.contextTokens`, `ollama.keepAlive`, `routing.models` of the settings. */
  ollamaHost?: string;
  contextTokens?: number;
  keepAlive?: string | number;
  aliases?: Readonly<Record<string, string>>;
  offline: boolean;
}

/** A model that was found and can be asked through `router`. */
export interface ChosenModel {
  /** Explicit id: `vendor/model` or `replay:FILE`. */
  id: string;
  local: boolean;
  /** Window that requests are served with; null when unknown. */
  contextTokens: number | null;
  parameters: IRParameters;
  /** One line for a person about why this one; undefined when it was asked for. */
  notice?: string;
}

export interface Models {
  /** Streams an answer of the chosen model. */
  ask(request: IRChatRequest, signal: AbortSignal): IRChatStream;
  /** Finds the model and readies its backend. `window`: the context that a stored session was served with. */
  choose(id: string | undefined, window?: number | null): Promise<ChosenModel>;
  /** Everything that can be reached now; servers that cannot be reached add nothing. */
  list(): Promise<readonly ModelInfo[]>;
  /** US dollars of one answer, null when the price is unknown. */
  cost(backend: string, model: string, usage: IRUsage): number | null;
  close(): void;
}

const DEFAULT_KEEP_ALIVE = '30m';
/** Steps in which a window is chosen, so that it changes seldom: a new size makes Ollama load the model again. */
const WINDOWS = [32_768, 16_384, 8_192];
const GIB = 2 ** 30;

export function openModels(options: ModelsOptions): Models {
  const { env } = options;
  const router = new Router({ routingStrategy: 'explicit', fallbackStrategy: 'sequential' });
  const proxy = proxyFromEnvironment(env);
  const transport = createTransport({ proxy });
  /** Models without eyes. */
  const blind = new Set<string>();
  const send = composeMiddleware(
    [createImagesAsTextMiddleware({ sees: ({ parameters }) => !blind.has(parameters?.model ?? '') })],
    ({ request, signal }) => router.executeStream(request, signal),
  );
  const costs = new Map<string, (usage: IRUsage) => number | null>();

  const urlOf = (row: VendorRow): string | null => {
    if (row.id === 'ollama' && options.ollamaHost) return options.ollamaHost;
    return vendorBaseUrl(row, env);
  };

  async function choose(id: string | undefined, window?: number | null): Promise<ChosenModel> {
    if (id === undefined || id.trim() === '') return chooseUnnamed(window);
    const resolveOptions = { aliases: options.aliases };
    let found: ResolvedModel = resolveModel(id, resolveOptions);
    if ('needsInstalled' in found) {
      const installed = await installedModels().catch(() => []);
      found = resolveModel(id, { ...resolveOptions, installed: installed.map((model) => model.id) });
    }
    if ('replay' in found) {
      if (!found.replay) throw new StartError('replay: names no file (replay:FILE)');
      return chooseReplay(found.replay);
    }
    if ('vendor' in found) return chooseFrom(findVendor(found.vendor)!, found.model, window);
    const near = 'unknown' in found && found.nearest.length ? `; nearest: ${found.nearest.slice(0, 3).join(', ')}` : '';
    throw new StartError(`no model is called ${id}${near} (ada models lists what can be reached)`, 3);
  }

  async function chooseUnnamed(window?: number | null): Promise<ChosenModel> {
    const ollama = findVendor('ollama')!;
    let problem = '';
    const local = await installedModels(true).catch((error: unknown) => {
      problem = (error as Error).message;
      return [];
    });
    const remoteRow = findVendor('remote')!;
    const remoteUrl = vendorBaseUrl(remoteRow, env);
    const choice = chooseDefault({
      local,
      remote: remoteUrl && !options.offline ? { url: remoteUrl, models: await listOf(remoteRow) } : undefined,
      withKey: options.offline
        ? []
        : vendors.filter((row) => !row.local && isConfigured(row, env) && vendorKey(row, env)).map((row) => row.id),
      memory: totalmem(),
    });
    if (!choice) {
      const url = urlOf(ollama);
      const state = problem ? `no Ollama at ${url}` : `Ollama at ${url} has no model that can call tools`;
      const remedy = problem ? 'start it with "ollama serve"' : 'get one with "ollama pull qwen3:8b"';
      const backend = remoteUrl
        ? `; nothing answers at ADA_BACKEND_URL (${remoteUrl})${options.offline ? ', which --offline leaves alone' : ''}`
        : '';
      const keys = 'a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY';
      const rest = options.offline
        ? backend
        : `${backend}${remoteUrl ? '; or set ' : ', or set ADA_BACKEND_URL, or '}${keys}`;
      throw new StartError(`no model can be reached: ${state}; ${remedy}${rest}; "ada demo" needs none`, 3, {
        ollama: { url: url ?? '', answered: problem === '' },
        backend: remoteUrl,
        offline: options.offline,
      });
    }
    const chosen = await chooseFrom(findVendor(choice.vendor)!, choice.model, window);
    return { ...chosen, notice: choice.reason };
  }

  async function chooseReplay(path: string): Promise<ChosenModel> {
    const file = resolve(options.cwd, path);
    const { ReplayBackendAdapter } = await import('../providers/backends/replay.ts');
    let backend: BackendAdapter;
    try {
      backend = new ReplayBackendAdapter({ file });
    } catch (error) {
      throw new StartError(`cannot replay ${path}: ${(error as Error).message}`, 2);
    }
    use('replay', backend);
    if (!backend.metadata.capabilities.multiModal) blind.add(`replay:${file}`);
    return {
      id: `replay:${file}`,
      local: true,
      contextTokens: backend.metadata.capabilities.contextTokens,
      parameters: { model: `replay:${file}` },
    };
  }

  async function chooseFrom(row: VendorRow, model: string, window?: number | null): Promise<ChosenModel> {
    const url = urlOf(row);
    if (!url) {
      const what = row.baseUrl?.match(/\{(\w+)\}/)?.[1] ?? row.baseUrlVariable;
      throw new StartError(`${row.title} has no address: set ${what}`, 3);
    }
    if (row.keyVariable && !row.keyOptional && !vendorKey(row, env))
      throw new StartError(`${row.title} wants a key: set ${row.keyVariable}`, 3);
    if (options.offline && !row.local && !isLoopback(url))
      throw new StartError(`${row.id}/${model} is hosted, and --offline closes every way out`, 3);
    if (row.wire === 'ollama') return chooseOllama(row, url, model, window);
    const { costOf, findModel } = await import('../providers/catalog/catalog.ts');
    const known = findModel(model, row.id);
    costs.set(`${row.id} ${model}`, (usage) => costOf(usage, known?.price));
    use(row.id, await openBackend(row, url, known?.outputTokens ?? null));
    if (known && !known.vision) blind.add(model);
    return {
      id: `${row.id}/${model}`,
      local: row.local,
      contextTokens: known?.contextTokens ?? null,
      parameters: { model },
    };
  }

  async function chooseOllama(
    row: VendorRow,
    url: string,
    model: string,
    window?: number | null,
  ): Promise<ChosenModel> {
    const { OllamaBackendAdapter, showModel, ollamaBaseUrl } = await import('../providers/backends/ollama.ts');
    const baseUrl = ollamaBaseUrl(url);
    const shown = await showModel(transport, baseUrl, model, ollamaHeaders(row)).catch((error: unknown) => {
      throw notShown(error, baseUrl, model);
    });
    const installed = shown ?? (await missing(baseUrl, model));
    if (!installed.vision) blind.add(model);
    const contextTokens = chooseWindow(installed, window ?? options.contextTokens);
    use(
      row.id,
      new OllamaBackendAdapter({
        baseUrl,
        transport,
        headers: ollamaHeaders(row),
        capabilities: {
          contextTokens: installed.contextTokens,
          tools: installed.tools ?? true,
          multiModal: installed.vision ?? false,
          reasoning: installed.reasoning ?? false,
        },
      }),
    );
    return {
      id: `${row.id}/${model}`,
      local: true,
      contextTokens,
      parameters: { model, contextTokens, keepAlive: options.keepAlive ?? DEFAULT_KEEP_ALIVE },
    };
  }

  async function missing(baseUrl: string, model: string): Promise<never> {
    const names = (await installedModels().catch(() => [])).map((one) => one.id);
    const { nearest } = await import('../providers/routing/nearest.ts');
    const near = nearest(model, names).slice(0, 3);
    const has = near.length ? `; nearest installed: ${near.join(', ')}` : '';
    throw new StartError(`Ollama at ${baseUrl} has no model ${model}${has} ("ollama pull ${model}" gets it)`, 3);
  }

  const ollamaHeaders = (row: VendorRow): Record<string, string> => {
    const key = vendorKey(row, env);
    return key ? { authorization: `Bearer ${key}` } : {};
  };

  async function openBackend(row: VendorRow, url: string, outputTokens: number | null): Promise<BackendAdapter> {
    const apiKey = vendorKey(row, env);
    if (row.wire === 'anthropic') {
      const { AnthropicBackendAdapter } = await import('../providers/backends/anthropic.ts');
      return new AnthropicBackendAdapter({ apiKey, baseUrl: url, outputTokens, proxy });
    }
    const { OpenAIChatBackendAdapter } = await import('../providers/backends/openai-chat.ts');
    return new OpenAIChatBackendAdapter({
      baseUrl: url,
      apiKey,
      provider: row.id,
      quirks: row.quirks,
      // A proxy on this machine may well lead to a hosted model.
      local: row.local,
      transport,
    });
  }

  function use(name: string, backend: BackendAdapter): void {
    router.register(name, backend);
    router.config.defaultBackend = name;
  }

  /** Models of the Ollama server; `abilities` also asks what each can do. */
  async function installedModels(abilities = false): Promise<readonly ModelInfo[]> {
    const row = findVendor('ollama')!;
    const { OllamaBackendAdapter, ollamaBaseUrl } = await import('../providers/backends/ollama.ts');
    const baseUrl = ollamaBaseUrl(urlOf(row)!);
    const backend = new OllamaBackendAdapter({ baseUrl, transport, headers: ollamaHeaders(row) });
    return (await backend.listModels({ abilities })).models;
  }

  async function listOf(row: VendorRow): Promise<readonly ModelInfo[]> {
    const url = urlOf(row);
    if (!url || (options.offline && !row.local && !isLoopback(url))) return [];
    try {
      if (row.wire === 'ollama') return await installedModels(true);
      return (await (await openBackend(row, url, null)).listModels?.())?.models ?? [];
    } catch {
      return [];
    }
  }

  return {
    ask: (request, signal) => send({ request, isStreaming: true, state: {}, config: {}, signal }),
    choose,
    async list() {
      const asked = vendors.filter((row) => row.id === 'ollama' || (!row.local && isConfigured(row, env)));
      return (await Promise.all(asked.map(listOf))).flat();
    },
    cost(backend, model, usage) {
      return costs.get(`${backend} ${model}`)?.(usage) ?? null;
    },
    close: () => transport.close(),
  };
}

/** The largest step that the model knows and that leaves the machine room beside the weights. */
function chooseWindow(model: Pick<ModelInfo, 'contextTokens' | 'size'>, wished: number | undefined): number {
  const most = model.contextTokens ?? 8_192;
  if (wished !== undefined) return Math.min(wished, most);
  const memory = totalmem();
  // A rule of thumb until the cache's real size is computed: 16k and more only where there is room for it.
  const affordable = memory >= 24 * GIB ? 32_768 : memory >= 12 * GIB ? 16_384 : 8_192;
  return Math.min(most, WINDOWS.find((step) => step <= affordable && step <= most) ?? most);
}

function notShown(error: unknown, baseUrl: string, model: string): Error {
  if (!(error instanceof AdapterError) || error.category !== 'network') return error as Error;
  return new StartError(`cannot reach Ollama at ${baseUrl} for ${model}: start it with "ollama serve"`, 3);
}
