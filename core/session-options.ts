/** What a session is made of; `app/compose.ts` puts it together. */
import type { IRChatRequest, IRChatStream, IRParameters, IRUsage } from '../providers/ir.ts';
import type { Limits } from './loop.ts';
import type { Permissions } from './permission/permission.ts';
import type { AskPerson } from './question.ts';
import type { SessionLog } from './store.ts';
import type { Lesson } from './taught-calls.ts';
import type { Served, Tool } from './types.ts';

/** A model that a session can be switched to. */
export interface ModelChoice {
  id: string;
  /** Tokens that it is served with; null when unknown. */
  contextTokens: number | null;
  parameters: IRParameters;
  /** How its window is made larger, as half a sentence; undefined where a person cannot. */
  widen?: string;
}

export interface SessionOptions {
  log: SessionLog;
  /** Streams an answer of the model; `person` is asked what must be decided on the way. */
  ask(request: IRChatRequest, signal: AbortSignal, person: AskPerson): IRChatStream;
  cost(usage: IRUsage, served: Served): number | null;
  /** Id of the model that `parameters` names; a stored session that had another gets a `model` event. */
  model: string;
  /**
   * What the model in use must be told of calls; undefined where its server takes tools. `refusal`: how its last request
   * failed; undefined where that was not about tools, or is known already.
   */
  lesson?(refusal?: Error): Lesson | undefined;
  parameters: IRParameters;
  /** Tokens that the model is served with; unknown unless given. */
  contextTokens?: number | null;
  /** The same of the model in use where that was learned since it was chosen. */
  learnedTokens?(): number | null;
  /** How that is made more, as half a sentence (`serve a larger window (…)`). */
  widen?: string;
  /** When room is made: up to 1 a share of the window, above that tokens, 0 never; undefined for the default. */
  compactAt?: number;
  tools: readonly Tool[];
  permissions: Permissions;
  /**
   * Folder of the project that it goes on in, links resolved: a stored session that names another one was moved. The one
   * that the log names unless given.
   */
  project?: string;
  directories: readonly string[];
  /** Folder for full outputs and other state, one folder a session inside it. */
  stateDir: string;
  limits: Limits;
  /** True when nobody answers approvals: they are denied at once. */
  headless: boolean;
  /** Finds the model that `set` names; rejects with the reason in one line. */
  switchModel?(id: string): Promise<ModelChoice>;
}
