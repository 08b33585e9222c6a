/**
 * From names, settings and the environment to a router with the right backend behind it: CONTRACT, "Which model
 * answers". Nothing is asked before a model is wanted, and then only the server that the model belongs to.
 */
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import type { BackendAdapter } from '../providers/adapter.ts';
import type { FoundModel } from '../providers/backends/ollama.ts';
import { configuredVendors } from '../providers/configured-vendors.ts';
import { customRows } from '../providers/custom-rows.ts';
import { findDefaultModel } from '../providers/default-model.ts';
import { composeMiddleware } from '../providers/middleware/compose-middleware.ts';
import { createImagesAsTextMiddleware } from '../providers/middleware/images-as-text.ts';
import { createToolRecoveryMiddleware } from '../providers/middleware/tool-recovery.ts';
import { Router } from '../providers/router.ts';
import { createMoves, type Origin } from '../providers/routing/moves.ts';
import { nearest } from '../providers/routing/nearest.ts';
import { isOpenWeights, isServed } from '../providers/routing/open-weights.ts';
import { aliased, resolveModel } from '../providers/routing/resolve-model.ts';
import { createTransport } from '../providers/transport.ts';
import type { VendorRow } from '../providers/vendors.ts';
import { proxyFromEnvironment } from '../providers/wire/proxy.ts';
import { placedReason } from './models/default-reason.ts';
import { type AskedModel, explained } from './models/explained.ts';
import { createInventory } from './models/inventory.ts';
import { createListedFacts } from './models/listed-facts.ts';
import { createLocator } from './models/locator.ts';
import { widenOf } from './models/programs.ts';
import {
  toolless as cannotCall,
  createRefusals,
  DEFAULT_KEEP_ALIVE,
  embedsOnly,
  noticeOf,
  willLoad,
} from './models/refusals.ts';
import { wasRefused } from './models/refused-tools.ts';
import { createServerQuestions } from './models/server-questions.ts';
import { abilitiesOf } from './models/shown-elsewhere.ts';
import { createTaughtModels } from './models/taught-models.ts';
import type { ChosenModel, Models, ModelsOptions, ShownModel } from './models-api.ts';
import { StartError } from './start-error.ts';
import { refuseTooSmall } from './window-too-small.ts';

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
    lists: options.lists,
  });
  const refusals = createRefusals({ ...options, vendors, custom });
  const taught = createTaughtModels(vendors, refusals);
  const moves = createMoves({
    vendors,
    router: () => router,
    fallback: options.fallback ?? 'never',
    mayLeave: options.mayLeave,
  });
  const router: Router = new Router({
    routingStrategy: 'explicit',
    fallbackStrategy: 'sequential',
    moreBackends: moves.moreBackends,
    mayLeave: moves.mayLeave,
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
  let asked: AskedModel | undefined;
  const place = { vendors, offline, fallback: options.fallback };
  const closing = new AbortController();
  /** Of the chosen model. */
  let load: ((signal?: AbortSignal) => Promise<void>) | undefined;
  const listed = createListedFacts(vendors, { offline, signal: closing.signal });

  const localNames = () => import('../providers/routing/find-local.ts');
  const { askedFor, whenLoaded } = createServerQuestions({
    vendors,
    refusals,
    tell: options.tell,
    signal: closing.signal,
    names: localNames,
    wait: async (ask, how) => (await localNames()).whenLoaded(ask, how),
  });
  const { findOllama, installedModels, list, pull } = createInventory({
    vendors,
    refusals,
    whenLoaded,
    parts: {
      ollama: () => import('../providers/backends/ollama.ts'),
      pulling: () => import('../providers/backends/ollama/pull.ts'),
      lists: () => import('../providers/list-models.ts'),
      names: localNames,
      huggingFace: () => import('../providers/routing/hugging-face.ts'),
    },
  });
  const ready = ({ row, url }: { row: VendorRow; url: string }) => whenLoaded(row, url);
  const { locate, tried } = createLocator({
    vendors,
    refusals,
    resolve: (id, installed) => resolveModel(id, { aliases: options.aliases, rows: vendors.rows, installed }),
    installed: () => installedModels(),
    isServed: (row, model, isAsked) => isServed(vendors, row, model, isAsked),
    isOpenWeights,
    nearest,
    similar: async (name, names) => (await localNames()).similarNames(name, names),
    own: async (id) => (await localNames()).findNamed(vendors, aliased(id, options.aliases), ready),
    ownServers: async () => (await localNames()).findLocal(vendors),
  });

  async function choose(id?: string, window?: number | null, fixed?: number, answered?: number): Promise<ChosenModel> {
    if (id === undefined || id.trim() === '') return chooseUnnamed(window);
    const found = await locate(id);
    if ('replay' in found) return chooseReplay(found.replay, fixed, answered);
    const chosen = tried(id, found, (row, model) => chooseFrom(row, model, window, fixed));
    return chosen.catch(async (error: unknown) => {
      const { row, model, silent } = found;
      if (!(error instanceof StartError)) throw error;
      const { mayMove } = await import('./models/silent-server.ts');
      if (error.isSilent && mayMove(vendors, row, options)) return chooseSilent(row, model, error, window, fixed);
      throw silent ? new StartError(`${error.message}${silent}`, 3) : error;
    });
  }

  /** The model of a server that does not answer: each request tries it first, then what `routing.fallback` says. */
  async function chooseSilent(
    row: VendorRow,
    model: string,
    refused: StartError,
    window?: number | null,
    fixed?: number,
  ) {
    const { silentModel } = await import('./models/silent-server.ts');
    const [url = ''] = vendors.urls(row);
    const chosen = silentModel({ row, model, refused, window, local: vendors.isLocal(row, url), options });
    refuseTooSmall(chosen.id, chosen.contextTokens, fixed);
    const origin = { vendor: row.id, model, url, local: chosen.local };
    const backend = await vendors.open(row, url, { capabilitiesOf: taught.capabilitiesOf(row.id) });
    const { askedFirst } = await import('../providers/routing/asked-first.ts');
    const tried = askedFirst(backend, (signal) => vendors.models(row, url, { signal }));
    use(row.id, tried, origin, wasRefused(origin));
    asked = { backend: row.id, server: refusals.addressOf(row, url), model };
    return chosen;
  }

  async function chooseUnnamed(window?: number | null): Promise<ChosenModel> {
    const { choice, installed, servers, troubles } = await findDefault(options.patient);
    if (!choice) {
      const { noneFound } = await import('./models/none-found.ts');
      const { suggestModel } = await import('../providers/routing/suggest-model.ts');
      const suggestion = suggestModel(totalmem());
      throw await noneFound({ vendors, refusals, installed, servers, offline, suggestion });
    }
    const row = vendors.find(choice.vendor)!;
    // What is loading is there in a moment: who asks again then gets it.
    const isSoon = options.fallback === 'ask' && servers.some(({ loading }) => loading);
    if (troubles.length > 0 && !row.local && (isSoon || (options.fallback ?? 'never') === 'never')) {
      const { notInItsPlace } = await import('./models/silent-server.ts');
      throw notInItsPlace(troubles, `${choice.vendor}/${choice.model}`);
    }
    const chosen = await chooseFrom(row, choice.model, window);
    return { ...chosen, notice: choice.reason };
  }

  async function findDefault(patient = false) {
    const installed = await installedModels(true);
    const whenReady = (server: { row: VendorRow; url: string }) =>
      ready(server).catch((error: StartError) => {
        if (options.fallback === 'always' && error.isSilent) return [];
        throw error;
      });
    const how = { installed, memory: totalmem(), offline, ...(patient && { whenReady }) };
    const found = await findDefaultModel(vendors, how);
    const { servers } = found;
    const told = placedReason(found.choice?.reason ?? '', found.model);
    const isWell = found.choice?.local || (installed.failures.length === 0 && servers.length === 0);
    const { judged } = isWell ? { judged: undefined } : await import('./models/silent-server.ts');
    const { troubles = [], reason = told } = (await judged?.(told, { vendors, refusals, installed, servers })) ?? {};
    return { choice: found.choice && { ...found.choice, reason }, installed, servers, troubles };
  }

  async function chooseReplay(path: string, fixed?: number, skip?: number): Promise<ChosenModel> {
    const file = resolve(options.cwd, path);
    const { ReplayBackendAdapter } = await import('../providers/backends/replay.ts');
    let backend: BackendAdapter;
    try {
      backend = new ReplayBackendAdapter({ file, skip });
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
    name: string,
    window?: number | null,
    fixed?: number,
  ): Promise<ChosenModel> {
    const [url] = vendors.urls(row);
    if (!url) throw refusals.noAddress(row);
    if (row.keyVariable && !row.keyOptional && !vendors.hasKey(row))
      throw new StartError(`${row.title} wants a key: set ${row.keyVariable}`, 3);
    if (!vendors.mayReach(row, url)) throw closed(`${row.id}/${name}`, row.local);
    if (row.wire === 'ollama') return chooseOllama(row, name, window, fixed);
    const local = vendors.isLocal(row, url);
    const told = row.local ? await askedFor(row, url, name) : undefined;
    const model = told?.id ?? name;
    if (told?.embedding) throw embedsOnly(model);
    const facts = await vendors.facts(row, url, model);
    const contextTokens = told?.contextTokens ?? (row.local ? null : facts.contextTokens);
    const widen = row.local ? widenOf(row, contextTokens, told?.trainedTokens) : undefined;
    refuseTooSmall(`${row.id}/${model}`, contextTokens, fixed, widen);
    const isTaught = told?.tools === false || wasRefused({ vendor: row.id, model, url });
    const capabilitiesOf = taught.capabilitiesOf(row.id);
    const backend = await vendors.open(row, url, { outputTokens: facts.outputTokens, capabilitiesOf });
    use(row.id, backend, { vendor: row.id, model, url, local }, isTaught);
    listed.use({ row, url, model, facts });
    if (row.local) asked = { backend: row.id, server: refusals.addressOf(row, url), model };
    if (told?.vision === false || (facts.known && !facts.known.vision && told?.vision !== true)) blind.add(model);
    const isSmall = contextTokens !== null && contextTokens <= SMALL_WINDOW;
    const unloaded = told?.loaded === false && willLoad(model, row.title, contextTokens);
    const notice = noticeOf([isTaught && cannotCall(model), unloaded, refusals.awayNotice(row, url, model)]);
    const id = `${row.id}/${model}`;
    const more = { ...(isSmall && { isSmall }), ...(isTaught && { tools: false }), ...(widen && { widen }) };
    return { id, local, contextTokens, ...more, parameters: { model }, notice };
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
    const widen = shown.cloud ? undefined : widenOf(row, contextTokens, shown.contextTokens);
    refuseTooSmall(`${row.id}/${name}`, contextTokens, fixed, widen);
    if (!shown.vision) blind.add(name);
    const isSmall = contextTokens <= SMALL_WINDOW || (parameterCount(shown.info) ?? SMALL_MODEL) < SMALL_MODEL;
    const capabilities = abilitiesOf(shown);
    const { headers } = servers;
    // Servers that do not know the last field leave it alone.
    const common = { name: row.id, baseUrl, transport, headers, local, refusesLongPrompts: true };
    const capabilitiesOf = taught.capabilitiesOf(row.id);
    const origin = { vendor: row.id, model: name, url, local };
    const isTaught = shown.tools === false || wasRefused(origin);
    use(row.id, new OllamaBackendAdapter({ ...common, capabilities, capabilitiesOf }), origin, isTaught);
    asked = { backend: row.id, server: refusals.addressOf(row, url, baseUrl), model: name };
    const keepAlive = options.keepAlive ?? DEFAULT_KEEP_ALIVE;
    const preload = async (signal?: AbortSignal) => {
      const { loadModel } = await import('../providers/backends/ollama/load.ts');
      return loadModel({ baseUrl, model: name, contextTokens, keepAlive, headers, signal, transport });
    };
    // Elsewhere there is no memory to bring it into.
    load = shown.cloud ? undefined : preload;
    const notice = noticeOf([isTaught && cannotCall(name), !shown.cloud && refusals.awayNotice(row, url, name)]);
    const parameters = { model: name, contextTokens, keepAlive };
    const tools = isTaught ? false : (shown.tools ?? undefined);
    return { id: `${row.id}/${name}`, local, contextTokens, isSmall, tools, parameters, notice, widen };
  }

  /** Bytes of this machine where the weights of the model are on it, else null. */
  const memoryAt = ({ shown }: FoundModel): number | null =>
    shown.server?.locality === 'machine' && !shown.cloud ? totalmem() : null;

  async function show(id: string): Promise<ShownModel> {
    const found = await locate(id);
    if ('replay' in found) throw new StartError(`${id} is a recording; there is nothing to show`);
    const { showFrom } = await import('./models/show-model.ts');
    const parts = {
      names: localNames,
      catalog: () => import('../providers/catalog/describe-model.ts'),
      installed: () => import('../providers/backends/ollama/describe.ts'),
    };
    const how = { vendors, refusals, memoryAt, findOllama, whenLoaded, wished: options.contextTokens, parts };
    return tried(id, found, (row, model) => showFrom(row, model, how));
  }

  function use(name: string, backend: BackendAdapter, origin: Origin | undefined, takesNoTools = false): void {
    taught.use(origin, takesNoTools);
    load = undefined;
    asked = undefined;
    listed.use(undefined);
    router.register(name, backend);
    router.config.defaultBackend = name;
    moves.from(origin);
  }

  return {
    problems: [...unused, ...vendors.problems],
    ask: (request, signal) =>
      explained(listed.alongside(send({ request, isStreaming: true, state: {}, config: {}, signal })), asked, place),
    choose,
    list,
    async preferred() {
      const { choice, servers } = await findDefault();
      // Nobody answers before what is loading is ready.
      if (!choice || (!choice.local && servers.some(({ loading }) => loading))) return undefined;
      const { vendor, model, reason } = choice;
      return { id: vendor === 'ollama' ? model : `${vendor}/${model}`, reason };
    },
    show,
    pull,
    load: (signal) => load?.(signal),
    isToolless: taught.isToolless,
    refusedTools: taught.refusedTools,
    sendNoTools: taught.sendNoTools,
    cost: (backend, model, usage) => moves.cost(backend, model, usage) ?? listed.cost(backend, model, usage),
    listed,
    close() {
      closing.abort();
      transport.close();
    },
  };
}

const closed = (id: string, isOwn = false): StartError =>
  new StartError(`${id} is ${isOwn ? 'not on this machine' : 'hosted'}, and --offline closes every way out`, 3);
