/**
 * From names, settings and the environment to a router with the right backend behind it: CONTRACT, "Which model
 * answers". Nothing is asked before a model is wanted, and then only the server that the model belongs to.
 */
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import type { BackendAdapter, ModelInfo } from '../providers/adapter.ts';
import type { PullProgress } from '../providers/backends/ollama/pull.ts';
import type { FoundModel, OllamaServers, ServerFailure } from '../providers/backends/ollama.ts';
import { configuredVendors } from '../providers/configured-vendors.ts';
import { customRows } from '../providers/custom-rows.ts';
import { findDefaultModel } from '../providers/default-model.ts';
import { AdapterError } from '../providers/errors.ts';
import type { IRChatStream, IRUsage } from '../providers/ir.ts';
import { composeMiddleware } from '../providers/middleware/compose-middleware.ts';
import { createImagesAsTextMiddleware } from '../providers/middleware/images-as-text.ts';
import { createToolRecoveryMiddleware } from '../providers/middleware/tool-recovery.ts';
import { Router } from '../providers/router.ts';
import { createMoves, type Origin } from '../providers/routing/moves.ts';
import { type ResolvedModel, resolveModel } from '../providers/routing/resolve-model.ts';
import { createTransport } from '../providers/transport.ts';
import type { VendorRow } from '../providers/vendors.ts';
import { proxyFromEnvironment } from '../providers/wire/proxy.ts';
import { placedReason } from './models/default-reason.ts';
import { createRefusals, embedsOnly, noticeOf, toolless, willLoad } from './models/refusals.ts';
import type { AskedServer } from './models/server-trouble.ts';
import type { ChosenModel, Models, ModelsOptions, ShownModel } from './models-api.ts';
import { StartError } from './start-error.ts';
import { refuseTooSmall } from './window-too-small.ts';

const DEFAULT_KEEP_ALIVE = '30m';
/** Up to this window, and below so many parameters, a session begins with the compact prompt. */
const SMALL_WINDOW = 8_192;
const SMALL_MODEL = 5e9;

export function openModels(options: ModelsOptions): Models {
  const { env, offline } = options;
  const { rows: custom, problems: unused } = customRows(options.vendors ?? {});
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
  const refusals = createRefusals({ env, vendors, custom, ollamaHosts: options.ollamaHosts });
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
  /** Where requests go, and to which model; undefined for a hosted one and a recording. */
  let asked: { backend: string; server: AskedServer; model: string } | undefined;
  /** Of the chosen model. */
  let load: ((signal?: AbortSignal) => Promise<void>) | undefined;
  /** By backend. */
  const costs = new Map<string, (model: string, usage: IRUsage) => number | null>();

  async function choose(id: string | undefined, window?: number | null, fixed?: number): Promise<ChosenModel> {
    if (id === undefined || id.trim() === '') return chooseUnnamed(window);
    const found = await locate(id);
    if ('replay' in found) return chooseReplay(found.replay, fixed);
    const { row, model, silent } = found;
    return chooseFrom(row, model, window, fixed).catch((error: unknown) => {
      throw silent && error instanceof StartError ? new StartError(`${error.message}${silent}`, 3) : error;
    });
  }

  /** `silent`: what of Ollama could not be asked, where a name may have been meant for it. */
  async function locate(id: string): Promise<{ replay: string } | { row: VendorRow; model: string; silent?: string }> {
    const { aliases } = options;
    const { rows } = vendors;
    let found: ResolvedModel = resolveModel(id, { aliases, rows });
    let silent: string | undefined;
    if ('needsInstalled' in found) {
      const { models, failures } = await installedModels();
      found = resolveModel(id, { aliases, rows, installed: models.map((model) => model.id) });
      const troubles = await refusals.troublesOf(vendors.find('ollama')!, failures);
      silent = troubles.map(({ what, remedy }) => `; not asked: ${what}${remedy && ` (${remedy})`}`).join('');
    }
    if ('replay' in found) {
      if (!found.replay) throw new StartError('replay: names no file (replay:FILE)');
      return { replay: found.replay };
    }
    if ('vendor' in found) return { row: vendors.find(found.vendor)!, model: found.model, silent };
    const near = 'unknown' in found && found.nearest.length ? `; nearest: ${found.nearest.slice(0, 3).join(', ')}` : '';
    throw new StartError(
      `no model is called ${id}${near}${silent ?? ''} (ada models lists what can be reached, ada models pull gets more)`,
      3,
    );
  }

  async function chooseUnnamed(window?: number | null): Promise<ChosenModel> {
    const { choice, installed } = await findDefault();
    if (!choice) {
      const { noModel } = await import('./no-model.ts');
      const { suggestModel } = await import('../providers/routing/suggest-model.ts');
      const { models, answered, failures } = installed;
      const row = vendors.find('ollama')!;
      const memory = totalmem();
      throw noModel({
        ollama: vendors.urls(row).map((url) => refusals.addressOf(row, url).url),
        answered,
        troubles: await refusals.troublesOf(row, failures),
        leftOut: vendors.problems,
        models,
        remote: vendors.urls(vendors.find('remote')!)[0] ?? null,
        offline,
        memory,
        suggestion: suggestModel(memory),
      });
    }
    const chosen = await chooseFrom(vendors.find(choice.vendor)!, choice.model, window);
    return { ...chosen, notice: choice.reason };
  }

  async function findDefault() {
    const installed = await installedModels(true);
    const found = await findDefaultModel(vendors, { installed, memory: totalmem(), offline });
    const choice = found.choice && { ...found.choice, reason: placedReason(found.choice.reason, found.model) };
    return { choice, installed };
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
    if (!url) throw refusals.noAddress(row);
    if (row.keyVariable && !row.keyOptional && !vendors.hasKey(row))
      throw new StartError(`${row.title} wants a key: set ${row.keyVariable}`, 3);
    if (!vendors.mayReach(row, url)) throw closed(`${row.id}/${model}`, row.local);
    if (row.wire === 'ollama') return chooseOllama(row, model, window, fixed);
    const { costOf, findModel } = await import('../providers/catalog/catalog.ts');
    const local = vendors.isLocal(row, url);
    const told = row.local ? await askedFor(row, url, model) : undefined;
    if (told?.embedding) throw embedsOnly(model);
    const known = findModel(model, row.id);
    const contextTokens = told?.contextTokens ?? (row.local ? null : (known?.contextTokens ?? null));
    refuseTooSmall(`${row.id}/${model}`, contextTokens, fixed);
    costs.set(row.id, (served, usage) => costOf(usage, findModel(served, row.id)?.price ?? known?.price));
    const tools = told?.tools === false ? { tools: false } : undefined;
    const capabilitiesOf = tools && ((asked: string) => (asked === model ? tools : undefined));
    const backend = await vendors.open(row, url, { outputTokens: known?.outputTokens, capabilitiesOf });
    use(row.id, backend, { vendor: row.id, model, url, local });
    if (row.local) asked = { backend: row.id, server: refusals.addressOf(row, url), model };
    if (told?.vision === false || (known && !known.vision && told?.vision !== true)) blind.add(model);
    const isSmall = contextTokens !== null && contextTokens <= SMALL_WINDOW;
    const unloaded = told?.loaded === false && willLoad(model, row.title, contextTokens);
    const notice = noticeOf([tools && toolless(model), unloaded, refusals.awayNotice(row, url, model)]);
    const id = `${row.id}/${model}`;
    return { id, local, contextTokens, ...(isSmall && { isSmall }), ...tools, parameters: { model }, notice };
  }

  /** What a server of one's own tells of a model; undefined where it does not tell, or is asked by the chat itself. */
  async function askedFor(row: VendorRow, url: string, model: string): Promise<ModelInfo | undefined> {
    try {
      return (await vendors.models(row, url, { abilities: true })).find(({ id }) => id === model);
    } catch (error) {
      // Who accepts and does not answer would not answer the chat either, which waits much longer.
      if ((error as AdapterError).code === 'TIMEOUT')
        throw await refusals.unreachable(row, [{ url, error } as ServerFailure], model);
      return undefined;
    }
  }

  async function chooseOllama(
    row: VendorRow,
    model: string,
    window?: number | null,
    fixed?: number,
  ): Promise<ChosenModel> {
    const { OllamaBackendAdapter, chooseWindow, loadedTokensOf, parameterCount } = await import(
      '../providers/backends/ollama.ts'
    );
    const servers = vendors.servers(row);
    const found = await findOllama(row, servers, model);
    const { shown, index, baseUrl } = found;
    const url = servers.urls[index]!;
    const name = shown.id;
    if (offline && shown.cloud) throw closed(`${row.id}/${name}`);
    if (shown.embedsOnly) throw embedsOnly(name);
    const local = !shown.cloud && vendors.isLocal(row, url);
    const memory = memoryAt(found);
    const wished = window ?? options.contextTokens;
    // Of a model of another machine what is loaded there decides, unless somebody did.
    const mustAsk = memory === null && !shown.cloud && !wished && shown.numCtx === null;
    const loadedTokens = mustAsk ? await loadedTokensOf(servers, found) : null;
    const contextTokens = chooseWindow({ ...shown, loadedTokens }, memory, wished);
    refuseTooSmall(`${row.id}/${name}`, contextTokens, fixed);
    if (!shown.vision) blind.add(name);
    const isSmall = contextTokens <= SMALL_WINDOW || (parameterCount(shown.info) ?? SMALL_MODEL) < SMALL_MODEL;
    const capabilities = {
      contextTokens: shown.contextTokens,
      tools: shown.tools ?? true,
      multiModal: shown.vision ?? false,
      reasoning: shown.reasoning ?? false,
    };
    const { headers } = servers;
    // Servers that do not know the field leave it alone.
    const common = { name: row.id, baseUrl, transport, headers, local, refusesLongPrompts: true };
    use(row.id, new OllamaBackendAdapter({ ...common, capabilities }), { vendor: row.id, model: name, url, local });
    asked = { backend: row.id, server: refusals.addressOf(row, url, baseUrl), model: name };
    const keepAlive = options.keepAlive ?? DEFAULT_KEEP_ALIVE;
    const preload = async (signal?: AbortSignal) => {
      const { loadModel } = await import('../providers/backends/ollama/load.ts');
      return loadModel({ baseUrl, model: name, contextTokens, keepAlive, headers, signal, transport });
    };
    // Elsewhere there is no memory to bring it into.
    load = shown.cloud ? undefined : preload;
    const notice = noticeOf([
      shown.tools === false && toolless(name),
      !shown.cloud && refusals.awayNotice(row, url, name),
    ]);
    const parameters = { model: name, contextTokens, keepAlive };
    const tools = shown.tools ?? undefined;
    return { id: `${row.id}/${name}`, local, contextTokens, isSmall, tools, parameters, notice };
  }

  /** StartError when nobody has the model. */
  async function findOllama(row: VendorRow, servers: OllamaServers, model: string): Promise<FoundModel> {
    if (servers.urls.length === 0) throw refusals.noAddress(row);
    const { showOnServers } = await import('../providers/backends/ollama.ts');
    const { found, failures } = await showOnServers(servers, model);
    if (found) return found;
    if (failures.length === servers.urls.length) throw await refusals.unreachable(row, failures, model);
    const names = (await installedModels(false, row)).models.map(({ id }) => id);
    const { nearest } = await import('../providers/routing/nearest.ts');
    throw await refusals.missing(row, failures, model, nearest(model, names).slice(0, 3));
  }

  /** Bytes of this machine where the weights of the model are on it, else null. */
  const memoryAt = ({ shown }: FoundModel): number | null =>
    shown.server?.locality === 'machine' && !shown.cloud ? totalmem() : null;

  async function show(id: string): Promise<ShownModel> {
    const found = await locate(id);
    if ('replay' in found) throw new StartError(`${id} is a recording; there is nothing to show`);
    const { row, model } = found;
    const [url] = vendors.urls(row);
    if (!url || !vendors.isUsable(row))
      throw new StartError(`${row.title} cannot be reached: it has no address, no key, or --offline closes it`, 3);
    if (row.wire !== 'ollama') {
      const { describeModel } = await import('../providers/catalog/describe-model.ts');
      const listed = await vendors.models(row, url, { abilities: true }).catch((error: Error) => {
        throw new StartError(`${row.title} cannot be asked: ${error.message}`, 3);
      });
      const one = listed.find((known) => known.id === model);
      if (!one) throw new StartError(`${row.title} lists no model ${model}`, 3);
      const known = describeModel({ ...one, local: vendors.isLocal(row, url) });
      const window = { tokens: known.contextTokens, reason: 'as its server decides' };
      return {
        ...known,
        id: `${row.id}/${model}`,
        window,
        loadedTokens: null,
        family: null,
        url: refusals.addressOf(row, url).url,
      };
    }
    const servers = vendors.servers(row);
    const installed = await findOllama(row, servers, model);
    const { describeInstalled } = await import('../providers/backends/ollama/describe.ts');
    const wished = options.contextTokens;
    const described = await describeInstalled(servers, installed, { memory: memoryAt(installed), wished });
    const { info, template, capabilities, embedsOnly, numCtx, ...shown } = described;
    return { ...shown, local: !shown.cloud && vendors.isLocal(row, servers.urls[installed.index]!) };
  }

  async function* pull(name: string, signal?: AbortSignal): AsyncGenerator<PullProgress, void, undefined> {
    const model = name.trim().replace(/^ollama\//, '');
    const { answeringServer, pullModel } = await import('../providers/backends/ollama/pull.ts');
    const row = vendors.find('ollama')!;
    const servers = vendors.servers(row);
    if (servers.urls.length === 0) throw refusals.noAddress(row);
    const { baseUrl, failures } = await answeringServer(servers, signal);
    if (baseUrl === undefined) throw await refusals.unreachable(row, failures, model);
    yield* pullModel({ baseUrl, model, headers: servers.headers, signal });
  }

  function use(name: string, backend: BackendAdapter, origin: Origin | undefined): void {
    load = undefined;
    asked = undefined;
    router.register(name, backend);
    router.config.defaultBackend = name;
    moves.from(origin);
  }

  async function* explained(stream: IRChatStream): IRChatStream & AsyncGenerator {
    const now = asked;
    for await (const chunk of stream) {
      const error = chunk.type === 'error' ? chunk.error : undefined;
      // Of one that stood in for it nothing is known here.
      if (now && error instanceof AdapterError && error.provenance.backend === now.backend) {
        const { reword } = await import('./models/reword.ts');
        reword(error, now.model, now.server);
      }
      yield chunk;
    }
  }

  /** What the Ollama servers have; `abilities` also asks what each model can do. */
  async function installedModels(abilities = false, row = vendors.find('ollama')!) {
    const { listOnServers } = await import('../providers/backends/ollama.ts');
    return listOnServers(vendors.servers(row), abilities);
  }

  async function list(tell?: (line: string) => void): Promise<readonly ModelInfo[]> {
    const { listReachable } = await import('../providers/list-models.ts');
    const failed: [VendorRow, readonly ServerFailure[]][] = [];
    const models = await listReachable(vendors, (row, failures) => failed.push([row, failures]));
    for (const [row, failures] of failed)
      for (const { what, remedy } of await refusals.troublesOf(row, failures))
        tell?.(`${what}${remedy && `: ${remedy}`}`);
    return models;
  }

  return {
    problems: [...unused, ...vendors.problems],
    ask: (request, signal) => explained(send({ request, isStreaming: true, state: {}, config: {}, signal })),
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

const closed = (id: string, isOwn = false): StartError =>
  new StartError(`${id} is ${isOwn ? 'not on this machine' : 'hosted'}, and --offline closes every way out`, 3);
