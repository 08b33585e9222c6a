/**
 * The intermediate representation: what every wire format is turned into and made from.
 * A value of these types is plain JSON; nothing here knows a vendor.
 */

/** Plain text. */
export interface TextContent {
  type: 'text';
  text: string;
}

/** Where the bytes of an image or document are: inline (`data` is base64) or behind a URL. */
export type MediaSource = { type: 'base64'; mediaType: string; data: string } | { type: 'url'; url: string };

export interface ImageContent {
  type: 'image';
  source: MediaSource;
}

export interface DocumentContent {
  type: 'document';
  source: MediaSource;
  name?: string;
}

/**
 * A model's thinking. `signature` is opaque and belongs to `model`: it goes back byte-identical to that model and to
 * no other. `redacted` thinking has no readable text.
 */
export interface ReasoningContent {
  type: 'reasoning';
  text: string;
  signature?: string;
  model?: string;
  redacted?: boolean;
}

/**
 * A call of a tool. `raw` is the text of the arguments as streamed, where the format streams text. `invalid` says why
 * they do not parse: such a call is never run, and `input` is then an empty object that means nothing.
 */
export interface ToolUseContent {
  type: 'tool_use';
  id: string;
  name: string;
  input: Record<string, unknown>;
  raw?: string;
  invalid?: string;
}

/** The answer to the call `toolUseId`. */
export interface ToolResultContent {
  type: 'tool_result';
  toolUseId: string;
  name?: string;
  content: readonly (TextContent | ImageContent | DocumentContent)[];
  isError?: boolean;
}

export type MessageContent =
  | TextContent
  | ImageContent
  | DocumentContent
  | ReasoningContent
  | ToolUseContent
  | ToolResultContent;

export type IRRole = 'system' | 'user' | 'assistant' | 'tool';

/**
 * One message. A string is short for one text part. Tool results travel in messages of role `tool`. A message that was
 * sent is never changed in place: what it became for the wire is kept for the next request of the conversation.
 */
export interface IRMessage {
  readonly role: IRRole;
  readonly content: string | readonly MessageContent[];
  readonly name?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A JSON Schema object (draft 2020-12 as far as a vendor understands it). */
export type JsonSchema = Record<string, unknown>;

export interface IRTool {
  name: string;
  description?: string;
  parameters: JsonSchema;
}

export type IRToolChoice = 'auto' | 'required' | 'none' | { name: string };

export type IRResponseFormat =
  | { type: 'text' }
  | { type: 'json' }
  | { type: 'json_schema'; name: string; schema: JsonSchema; strict?: boolean };

/** How much a model may think before it answers; `off` asks for none. */
export type Effort = 'off' | 'low' | 'medium' | 'high';

export interface IRParameters {
  model?: string;
  temperature?: number;
  /** Upper bound of the answer, in tokens. */
  maxTokens?: number;
  topP?: number;
  topK?: number;
  stopSequences?: readonly string[];
  seed?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  user?: string;
  effort?: Effort;
  /** Context window to serve the request with, in tokens (Ollama's `num_ctx`); formats without it ignore it. */
  contextTokens?: number;
  /** How long a local server keeps the model loaded (Ollama's `keep_alive`, for example `30m`). */
  keepAlive?: string | number;
}

/** Where to put a cache mark: after the tools, the system prompt, or the newest message. */
export type CacheHint = 'tools' | 'system' | 'messages';

/** Who served a request at one hop. A proxy nests the hop behind it in `upstream`. */
export interface Provenance {
  frontend?: string;
  backend?: string;
  /** The model that was asked for at this hop. */
  requestedModel?: string;
  /** The model that this hop says it served. */
  servedModel?: string;
  /** True when the request never left this machine or its configured local server. */
  local?: boolean;
  upstream?: Provenance;
}

export interface IRMetadata {
  requestId: string;
  /** Milliseconds since the epoch. */
  timestamp: number;
  provenance?: Provenance;
  providerResponseId?: string;
  warnings?: readonly IRWarning[];
  custom?: Record<string, unknown>;
}

/** The closed list of ways in which a conversion may change what was said. */
export type DriftKind =
  | 'dropped'
  | 'downgraded'
  | 'moved'
  | 'renamed'
  | 'clamped'
  | 'repaired'
  | 'approximated'
  | 'truncated';

/** What a conversion lost or changed: the field (a path such as `messages[3].content[0]`), how, and what exactly. */
export interface IRWarning {
  kind: DriftKind;
  field: string;
  message: string;
}

export interface IRChatRequest {
  messages: readonly IRMessage[];
  tools?: readonly IRTool[];
  toolChoice?: IRToolChoice;
  /** False: at most one call in an answer. Formats decide for themselves unless told. */
  parallelToolCalls?: boolean;
  responseFormat?: IRResponseFormat;
  parameters?: IRParameters;
  cache?: readonly CacheHint[];
  metadata: IRMetadata;
  stream?: boolean;
  /** Ask the server not to stream: some lose calls when they do. What comes back is a stream all the same. */
  whole?: true;
}

/** Tokens of one answer. `null`: the provider did not say; never 0 for unknown. `promptTokens` includes cached ones. */
export interface IRUsage {
  promptTokens: number | null;
  completionTokens: number | null;
  totalTokens: number | null;
  cacheReadTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
  /** US dollars, where the server itself says what it charges (OpenRouter). */
  cost?: number;
}

export type FinishReason = 'stop' | 'tool_use' | 'length' | 'filter' | 'aborted' | 'error';

export interface IRChatResponse {
  message: IRMessage;
  finishReason: FinishReason;
  usage?: IRUsage;
  metadata: IRMetadata;
  raw?: Record<string, unknown>;
}

/** A streamed answer: `start`, pieces, then exactly one `done` or `error`. `sequence` counts from 0 without gaps. */
export type IRStreamChunk = { sequence: number } & (
  | { type: 'start'; metadata: IRMetadata }
  | { type: 'content'; delta: string }
  /** `signature` arrives whole, with an empty delta or the last one. `index` tells blocks apart. */
  | { type: 'reasoning'; delta: string; index?: number; signature?: string; redacted?: boolean }
  | { type: 'tool_use_start'; id: string; name: string }
  | { type: 'tool_use_delta'; id: string; delta: string }
  /** Ends a call; `input` is the parsed arguments, or `invalid` says why there are none. */
  | { type: 'tool_use_end'; id: string; input: Record<string, unknown>; raw?: string; invalid?: string }
  | { type: 'warning'; warning: IRWarning }
  /**
   * The request is sent again. `discard`: everything streamed of this message before is void. `to`: who is asked
   * instead of the one that failed.
   */
  | { type: 'retry'; reason: string; attempt: number; delayMs: number; discard: boolean; to?: MovedTo }
  | { type: 'done'; finishReason: FinishReason; usage?: IRUsage; metadata: IRMetadata }
  | { type: 'error'; error: Error }
);

/** Where a request moved to: the backend with its model where that is known, and whether it is on this machine. */
export interface MovedTo {
  name: string;
  local: boolean;
}

export type IRChatStream = AsyncIterable<IRStreamChunk>;

/** Usage of which nothing is known. */
export const unknownUsage = (): IRUsage => ({
  promptTokens: null,
  completionTokens: null,
  totalTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
});

/** The parts of a message's content; a string becomes one text part, an empty string none. */
export function partsOf(content: IRMessage['content']): readonly MessageContent[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

/** All text of a message, its text parts joined without a separator. */
export function textOf(content: IRMessage['content']): string {
  if (typeof content === 'string') return content;
  let text = '';
  for (const part of content) if (part.type === 'text') text += part.text;
  return text;
}

/** The model that really answered: the innermost hop that reports one; undefined when none does. */
export function resolveServedModel(provenance: Provenance | undefined): string | undefined {
  let served: string | undefined;
  for (let hop = provenance; hop; hop = hop.upstream) served = hop.servedModel ?? served;
  return served;
}
