/** The recorded model: answers from a JSONL file, one model turn a line. */
import { createRequire } from 'node:module';
import type { AdapterCapabilities, AdapterMetadata, BackendAdapter } from '../adapter.ts';
import { ProviderError, StreamError, ValidationError } from '../errors.ts';
import {
  type FinishReason,
  type IRChatRequest,
  type IRChatResponse,
  type IRChatStream,
  partsOf,
  textOf,
} from '../ir.ts';
import { collect } from '../wire/collect.ts';
import { httpError } from '../wire/http-error.ts';
import { type Script, streamScript } from '../wire/script.ts';

/** One line of the file. `chunk`: characters per delta; `delayMs`: between deltas. */
export interface ReplayTurn {
  text?: string;
  reasoning?: string;
  /** `invalid` says why the arguments of a call did not parse, `raw` is their text. */
  toolCalls?: readonly { name: string; input?: Record<string, unknown>; raw?: string; invalid?: string }[];
  finish?: FinishReason;
  chunk?: number;
  delayMs?: number;
  /**
   * The turn fails: at once, or after so many deltas. Without a status: as a connection that breaks. `final`: in just
   * these words, whatever the status, and is not tried again.
   */
  error?: { status?: number; message?: string; afterChunks?: number; final?: boolean };
  /** What its server told of the answer besides: `custom` of its metadata. */
  metadata?: Readonly<Record<string, unknown>>;
}

export interface ReplayOptions {
  /** Path of the file; or give `text`. */
  file?: string;
  text?: string;
  name?: string;
  /** Turns at its beginning that an earlier process consumed. */
  skip?: number;
}

const FINISHES: readonly string[] = ['stop', 'tool_use', 'length', 'filter', 'aborted', 'error'];
const isObject = (value: unknown): value is Record<string, any> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields with which a turn says something. */
const SAYING: readonly string[] = ['text', 'reasoning', 'toolCalls', 'finish', 'error'];

/** Why a line is not a turn; undefined when it is one. */
function fault(line: unknown): string | undefined {
  if (!isObject(line)) return 'is not an object';
  if (!SAYING.some((name) => line[name] !== undefined))
    return `says nothing that is known: a turn has ${SAYING.slice(0, -1).join(', ')} or ${SAYING.at(-1)}`;
  for (const [name, type] of [
    ['text', 'string'],
    ['reasoning', 'string'],
    ['chunk', 'number'],
    ['delayMs', 'number'],
  ] as const)
    if (line[name] !== undefined && typeof line[name] !== type) return `: ${name} is not a ${type}`;
  if (line.finish !== undefined && !FINISHES.includes(line.finish)) return `: finish “${line.finish}” is not known`;
  for (const field of ['error', 'metadata'])
    if (line[field] !== undefined && !isObject(line[field])) return `: ${field} is not an object`;
  const calls = line.toolCalls ?? [];
  if (!Array.isArray(calls)) return ': toolCalls is not a list';
  for (const call of calls) {
    if (!isObject(call) || typeof call.name !== 'string') return ': a tool call has no name';
    if (call.input !== undefined && !isObject(call.input)) return `: the input of ${call.name} is not an object`;
    for (const field of ['raw', 'invalid'])
      if (call[field] !== undefined && typeof call[field] !== 'string')
        return `: ${field} of ${call.name} is not a string`;
  }
  return undefined;
}

/** Parses a recording; throws ValidationError naming the first line that is wrong, or the last one if none is a turn. */
function parse(text: string, file: string): { capabilities: Partial<AdapterCapabilities>; turns: ReplayTurn[] } {
  let capabilities: Partial<AdapterCapabilities> = {};
  const turns: ReplayTurn[] = [];
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (raw.trim() === '') continue;
    let line: unknown;
    try {
      line = JSON.parse(raw);
    } catch (cause) {
      throw new ValidationError({ message: `${file}, line ${index + 1} is not JSON`, cause });
    }
    if (turns.length === 0 && isObject(line) && isObject(line.capabilities)) {
      capabilities = line.capabilities;
      continue;
    }
    const wrong = fault(line);
    if (wrong)
      throw new ValidationError({ message: `${file}, line ${index + 1}${wrong.startsWith(':') ? '' : ' '}${wrong}` });
    turns.push(line as ReplayTurn);
  }
  // A file that breaks off here was not meant to answer nothing.
  if (turns.length === 0)
    throw new ValidationError({ message: `${file}, line ${text.split('\n').length}: the file ends without a turn` });
  return { capabilities, turns };
}

/** Plays a recording: each request consumes the next turn, whatever it asks. Made from a file or a text. */
export class ReplayBackendAdapter implements BackendAdapter<IRChatRequest, ReplayTurn> {
  readonly metadata: AdapterMetadata;
  readonly #turns: readonly ReplayTurn[];
  readonly #file: string;
  #next: number;
  #calls = 0;

  /** Throws ValidationError when the file cannot be read or a line is wrong. */
  constructor(options: ReplayOptions) {
    this.#file = options.file ?? 'recording';
    let text = options.text;
    if (text === undefined) {
      try {
        text = readText(this.#file);
      } catch (cause) {
        const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : (cause as Error).message;
        throw new ValidationError({ message: `${this.#file}: ${why}`, cause });
      }
    }
    const { capabilities, turns } = parse(text, this.#file);
    this.#turns = turns;
    this.#next = Math.min(options.skip ?? 0, turns.length);
    this.metadata = {
      name: options.name ?? 'replay',
      version: '1',
      provider: 'replay',
      local: true,
      capabilities: {
        streaming: true,
        multiModal: true,
        tools: true,
        reasoning: true,
        systemMessageStrategy: 'in-messages',
        supportsMultipleSystemMessages: true,
        contextTokens: null,
        outputTokens: null,
        ...capabilities,
      },
    };
  }

  /** Turns that no request has consumed. */
  get remaining(): number {
    return this.#turns.length - this.#next;
  }

  fromIR(request: IRChatRequest): IRChatRequest {
    return request;
  }

  toIR(response: ReplayTurn, originalRequest: IRChatRequest, latencyMs: number): IRChatResponse {
    const calls = this.#callsOf(response);
    const content = [
      ...(response.reasoning ? [{ type: 'reasoning' as const, text: response.reasoning }] : []),
      ...(response.text ? [{ type: 'text' as const, text: response.text }] : []),
      ...calls.map((call) => ({ type: 'tool_use' as const, ...call })),
    ];
    return {
      message: { role: 'assistant', content },
      finishReason: response.finish ?? (calls.length ? 'tool_use' : 'stop'),
      metadata: { ...originalRequest.metadata, custom: { ...originalRequest.metadata.custom, latencyMs } },
    };
  }

  execute(request: IRChatRequest, signal?: AbortSignal): Promise<IRChatResponse> {
    return collect(this.executeStream(request, signal));
  }

  executeStream(request: IRChatRequest, signal?: AbortSignal): IRChatStream {
    const model = request.parameters?.model ?? `replay:${this.#file}`;
    return streamScript({ backend: this.metadata.name, local: true, request, model, signal }, () => {
      const turn = this.#turns[this.#next];
      if (!turn) throw this.#usedUp(request);
      this.#next++;
      const script: Script = {
        reasoning: turn.reasoning,
        text: turn.text,
        calls: this.#callsOf(turn),
        finishReason: turn.finish,
        chunk: turn.chunk,
        delayMs: turn.delayMs,
        custom: turn.metadata,
        ...(turn.error && { error: this.#error(turn.error, model), errorAfter: turn.error.afterChunks ?? 0 }),
      };
      return script;
    });
  }

  #callsOf(turn: ReplayTurn) {
    return (turn.toolCalls ?? []).map((call) => ({
      id: `call_${++this.#calls}`,
      name: call.name,
      input: call.input ?? {},
      ...(call.raw !== undefined && { raw: call.raw }),
      ...(call.invalid !== undefined && { invalid: call.invalid }),
    }));
  }

  #error(error: NonNullable<ReplayTurn['error']>, model: string): Error {
    const { status, message = 'the recorded model failed', final } = error;
    const backend = this.metadata.name;
    if (final) return new ProviderError({ message, isRetryable: false, provenance: { backend, model } });
    if (status === undefined)
      return new StreamError({ message, code: 'STREAM_TRUNCATED', provenance: { backend, model } });
    return httpError({ backend, model, status, body: { error: { message } } });
  }

  #usedUp(request: IRChatRequest): ProviderError {
    const last = request.messages.at(-1);
    const result = partsOf(last?.content ?? '').findLast((part) => part.type === 'tool_result');
    const what = result
      ? `the result of ${result.name ?? result.toolUseId}: ${clip(textOf(result.content))}`
      : `“${clip(textOf(last?.content ?? ''))}”`;
    return new ProviderError({
      message: `${this.#file} is used up after ${this.#turns.length} turns; no answer is recorded to ${what}`,
      provenance: { backend: this.metadata.name },
    });
  }
}

/** Importing node:fs costs 3 ms, since its exports are all made at once: too much for who never reads a recording. */
const readText = (file: string): string =>
  (createRequire(import.meta.url)('node:fs') as typeof import('node:fs')).readFileSync(file, 'utf8');

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
