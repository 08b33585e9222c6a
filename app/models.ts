/**
 * From names, settings and the environment to a router with the right backend behind it: CONTRACT, "Which model
 * answers". Nothing is asked before a model is wanted, and then only the server that the model belongs to.
 */
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import type { BackendAdapter, ModelInfo } from '../providers/adapter.ts';
import type { PullProgress } from '../providers/backends/ollama/pull.ts';
import { configuredVendors } from '../providers/configured-vendors.ts';
import { customRows } from '../providers/custom-rows.ts';
import { AdapterError } from '../providers/errors.ts';
import type { IRUsage } from '../providers/ir.ts';
import { composeMiddleware } from '../providers/middleware/compose-middleware.ts';
import { createImagesAsTextMiddleware } from '../providers/middleware/images-as-text.ts';
import { createToolRecoveryMiddleware } from '../providers/middleware/tool-recovery.ts';
import { Router } from '../providers/router.ts';
import { chooseDefault, type DefaultChoice } from '../providers/routing/choose-default.ts';
import { createMoves, type Origin } from '../providers/routing/moves.ts';
import { type ResolvedModel, resolveModel } from '../providers/routing/resolve-model.ts';
import { createTransport } from '../providers/transport.ts';
import type { VendorRow } from '../providers/vendors.ts';
import { proxyFromEnvironment } from '../providers/wire/proxy.ts';
import type { ChosenModel, Models, ModelsOptions, ShownModel } from './models-api.ts';
import { StartError } from './start-error.ts';
import { refuseTooSmall } from './window-too-small.ts';

const DEFAULT_KEEP_ALIVE = '30m';
/** Up to this window, and below so many parameters, a session begins with the compact prompt. */
const SMALL_WINDOW = 8_192;
const SMALL_MODEL = 5e9;

export function openModels(options: ModelsOptions): Models {
  const { env, offline } = options;
  const { rows: custom, problems } = customRows(options.vendors ?? {});
  const proxy = proxyFromEnvironment(env);
  const transport = createTransport({ proxy });
  const vendors = configuredVendors({
    custom,
    variables: env,
    ollamaHosts: options.ollamaHosts,
    offline,
    transport,
    proxy,
  });
  const moves = createMoves({
    vendors,
    router: () => router,
    fallback: options.fallback ?? 'never',
    mayLeave: options.mayLeave,
  });
  const { moreBackends, mayLeave } = moves;
  const router: Router = new Router({
    routingStrategy: 'explicit',
    fallbackStrategy: 'sequential',
    moreBackends,
    mayLeave,
  });
  /** Models without eyes. */
  const blind = new Set<string>();
  const send = composeMiddleware(
    [
      createToolRecoveryMiddleware({ accepts: options.accepts, unsays: true }),
      createImagesAsTextMiddleware({ sees: ({ parameters }) => !blind.has(parameters?.model ?? '') }),
    ],
    ({ request, signal }) => router.executeStream(request, signal),
  );
  /** Of the chosen model. */
  let load: ((signal?: AbortSignal) => Promise<void>) | undefined;
  /** By backend. */
  const costs = new Map<string, (model: string, usage: IRUsage) => number | null>();

  async function choose(id: string | undefined, window?: number | null, fixed?: number): Promise<ChosenModel> {
    if (id === undefined || id.trim() === '') return chooseUnnamed(window);
    const found = await locate(id);
    if ('replay' in found) return chooseReplay(found.replay, fixed);
    return chooseFrom(found.row, found.model, window, fixed);
  }

  async function locate(id: string): Promise<{ replay: string } | { row: VendorRow; model: string }> {
    const { aliases } = options;
    const { rows } = vendors;
    let found: ResolvedModel = resolveModel(id, { aliases, rows });
    if ('needsInstalled' in found) {
      const { models } = await installedModels();
      found = resolveModel(id, { aliases, rows, installed: models.map((model) => model.id) });
    }
    if ('replay' in found) {
      if (!found.replay) throw new StartError('replay: names no file (replay:FILE)');
      return { replay: found.replay };
    }
    if ('vendor' in found) return { row: vendors.find(found.vendor)!, model: found.model };
    const near = 'unknown' in found && found.nearest.length ? `; nearest: ${found.nearest.slice(0, 3).join(', ')}` : '';
    throw new StartError(
      `no model is called ${id}${near} (ada models lists what can be reached, ada models pull gets more)`,
      3,
    );
  }

  async function chooseUnnamed(window?: number | null): Promise<ChosenModel> {
    const { choice, looked } = await findDefault();
    if (!choice) {
      const { noModel } = await import('./no-model.ts');
      const { suggestModel } = await import('../providers/routing/suggest-model.ts');
      throw noModel({ ...looked, offline, suggestion: suggestModel(totalmem()) });
    }
    const chosen = await chooseFrom(vendors.find(choice.vendor)!, choice.model, window);
    return { ...chosen, notice: choice.reason };
  }

  async function findDefault() {
    const { models, answered, problem } = await installedModels(true);
    const remoteRow = vendors.find('remote')!;
    const [remote] = vendors.urls(remoteRow);
    const withKey = vendors.rows.filter(
      (row) => !row.local && row.id !== 'remote' && vendors.isUsable(row) && vendors.hasKey(row),
    );
    const ready = { rows: vendors.rows, memory: totalmem(), withKey: withKey.map((row) => row.id) };
    let choice: DefaultChoice | undefined = chooseDefault({ ...ready, local: models, withKey: [] });
    if (!choice) {
      const { findLocal } = await import('../providers/routing/find-local.ts');
      const usualPorts = !answered && remote === undefined && withKey.length === 0;
      const local = [...models, ...(await findLocal(vendors, { usualPorts }))];
      const listed = remote && !offline ? { url: remote, models: await listOf(remoteRow) } : undefined;
      choice = chooseDefault({ ...ready, local, remote: listed });
    }
    const ollama = vendors.urls(vendors.find('ollama')!);
    return { choice, looked: { ollama, answered, problem, models, remote: remote ?? null } };
  }

  async function chooseReplay(path: string, fixed?: number): Promise<ChosenModel> {
    const file = resolve(options.cwd, path);
    const { ReplayBackendAdapter } = await import('../providers/backends/replay.ts');
    let backend: BackendAdapter;
    try {
      backend = new ReplayBackendAdapter({ file });
    } catch (error) {
      throw new StartError(`cannot replay ${path}: ${(error as Error).message}`, 2);
    }
    refuseTooSmall(`replay:${path}`, backend.metadata.capabilities.contextTokens, fixed);
    // Nobody answers in the place of a recording.
    use('replay', backend, undefined);
    if (!backend.metadata.capabilities.multiModal) blind.add(`replay:${file}`);
    return {
      id: `replay:${file}`,
      local: true,
      contextTokens: backend.metadata.capabilities.contextTokens,
      parameters: { model: `replay:${file}` },
    };
  }

  async function chooseFrom(
    row: VendorRow,
    model: string,
    window?: number | null,
    fixed?: number,
  ): Promise<ChosenModel> {
    const [url] = vendors.urls(row);
    if (!url) {
      const what = row.baseUrl?.match(/\{(\w+)\}/)?.[1] ?? row.baseUrlVariable;
      throw new StartError(`${row.title} has no address: set ${what}`, 3);
    }
    if (row.keyVariable && !row.keyOptional && !vendors.hasKey(row))
      throw new StartError(`${row.title} wants a key: set ${row.keyVariable}`, 3);
    if (!vendors.mayReach(row, url)) throw closed(`${row.id}/${model}`);
    if (row.wire === 'ollama') return chooseOllama(row, model, window, fixed);
    const { costOf, findModel } = await import('../providers/catalog/catalog.ts');
    const known = findModel(model, row.id);
    refuseTooSmall(`${row.id}/${model}`, known?.contextTokens ?? null, fixed);
    costs.set(row.id, (served, usage) => costOf(usage, findModel(served, row.id)?.price ?? known?.price));
    const backend = await vendors.open(row, url, { outputTokens: known?.outputTokens });
    const local = vendors.isLocal(row, url);
    use(row.id, backend, { vendor: row.id, model, url, local });
    if (known && !known.vision) blind.add(model);
    return { id: `${row.id}/${model}`, local, contextTokens: known?.contextTokens ?? null, parameters: { model } };
  }

  async function chooseOllama(
    row: VendorRow,
    model: string,
    window?: number | null,
    fixed?: number,
  ): Promise<ChosenModel> {
    const { OllamaBackendAdapter, chooseWindow, ollamaBaseUrl, parameterCount, showOnServers } = await import(
      '../providers/backends/ollama.ts'
    );
    const servers = serversOf(row);
    const named = servers.urls.map(ollamaBaseUrl).join(' and ');
    const found = await showOnServers(servers, model).catch((error: unknown) => {
      throw notShown(error, named, model);
    });
    if (!found) throw await missing(row, named, model);
    const { shown, index } = found;
    const url = servers.urls[index]!;
    const local = shown.local && vendors.isLocal(row, url);
    if (offline && !shown.local) throw closed(`${row.id}/${model}`);
    const contextTokens = chooseWindow(shown, totalmem(), window ?? options.contextTokens);
    refuseTooSmall(`${row.id}/${model}`, contextTokens, fixed);
    if (!shown.vision) blind.add(model);
    const isSmall = contextTokens <= SMALL_WINDOW || (parameterCount(shown.info) ?? SMALL_MODEL) < SMALL_MODEL;
    const capabilities = {
      contextTokens: shown.contextTokens,
      tools: shown.tools ?? true,
      multiModal: shown.vision ?? false,
      reasoning: shown.reasoning ?? false,
    };
    const { headers } = servers;
    // Servers that do not know the field leave it alone.
    const common = { name: row.id, baseUrl: url, transport, headers, local, refusesLongPrompts: true };
    const backend = new OllamaBackendAdapter({ ...common, capabilities });
    use(row.id, backend, { vendor: row.id, model, url, local });
    const keepAlive = options.keepAlive ?? DEFAULT_KEEP_ALIVE;
    const { baseUrl } = backend;
    // Only here is there a memory to bring it into.
    const preload = async (signal?: AbortSignal) => {
      const { loadModel } = await import('../providers/backends/ollama/load.ts');
      return loadModel({ baseUrl, model, contextTokens, keepAlive, headers, signal, transport });
    };
    load = local ? preload : undefined;
    const notice =
      shown.tools === false
        ? `${model} cannot call tools: it can talk, but hardly read or change files (ada models lists others)`
        : undefined;
    const parameters = { model, contextTokens, keepAlive };
    return { id: `${row.id}/${model}`, local, contextTokens, isSmall, parameters, notice };
  }

  async function show(id: string): Promise<ShownModel> {
    const found = await locate(id);
    if ('replay' in found) throw new StartError(`${id} is a recording; there is nothing to show`);
    const { row, model } = found;
    const [url] = vendors.urls(row);
    if (!url || !vendors.isUsable(row))
      throw new StartError(`${row.title} cannot be reached: it has no address, no key, or --offline closes it`, 3);
    if (row.wire !== 'ollama') {
      const { describeModel } = await import('../providers/catalog/describe-model.ts');
      const listed = await vendors.models(row, url).catch((error: Error) => {
        throw new StartError(`${row.title} cannot be asked: ${error.message}`, 3);
      });
      const one = listed.find((known) => known.id === model);
      if (!one) throw new StartError(`${row.title} lists no model ${model}`, 3);
      const known = describeModel({ ...one, local: vendors.isLocal(row, url) });
      const window = { tokens: known.contextTokens, reason: 'as its server decides' };
      return { ...known, id: `${row.id}/${model}`, window, loadedTokens: null, family: null, url };
    }
    const { describeInstalled } = await import('../providers/backends/ollama/describe.ts');
    const servers = serversOf(row);
    const { ollamaBaseUrl } = await import('../providers/backends/ollama.ts');
    const named = servers.urls.map(ollamaBaseUrl).join(' and ');
    const wished = options.contextTokens;
    const described = await describeInstalled(servers, model, { memory: totalmem(), wished }).catch(
      (error: unknown) => {
        throw notShown(error, named, model);
      },
    );
    if (!described) throw await missing(row, named, model);
    const { info, template, capabilities, numCtx, index, ...shown } = described;
    const local = shown.local && vendors.isLocal(row, servers.urls[index]!);
    return { ...shown, local };
  }

  async function* pull(name: string, signal?: AbortSignal): AsyncGenerator<PullProgress, void, undefined> {
    const model = name.trim().replace(/^ollama\//, '');
    const { ollamaBaseUrl } = await import('../providers/backends/ollama.ts');
    const { answeringServer, pullModel } = await import('../providers/backends/ollama/pull.ts');
    const servers = serversOf(vendors.find('ollama')!);
    const baseUrl = await answeringServer(servers, signal).catch((error: unknown) => {
      throw signal?.aborted ? error : notShown(error, servers.urls.map(ollamaBaseUrl).join(' and '), model);
    });
    yield* pullModel({ baseUrl, model, headers: servers.headers, signal });
  }

  async function missing(row: VendorRow, named: string, model: string): Promise<StartError> {
    const names = (await installedModels(false, row)).models.map((one) => one.id);
    const { nearest } = await import('../providers/routing/nearest.ts');
    const near = nearest(model, names).slice(0, 3);
    const has = near.length ? `; nearest installed: ${near.join(', ')}` : '';
    return new StartError(`Ollama at ${named} has no model ${model}${has} ("ada models pull ${model}" gets it)`, 3);
  }

  function use(name: string, backend: BackendAdapter, origin: Origin | undefined): void {
    load = undefined;
    router.register(name, backend);
    router.config.defaultBackend = name;
    moves.from(origin);
  }

  /** What the Ollama servers have; `abilities` also asks what each model can do. */
  async function installedModels(abilities = false, row = vendors.find('ollama')!) {
    const { listOnServers } = await import('../providers/backends/ollama.ts');
    return listOnServers(serversOf(row), abilities);
  }

  const serversOf = (row: VendorRow) => ({ urls: vendors.urls(row), headers: vendors.headers(row), transport });

  async function listOf(row: VendorRow): Promise<readonly ModelInfo[]> {
    if (row.wire === 'ollama') return (await installedModels(true, row)).models;
    const [url] = vendors.urls(row);
    if (!url) return [];
    return vendors.models(row, url).catch(() => []);
  }

  async function list(): Promise<readonly ModelInfo[]> {
    const ollama = vendors.find('ollama')!;
    const named = vendors.rows.filter((row) => row !== ollama && vendors.isNamed(row) && vendors.isUsable(row));
    const [installed, ...lists] = await Promise.all([installedModels(true), ...named.map(listOf)]);
    const others = lists.flat();
    if (!installed.answered && named.length === 0) {
      const { findLocal } = await import('../providers/routing/find-local.ts');
      others.push(...(await findLocal(vendors, { usualPorts: true })));
    }
    if (others.length === 0) return installed.models;
    const { describeModel } = await import('../providers/catalog/describe-model.ts');
    // Only of Ollama's models the bare name is enough everywhere.
    return [...installed.models, ...others.map((one) => ({ ...describeModel(one), id: `${one.provider}/${one.id}` }))];
  }

  return {
    problems,
    ask: (request, signal) => send({ request, isStreaming: true, state: {}, config: {}, signal }),
    choose,
    list,
    async preferred() {
      const { choice } = await findDefault();
      if (!choice) return undefined;
      const { vendor, model, reason } = choice;
      return { id: vendor === 'ollama' ? model : `${vendor}/${model}`, reason };
    },
    show,
    pull,
    load: (signal) => load?.(signal),
    cost: (backend, model, usage) => moves.cost(backend, model, usage) ?? costs.get(backend)?.(model, usage) ?? null,
    close: () => transport.close(),
  };
}

const closed = (id: string): StartError => new StartError(`${id} is hosted, and --offline closes every way out`, 3);

function notShown(error: unknown, named: string, model: string): Error {
  if (!(error instanceof AdapterError)) return error as Error;
  // Its own words, such as those about a web page where a model server should be.
  if (error.category !== 'network') return new StartError(error.message, 3);
  return new StartError(`cannot reach Ollama at ${named} for ${model}: start it with "ollama serve"`, 3);
}
