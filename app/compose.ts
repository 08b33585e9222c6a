/** The only place that joins the agent with its models, tools, permissions and files. */
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readInstructions } from '../core/instructions.ts';
import { nearest } from '../core/nearest.ts';
import { createPermissions, type Permissions } from '../core/permission/permission.ts';
import { parseRule } from '../core/permission/rules.ts';
import { findProject, isTrusted, type SessionsPlace, sessionsDir } from '../core/project.ts';
import { systemPrompt } from '../core/prompt.ts';
import { openSession, type Session } from '../core/session.ts';
import { loadSettings, type Settings } from '../core/settings.ts';
import { loadSkills } from '../core/skills/index.ts';
import { copyLog, listSessions, logFile, newSessionId, openLog, readLog, type SessionLog } from '../core/store.ts';
import { coreTools, lateTools } from '../core/tools/index.ts';
import { type EventOf, LOG_VERSION, type Mode, type StoredBody, type Tool } from '../core/types.ts';
import type { ModelInfo } from '../providers/adapter.ts';
import type { Effort } from '../providers/ir.ts';
import { type ChosenModel, type Models, openModels } from './models.ts';
import { packageRoot } from './package-root.ts';
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
}

export interface Composition {
  session: Session;
  /** What is known of the model in use; changes with a switch, before the session tells of it. */
  readonly model: Pick<ChosenModel, 'local' | 'contextTokens'>;
  /** Folder of this session's state that is not its log; made when something is first kept there. */
  stateDir: string;
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
  const { settings, problems } = loadSettings({ adaHome, project, trusted, env });
  return { cwd: real, project, home, adaHome, trusted, settings, problems };
}

function modelsFor(place: Place, env: NodeJS.ProcessEnv, offline: boolean): Models {
  const { ollama, routing } = place.settings;
  return openModels({
    env,
    cwd: place.cwd,
    ollamaHost: ollama?.hosts?.[0],
    contextTokens: ollama?.contextTokens,
    keepAlive: ollama?.keepAlive,
    aliases: routing?.models,
    offline: offline || env.ADA_OFFLINE === '1',
  });
}

/** A session that is ready for its first prompt. StartError when it cannot be had; then nothing was written. */
export async function compose(options: ComposeOptions): Promise<Composition> {
  const place = findPlace(options.cwd, options.env, options.trust);
  const { settings } = place;
  const notices = [...place.problems];
  const found = sessionsDir({ project: place.project, home: place.home, adaHome: place.adaHome });

  const models = modelsFor(place, options.env, options.offline);
  const resumed = options.resume === undefined ? undefined : findStored(options.resume, found.dirs);
  if (options.resume !== undefined && !resumed) notices.push('no session to go on with here; this is a new one');
  const stored = resumed ? storedModel(resumed) : undefined;
  const chosen = await models.choose(options.model ?? stored?.model ?? settings.model, stored?.contextTokens);
  if (chosen.notice) notices.push(chosen.notice);

  const store = found.prepare();
  // What may refuse comes before the log is opened.
  const tools = toolsFor(options, place);
  const permissions = permissionsFor(options, place, store);
  if (store.notice) notices.push(store.notice);
  const file = resumed && !options.fork ? resumed : undefined;
  const log = file ? goOn(file, store, options, notices) : startNew(resumed, store, options);
  if (log.problem) notices.push(`${log.file}: ${log.problem}`);

  const mode = options.mode ?? settings.mode ?? 'ask';
  if (!log.events.length) log.append(beginning(options, place, log, chosen, tools, mode, notices));
  const withEffort = ({ parameters }: ChosenModel) =>
    options.effort ? { ...parameters, effort: options.effort } : parameters;
  let model = chosen;
  const session = openSession({
    log,
    ask: (request, signal) => models.router.executeStream(request, signal),
    cost: (usage, served) => models.cost(served.backend, served.model, usage),
    model: chosen.id,
    parameters: withEffort(chosen),
    tools,
    permissions,
    directories: options.directories,
    stateDir: store.stateDir,
    limits: { maxTurns: options.maxTurns, maxCost: options.maxCost, timeoutMs: options.timeoutMs },
    headless: options.headless,
    async switchModel(id) {
      const next = await models.choose(id);
      model = next;
      return { id: next.id, parameters: withEffort(next) };
    },
  });
  if (options.mode) session.send({ type: 'set', mode: options.mode });
  return {
    session,
    notices,
    stateDir: join(store.stateDir, log.id),
    get model() {
      return model;
    },
  };
}

/** Everything that can be reached now, for `ada models`. */
export async function listModels(env: NodeJS.ProcessEnv, cwd: string, offline = false): Promise<readonly ModelInfo[]> {
  return modelsFor(findPlace(cwd, env, false), env, offline).list();
}

/** The log file that an id, the beginning of one, or `latest` means; undefined when there is no session at all. */
function findStored(wanted: string, dirs: readonly string[]): string | undefined {
  const sessions = dirs.flatMap(listSessions).sort((a, b) => b.mtime - a.mtime);
  if (wanted === 'latest') return sessions[0]?.file;
  const exact = sessions.find(({ id, file }) => id === wanted || file === wanted);
  const starts = exact ? [exact] : sessions.filter(({ id }) => id.startsWith(wanted));
  if (starts.length === 1) return starts[0]!.file;
  if (starts.length > 1)
    throw new StartError(`${starts.length} sessions begin with ${wanted}: ${starts[0]!.id}, ${starts[1]!.id} …`);
  const near = nearest(
    wanted,
    sessions.map(({ id }) => id),
  );
  throw new StartError(`no session ${wanted} here${near ? `; the nearest is ${near}` : ''} (ada sessions lists them)`);
}

function storedModel(file: string): { model: string; contextTokens: number | null } | undefined {
  const { events } = readLog(file);
  const first = events.find((event): event is EventOf<'session'> => event.type === 'session');
  const last = events.findLast((event): event is EventOf<'model'> => event.type === 'model');
  return first && { model: last?.value ?? first.model, contextTokens: first.contextTokens };
}

/** Opens a stored session; one that another process holds is gone on with in a copy. */
function goOn(file: string, store: SessionsPlace, options: ComposeOptions, notices: string[]): SessionLog {
  const opened = openLog(file, store.stateDir);
  if ('log' in opened) return opened.log;
  const log = startNew(file, store, options);
  notices.push(`that session is open in process ${opened.held}; going on in a copy, ${log.id}`);
  return log;
}

/** A new log, with the events of `parent` where there is one. */
function startNew(parent: string | undefined, { dir, stateDir }: SessionsPlace, options: ComposeOptions): SessionLog {
  const id = options.sessionId ?? newSessionId();
  if (!/^[\w][\w.-]{0,100}$/.test(id))
    throw new StartError(`--session-id ${id}: letters, digits, dots and dashes only`);
  const file = logFile(dir, id);
  if (existsSync(file))
    throw new StartError(`--session-id ${id}: there is a session of that name; --resume ${id} goes on with it`);
  if (parent) copyLog(parent, file, id);
  const opened = openLog(file, stateDir);
  if ('held' in opened) throw new StartError(`session ${id} is open in process ${opened.held}`);
  return opened.log;
}

function toolsFor(options: ComposeOptions, place: Place): readonly Tool[] {
  const skills = options.noSkills
    ? undefined
    : loadSkills({
        builtin: join(packageRoot(), 'skills'),
        adaHome: place.adaHome,
        project: place.project,
        trusted: place.trusted,
        off: place.settings.skills?.off,
      });
  const all = [...coreTools({ env: options.env }), ...lateTools({ skills })];
  const names = (list: readonly string[] | undefined) => list?.map((rule) => rule.replace(/\(.*$/s, ''));
  const only = names(options.allowedTools);
  const without = names(options.disallowedTools?.filter((rule) => !rule.includes('(')));
  for (const name of [...(only ?? []), ...(without ?? [])]) {
    if (all.some((tool) => tool.name === name)) continue;
    throw new StartError(
      `no tool is called ${name}; the nearest is ${nearest(
        name,
        all.map((tool) => tool.name),
      )}`,
    );
  }
  return all.filter(({ name }) => (!only || name === 'use_tool' || only.includes(name)) && !without?.includes(name));
}

function permissionsFor(
  options: ComposeOptions,
  { settings, project, home, adaHome }: Place,
  store: SessionsPlace,
): Permissions {
  for (const [flag, rules] of Object.entries({ allow: options.allow, deny: options.deny }))
    for (const rule of rules)
      if (!parseRule(rule))
        throw new StartError(`--${flag} ${rule} is no rule: tool or tool(pattern), for example 'bash(git diff *)'`);
  const { allow = [], ask = [], deny = [], directories = [] } = settings.permissions ?? {};
  const patterns = (rules: readonly string[] | undefined) => rules?.filter((rule) => rule.includes('(')) ?? [];
  return createPermissions({
    project,
    // Full outputs that lie outside the project may be read again.
    directories: [...options.directories, ...directories, ...(store.fallback ? [store.stateDir] : [])],
    allow: [...allow, ...options.allow, ...patterns(options.allowedTools)],
    ask,
    deny: [...deny, ...options.deny, ...patterns(options.disallowedTools)],
    ownAllow: [...(settings.ownAllow ?? []), ...options.allow],
    protectedPaths: settings.protectedPaths,
    home,
    adaHome,
  });
}

/** The first event: what the model is told stays the same to the last byte for the whole session. */
function beginning(
  options: ComposeOptions,
  place: Place,
  log: SessionLog,
  chosen: ChosenModel,
  tools: readonly Tool[],
  mode: Mode,
  notices: string[],
): StoredBody {
  const instructions = readInstructions({ project: place.project, cwd: place.cwd, adaHome: place.adaHome });
  if (instructions.notice) notices.push(instructions.notice);
  return {
    type: 'session',
    id: log.id,
    version: LOG_VERSION,
    cwd: place.cwd,
    project: place.project,
    model: chosen.id,
    mode,
    contextTokens: chosen.contextTokens,
    system: systemPrompt({
      cwd: place.cwd,
      platform: process.platform,
      mode,
      lateTools: tools.filter((tool) => tool.late),
      instructions: instructions.files,
      append: options.appendSystemPrompt,
    }),
    tools: tools
      .filter((tool) => !tool.late)
      .map(({ name, description, parameters }) => ({ name, description, parameters })),
  };
}
