/** What the models of a place can be asked for; `models.ts` makes it. */
import type { ModelInfo } from '../providers/adapter.ts';
import type { PullProgress } from '../providers/backends/ollama/pull.ts';
import type { CustomVendor } from '../providers/custom-vendor.ts';
import type { IRChatRequest, IRChatStream, IRParameters, IRUsage } from '../providers/ir.ts';
import type { Fallback, Move } from '../providers/routing/moves.ts';
import type { ListedFacts } from './models/listed-facts.ts';

export interface ModelsOptions {
  env: NodeJS.ProcessEnv;
  /** Where a relative path of a recording starts. */
  cwd: string;
  /** `ollama.hosts`, `ollama.contextTokens`, `ollama.keepAlive`, `routing.models`, `vendors` of the settings. */
  ollamaHosts?: readonly string[];
  contextTokens?: number;
  keepAlive?: string | number;
  aliases?: Readonly<Record<string, string>>;
  vendors?: Readonly<Record<string, CustomVendor>>;
  offline: boolean;
  /** Folder in which the lists of hosted vendors are kept. */
  lists?: string;
  /** Whether a call that a model printed as text can be one: names and arguments as models know them from elsewhere. */
  accepts?(name: string, input?: Readonly<Record<string, unknown>>): boolean;
  /** Told what is waited for while a model is chosen. */
  tell?(line: string): void;
  /** Where no model is named, a server that is still loading its own is waited for. */
  patient?: boolean;
  /** A hosted model that was named is told of like one that was not. */
  announces?: boolean;
  /** `routing.fallback`; `never` unless given. */
  fallback?: Fallback;
  /** With `ask`: whether a conversation may leave this machine for the model of the move. */
  mayLeave?(move: Move): Promise<boolean>;
}

/** A model that was found and can be asked through `router`. */
export interface ChosenModel {
  /** Explicit id: `vendor/model` or `replay:FILE`. */
  id: string;
  local: boolean;
  /** Window that requests are served with; null when unknown. */
  contextTokens: number | null;
  parameters: IRParameters;
  /** False: it takes no calls, so that they are taught and sent as text. */
  tools?: boolean;
  /** How its window is made larger, as half a sentence; undefined where a person cannot. */
  widen?: string;
  /** A small model or a small window: every byte of prompt and tools counts. */
  isSmall?: boolean;
  /** One line for a person: why this one, when it was not asked for, or what it cannot do. */
  notice?: string;
}

/** What is known of one model, and how a session with it would be served. */
export interface ShownModel extends ModelInfo {
  /** Null when unknown. */
  window: { tokens: number | null; reason: string };
  /** The window that it is in memory with now; null when it is not loaded, or that is unknown. */
  loadedTokens: number | null;
  /** Longest window that it was made for; null when unknown. */
  longestTokens: number | null;
  family: string | null;
  /** The server that has it. */
  url: string;
}

export interface Models {
  /** What of the described vendors and of `ollama.hosts` was left out, one line each. */
  readonly problems: readonly string[];
  /** Streams an answer of the chosen model. */
  ask(request: IRChatRequest, signal: AbortSignal): IRChatStream;
  /**
   * Finds the model and readies its backend. `window`: the context that a stored session was served with. `fixed`: tokens
   * of what every request begins with; a model whose window cannot hold them is refused (StartError). Whatever is
   * refused, the model before it stays. `answered`: how many turns of a recording a stored session has had.
   */
  choose(id: string | undefined, window?: number | null, fixed?: number, answered?: number): Promise<ChosenModel>;
  /** The chosen model takes no tools, or its server refused them: requests to it have none. */
  isToolless(): boolean;
  /**
   * Whether `error` refuses tools for the chosen model, which nobody knew before: from now on, while the process lives,
   * its requests have none. Gives the line for a person.
   */
  refusedTools(error: unknown): string | undefined;
  /** Tools were refused for the chosen model earlier in the session that goes on. */
  sendNoTools(): void;
  /** Everything that can be reached now; servers that cannot be asked add nothing, and are told, one line each. */
  list(tell?: (line: string) => void): Promise<readonly ModelInfo[]>;
  /** What answers when no model is named; undefined when there is nothing. */
  preferred(): Promise<{ id: string; reason: string } | undefined>;
  /** StartError when there is no such model. */
  show(id: string): Promise<ShownModel>;
  /**
   * Has the Ollama server get a model, also one that is there in part. Throws StartError (3) when no server answers, an
   * error with the server's words when it cannot, and one with the code `ABORTED` when `signal` stopped it.
   */
  pull(name: string, signal?: AbortSignal): AsyncGenerator<PullProgress, void, undefined>;
  /** Brings the chosen model into memory ahead of its first request, as that will want it; undefined where none can. */
  load(signal?: AbortSignal): Promise<void> | undefined;
  /** US dollars of one answer, null when the price is unknown. */
  cost(backend: string, model: string, usage: IRUsage): number | null;
  /** What is known of the model in use by what its vendor's list told, also since it was chosen. */
  readonly listed: Pick<ListedFacts, 'unpriced' | 'contextTokens'>;
  close(): void;
}
