/** The only place that joins the agent with its models, tools, permissions and files. */
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readInstructions } from '../core/instructions.ts';
import { toolsFor } from '../core/patch-trained.ts';
import { createPermissions, type Permissions } from '../core/permission/permission.ts';
import { movedNotices } from '../core/place.ts';
import { findProject, isTrusted, sessionsDir } from '../core/project.ts';
import { systemPrompt } from '../core/prompt.ts';
import type { AskPerson } from '../core/question.ts';
import { addSecrets } from '../core/redact.ts';
import { openSession, type Session } from '../core/session.ts';
import { loadSettings, type Settings } from '../core/settings.ts';
import { loadSkills } from '../core/skills/index.ts';
import { callsAsText, teachCalls } from '../core/taught-calls.ts';
import { canCall, coreTools, endSurvivors, lateTools } from '../core/tools/index.ts';
import { compactSchemas, fullSchemas } from '../core/tools/tool-schemas.ts';
import { LOG_VERSION, type Mode, type StoredBody, type Tool } from '../core/types.ts';
import type { ModelInfo } from '../providers/adapter.ts';
import { RouterError } from '../providers/errors.ts';
import type { Effort, JsonSchema } from '../providers/ir.ts';
import type { Move } from '../providers/routing/moves.ts';
import { holdYoungHeap } from './heap.ts';
import { whereItMayLeave } from './leaving.ts';
import { openModels } from './models.ts';
import type { ChosenModel, Models, ModelsOptions } from './models-api.ts';
import { checkRules, offered } from './offered-tools.ts';
import { isOffline, OFFLINE_NOTICE } from './offline.ts';
import { packageRoot } from './package-root.ts';
import { findResumed, goOn, readStored, recordedTurns, startNew, storedModel } from './session-file.ts';
import { StartError } from './start-error.ts';

export interface ComposeOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  model?: string;
  mode?: Mode;
  /** A session to go on with; without any, `latest` starts a new one and says so. */
  resume?: 'latest' | (string & {});
  /** With `resume`: go on in a copy. */
  fork?: boolean;
  /** Name of the new session. */
  sessionId?: string;
  /** True when nobody answers approvals. */
  headless: boolean;
  maxTurns?: number;
  maxCost?: number;
  timeoutMs?: number;
  allow: readonly string[];
  deny: readonly string[];
  allowedTools?: readonly string[];
  disallowedTools?: readonly string[];
  appendSystemPrompt?: string;
  directories: readonly string[];
  offline: boolean;
  noSkills: boolean;
  trust: boolean;
  effort?: Effort;
  /** Told what is waited for before there is a session. */
  tell?(line: string): void;
  /** Answers in the place of a model that would be looked for. */
  answerer?: { model: ChosenModel; ask: Parameters<typeof openSession>[0]['ask'] };
}

export interface Composition {
  session: Session;
  /** The session's permission engine, for listing and taking back what was allowed always. */
  permissions: Permissions;
  /** What is known of the model in use; changes with a switch, before the session tells of it. */
  readonly model: Pick<ChosenModel, 'local' | 'contextTokens'>;
  /** Only this machine and OLLAMA_HOST are reached. */
  offline: boolean;
  /** Folder of this session's state that is not its log; made when something is first kept there. */
  stateDir: string;
  /**
   * Brings the model in use into its server's memory: resolves once it is there, at once where it is already.
   * Undefined where that cannot be asked for.
   */
  loadModel(signal: AbortSignal): Promise<void> | undefined;
  /** What a person should know before the first event, one line each. */
  notices: readonly string[];
}

interface Place {
  cwd: string;
  project: string;
  home: string;
  adaHome: string;
  trusted: boolean;
  settings: Settings;
  problems: readonly string[];
}

function findPlace(cwd: string, env: NodeJS.ProcessEnv, trust: boolean): Place {
  const home = env.HOME || homedir();
  const adaHome = env.ADA_HOME || join(home, '.ada');
  let real: string;
  try {
    real = realpathSync(cwd);
  } catch {
    throw new StartError(`${cwd}: no such directory`);
  }
  const project = findProject(real, home);
  const trusted = trust || isTrusted(adaHome, project);
  const { settings, problems, unreadable } = loadSettings({ adaHome, project, trusted, env });
  // What the person denies there is not known: nothing is done on a guess.
  if (unreadable) throw new StartError(unreadable);
  const own = join(project, '.ada', 'settings.json');
  const unused = !trusted && project !== home && existsSync(own);
  const notice = `${own} is not used: this project is not trusted (--trust uses it)`;
  return { cwd: real, project, home, adaHome, trusted, settings, problems: unused ? [...problems, notice] : problems };
}

function modelsFor(
  place: Place,
  env: NodeJS.ProcessEnv,
  offline: boolean,
  more: Pick<ModelsOptions, 'fallback' | 'mayLeave' | 'accepts' | 'tell' | 'patient' | 'announces'> = {},
): Models {
  const { ollama, routing, vendors } = place.settings;
  return openModels({
    env,
    cwd: place.cwd,
    ollamaHosts: ollama?.hosts,
    contextTokens: ollama?.contextTokens,
    keepAlive: ollama?.keepAlive,
    aliases: routing?.models,
    vendors,
    offline: isOffline(offline, env),
    lists: join(place.adaHome, 'models'),
    ...more,
  });
}

/** A session that is ready for its first prompt. StartError when it cannot be had; then nothing was written. */
export async function compose(options: ComposeOptions): Promise<Composition> {
  const place = findPlace(options.cwd, options.env, options.trust);
  const notices = [...place.problems];
  if (isOffline(options.offline, options.env)) notices.push(OFFLINE_NOTICE);
  try {
    return await composeAt(place, options, notices);
  } catch (error) {
    if (error instanceof StartError) error.notices = notices;
    throw error;
  }
}

async function composeAt(place: Place, options: ComposeOptions, notices: string[]): Promise<Composition> {
  const { settings } = place;
  addSecrets(options.env);
  const found = sessionsDir({ project: place.project, home: place.home, adaHome: place.adaHome });

  let person: AskPerson | undefined;
  let consent: ModelsOptions['mayLeave'];
  // Nobody is there to ask.
  const fallback = options.headless && settings.routing.fallback === 'ask' ? 'never' : settings.routing.fallback;
  let tools: readonly Tool[] = [];
  async function mayLeave(move: Move): Promise<boolean> {
    const { createConsent } = await import('./consent.ts');
    consent ??= createConsent({ ask: async (question) => person?.(question), agreed: () => session.state.agreed });
    return consent(move);
  }
  const models = modelsFor(place, options.env, options.offline, {
    accepts: (name, input) => canCall(name, input, tools),
    fallback,
    mayLeave,
    tell: options.tell,
    patient: options.headless,
    announces: options.headless,
  });
  notices.push(...models.problems);
  const resumed = findResumed(options.resume, found.dirs);
  if (options.resume !== undefined && !resumed) notices.push('no session to go on with here; this is a new one');
  const stored = resumed === undefined ? undefined : readStored(resumed);
  const before = stored && storedModel(stored);
  // The same as before, so that a server need not load its model anew; a larger one that was asked for since wins.
  const wished = settings.ollama?.contextTokens ?? 0;
  const window = wished > (before?.contextTokens ?? Number.MAX_VALUE) ? undefined : before?.contextTokens;
  // A recording that the person does not name again goes on behind what it has answered.
  const answered = stored && options.model === undefined ? recordedTurns(stored, before?.model) : 0;
  const named = options.model ?? before?.model ?? settings.model;
  const chosen = options.answerer?.model ?? (await models.choose(named, window, undefined, answered));
  if (chosen.notice) notices.push(chosen.notice);

  // What may refuse comes before anything is written.
  const known = toolsFor(chosen.id, knownTools(options, place));
  tools = offered(known, options);
  checkRules(options, known);
  const mode = options.mode ?? settings.mode ?? 'ask';
  const first = resumed ? undefined : opening(options, place, chosen, tools, mode, notices);
  const store = found.prepare();
  const ended = await endSurvivors(store.stateDir);
  if (ended) notices.push(`ended ${ended} process${ended > 1 ? 'es' : ''} that an interrupted ada left running here`);
  if (settings.retention) {
    const { removeOldSessions } = await import('../core/retention.ts');
    const removed = removeOldSessions(store, settings.retention, resumed);
    if (removed) notices.push(removed);
  }
  const { log, stateDir } =
    stored && !options.fork ? goOn(stored, store, options, notices) : startNew(resumed, store, options, notices);
  const permissions = permissionsFor(options, place, stateDir);
  if (log.problem) notices.push(`${log.file}: ${log.problem}`);

  if (!log.kept && !log.recent.some((event) => event.type === 'session')) {
    if (log.recent.length) notices.push(`${log.file}: its first line is lost; the session goes on with what is left`);
    const { system, tools: schemas } = first ?? opening(options, place, chosen, tools, mode, notices);
    const { cwd, project } = place;
    const { id: name, contextTokens } = chosen;
    const body = { id: log.id, version: LOG_VERSION, cwd, project, model: name, mode, contextTokens };
    log.append({ type: 'session', ...body, system, tools: schemas });
  }
  const withEffort = ({ parameters }: ChosenModel) =>
    options.effort ? { ...parameters, effort: options.effort } : parameters;
  let model = chosen;
  /** What was local is not any more, and the conversation would leave unasked. */
  let leaves = false;
  const leaving = { fallback, mayLeave, cost: models.cost, refused: (message: string) => new RouterError({ message }) };
  const { maxTurns, maxCost, timeoutMs } = options;
  const session: Session = openSession({
    log,
    ask(request, signal, ask) {
      person = ask;
      holdYoungHeap();
      if (options.answerer) return options.answerer.ask(request, signal, ask);
      const send = () => models.ask(models.isToolless() ? callsAsText(request) : request, signal);
      return leaves ? whereItMayLeave({ to: model.id, ...leaving }, request, send) : send();
    },
    cost: (usage, served) => models.cost(served.backend, served.model, usage),
    model: chosen.id,
    lesson(refusal) {
      const notice = refusal && models.refusedTools(refusal);
      if (refusal ? notice === undefined : !models.isToolless()) return undefined;
      return { text: teachCalls(compactSchemas(tools.filter((tool) => !tool.late))), notice };
    },
    parameters: withEffort(chosen),
    contextTokens: chosen.contextTokens,
    learnedTokens: models.listed.contextTokens,
    widen: chosen.widen,
    compactAt: settings.compactAt,
    tools,
    permissions,
    project: place.project,
    directories: options.directories,
    stateDir,
    limits: { maxTurns, maxCost, timeoutMs, unpriced: models.listed.unpriced },
    headless: options.headless,
    async switchModel(id) {
      const { used } = session.window();
      const fixed = used['system prompt'] + used.instructions + used.tools;
      const next = await models.choose(id, undefined, fixed);
      model = next;
      leaves = false;
      if (session.state.taught.includes(next.id)) models.sendNoTools();
      return { id: next.id, contextTokens: next.contextTokens, parameters: withEffort(next), widen: next.widen };
    },
  });
  notices.push(...movedNotices(log, session.state));
  // Who listens only from now on has not heard what the log said while it was opened.
  if (options.headless)
    for (const event of log.recent) if (event.seq > log.openedAt && event.type === 'notice') notices.push(event.text);
  if (session.state.taught.includes(chosen.id)) models.sendNoTools();
  const { served } = session.state;
  const isSame = served?.local === true && chosen.id === `${served.backend}/${served.model}`;
  leaves = isSame && !chosen.local && options.model === undefined;
  if (options.mode) session.send({ type: 'set', mode: options.mode });
  else if (before && session.state.mode === 'auto')
    notices.push('this session goes on in auto mode (--mode ask changes it)');
  return {
    session,
    notices,
    permissions,
    offline: isOffline(options.offline, options.env),
    stateDir: join(stateDir, log.id),
    loadModel: (signal) => models.load(signal),
    get model() {
      return model;
    },
  };
}

/** The models that can be reached from a place, without a session; `named`: what its settings name. */
export function modelsAt(env: NodeJS.ProcessEnv, cwd: string, offline = false): { models: Models; named?: string } {
  const place = findPlace(cwd, env, false);
  return { models: modelsFor(place, env, offline), named: place.settings.model };
}

/** Everything that can be reached now, for the list on the screen. */
export async function listModels(env: NodeJS.ProcessEnv, cwd: string, offline = false): Promise<readonly ModelInfo[]> {
  return modelsFor(findPlace(cwd, env, false), env, offline).list();
}

/** Whether answers are JSON of a form, for `--json-schema`; loaded only then. */
export const openAnswerCheck = async (schema: JsonSchema) =>
  (await import('../providers/answer-check.ts')).answerCheck(schema);

function knownTools(options: ComposeOptions, place: Place): readonly Tool[] {
  const skills = options.noSkills
    ? undefined
    : loadSkills({
        builtin: join(packageRoot(), 'skills'),
        adaHome: place.adaHome,
        project: place.project,
        trusted: place.trusted,
        off: place.settings.skills?.off,
      });
  return [...coreTools({ env: options.env }), ...lateTools({ skills, env: options.env })];
}

function permissionsFor(
  options: ComposeOptions,
  { settings, project, home, adaHome }: Place,
  stateDir: string,
): Permissions {
  const { allow = [], ask = [], deny = [], directories = [] } = settings.permissions ?? {};
  const patterns = (rules: readonly string[] | undefined) => rules?.filter((rule) => rule.includes('(')) ?? [];
  return createPermissions({
    project,
    // Full outputs that lie outside the project may be read again.
    directories: [...options.directories, ...directories, ...(stateDir.startsWith(`${project}/`) ? [] : [stateDir])],
    allow: [...allow, ...options.allow, ...patterns(options.allowedTools)],
    ask,
    deny: [...deny, ...options.deny, ...patterns(options.disallowedTools)],
    ownAllow: [...(settings.ownAllow ?? []), ...options.allow],
    protectedPaths: settings.protectedPaths,
    home,
    adaHome,
    path: options.env.PATH,
  });
}

/** What the model is told first: it stays the same to the last byte for the whole session. */
function opening(
  options: ComposeOptions,
  place: Place,
  chosen: ChosenModel,
  tools: readonly Tool[],
  mode: Mode,
  notices: string[],
): Pick<Extract<StoredBody, { type: 'session' }>, 'system' | 'tools'> {
  const instructions = readInstructions({ project: place.project, cwd: place.cwd, adaHome: place.adaHome });
  if (instructions.notice) notices.push(instructions.notice);
  const core = tools.filter((tool) => !tool.late);
  const schemas = chosen.isSmall ? compactSchemas(core) : fullSchemas(core);
  const isTaught = chosen.tools === false;
  const system = systemPrompt({
    cwd: place.cwd,
    platform: process.platform,
    mode,
    lateTools: tools.filter((tool) => tool.late),
    instructions: instructions.files,
    append: options.appendSystemPrompt,
    compact: chosen.isSmall,
    calls: isTaught ? teachCalls(schemas) : undefined,
  });
  refuseTooSmall(chosen, system.length + (isTaught ? 0 : JSON.stringify(schemas).length));
  return { system, tools: schemas };
}

/** Characters of one token, more than any tokenizer makes of English and JSON: only what cannot fit is refused. */
const MOST_CHARACTERS = 5;

function refuseTooSmall({ id, contextTokens, widen }: ChosenModel, characters: number): void {
  const least = Math.ceil(characters / MOST_CHARACTERS);
  if (contextTokens === null || contextTokens > least) return;
  throw new StartError(
    `the window of ${id} is ${contextTokens} tokens, and what every request begins with takes at least ${least}: ` +
      `${widen ? `${widen}, ` : ''}shorten AGENTS.md, or choose a model with a larger window (ada models)`,
  );
}
