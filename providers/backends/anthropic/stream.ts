/** Events of a streamed message to IR (API reference, "Streaming messages"). */
import { type FinishReason, type IRUsage, unknownUsage } from '../../ir.ts';
import { parseArguments } from '../../wire/arguments.ts';
import { makeCallId } from '../../wire/call-id.ts';
import { type ErrorSource, isErrorPayload, streamedError } from '../../wire/http-error.ts';
import { type Ending, type Piece, parsePayload, pushText, type StreamDecoder } from '../../wire/stream.ts';
import { tokens } from '../../wire/tokens.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'tool_use',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'filter',
};

interface OpenCall {
  id: string;
  raw: string[];
  /** Input that came whole with the start of the block. */
  input: Record<string, unknown>;
}

/** Reads the events of one message. Complete only with `message_stop`. */
export class AnthropicDecoder implements StreamDecoder {
  complete = false;
  readonly #source: ErrorSource;
  readonly #nameOf: (name: string) => string;
  readonly #ids = new Set<string>();
  readonly #calls = new Map<number, OpenCall>();
  readonly #unended: OpenCall[] = [];
  readonly #usage: Record<string, number> = {};
  #reported = false;
  #begun = false;
  #stop: string | undefined;
  #model: string | undefined;
  #id: string | undefined;

  /** `nameOf` gives the tool that a name on the wire stands for. */
  constructor(source: ErrorSource, nameOf: (name: string) => string = (name) => name) {
    this.#source = source;
    this.#nameOf = nameOf;
  }

  push(payload: string, out: Piece[]): boolean {
    const event = parsePayload(payload, this.#source);
    switch (event.type) {
      case 'content_block_delta':
        this.#delta(event.index, event.delta ?? {}, out);
        return false;
      case 'content_block_start':
        this.#start(event.index, event.content_block ?? {}, out);
        return false;
      case 'content_block_stop':
        this.#close(event.index, out);
        return false;
      case 'message_start':
        this.#head(event.message ?? {});
        return false;
      case 'message_delta':
        this.#begun = true;
        if (event.delta?.stop_reason) this.#stop = event.delta.stop_reason;
        this.#count(event.usage);
        return false;
      case 'message_stop':
        // An end without a beginning is no answer.
        this.complete = this.#begun;
        return true;
      case 'message':
        this.#whole(event, out);
        return true;
      default:
        if (isErrorPayload(event, event.type !== undefined)) throw streamedError(event, this.#source);
        return false;
    }
  }

  #head(message: Record<string, any>): void {
    this.#begun = true;
    this.#model = message.model ?? this.#model;
    this.#id = message.id ?? this.#id;
    this.#count(message.usage);
  }

  /** Counts are cumulative: a later one replaces an earlier one, unless it is the 0 of a server that does not know. */
  #count(usage: Record<string, unknown> | undefined): void {
    for (const [name, value] of Object.entries(usage ?? {})) {
      const count = tokens(value);
      if (count === null) continue;
      this.#reported = true;
      this.#usage[name] = count || (this.#usage[name] ?? 0);
    }
  }

  #start(index: number, block: Record<string, any>, out: Piece[]): void {
    this.#begun = true;
    if (block.type === 'text' && block.text) pushText(out, 'content', block.text);
    else if (block.type === 'thinking')
      out.push({ sequence: 0, type: 'reasoning', delta: block.thinking ?? '', index, ...signed(block.signature) });
    else if (block.type === 'redacted_thinking')
      out.push({ sequence: 0, type: 'reasoning', delta: '', index, signature: block.data, redacted: true });
    else if (block.type === 'tool_use') {
      const call: OpenCall = { id: this.#unique(block.id), raw: [], input: block.input ?? {} };
      this.#calls.set(index, call);
      this.#unended.push(call);
      out.push({ sequence: 0, type: 'tool_use_start', id: call.id, name: this.#nameOf(block.name ?? '') });
    }
  }

  /** Some servers give every call of a message the same id, or none. */
  #unique(given: string | undefined): string {
    let id = given || makeCallId();
    for (let n = 2; this.#ids.has(id); n++) id = `${given}_${n}`;
    this.#ids.add(id);
    return id;
  }

  #delta(index: number, delta: Record<string, any>, out: Piece[]): void {
    if (delta.type === 'text_delta') {
      if (delta.text) pushText(out, 'content', delta.text);
    } else if (delta.type === 'input_json_delta') {
      const call = this.#calls.get(index);
      if (!call || !delta.partial_json) return;
      call.raw.push(delta.partial_json);
      const last = out.at(-1);
      if (last?.type === 'tool_use_delta' && last.id === call.id) last.delta += delta.partial_json;
      else out.push({ sequence: 0, type: 'tool_use_delta', id: call.id, delta: delta.partial_json });
    } else if (delta.type === 'thinking_delta' && delta.thinking) {
      const last = out.at(-1);
      if (last?.type === 'reasoning' && last.index === index && last.signature === undefined)
        last.delta += delta.thinking;
      else out.push({ sequence: 0, type: 'reasoning', delta: delta.thinking, index });
    } else if (delta.type === 'signature_delta')
      out.push({ sequence: 0, type: 'reasoning', delta: '', index, ...signed(delta.signature) });
  }

  #close(index: number, out: Piece[]): void {
    const call = this.#calls.get(index);
    if (!call) return;
    // A block that ends because the message hit its limit ends like any other; only the stop reason, later, tells.
    // So a call whose arguments parse is told now, and a doubtful one at the end of the message.
    const raw = call.raw.join('');
    if (raw !== '' && parseArguments(raw).invalid !== undefined) return;
    if (raw === '' && Object.keys(call.input).length === 0) return;
    this.#end(call, raw, out);
  }

  #end(call: OpenCall, raw: string, out: Piece[]): void {
    this.#unended.splice(this.#unended.indexOf(call), 1);
    const parsed =
      raw === '' && Object.keys(call.input).length
        ? { input: call.input }
        : parseArguments(raw, this.#stop === 'max_tokens');
    const text = raw === '' ? (Object.keys(call.input).length ? JSON.stringify(call.input) : '') : raw;
    out.push({ sequence: 0, type: 'tool_use_end', id: call.id, raw: text, ...parsed });
  }

  /** A message that was not streamed. */
  #whole(message: Record<string, any>, out: Piece[]): void {
    this.#head(message);
    this.#stop = message.stop_reason ?? undefined;
    for (const [index, block] of (message.content ?? []).entries()) {
      this.#start(index, block, out);
      this.#close(index, out);
    }
    this.complete = true;
  }

  finish(out: Piece[]): Ending {
    for (const call of [...this.#unended]) this.#end(call, call.raw.join(''), out);
    const said = FINISH[this.#stop ?? 'end_turn'] ?? 'stop';
    const called = this.#ids.size > 0;
    if (this.#stop === 'pause_turn') {
      const message = 'the server paused its turn and would have gone on; what it said so far is the answer';
      out.push({ sequence: 0, type: 'warning', warning: { kind: 'truncated', field: 'finishReason', message } });
    }
    return {
      finishReason: said === 'stop' && called ? 'tool_use' : said === 'tool_use' && !called ? 'stop' : said,
      usage: this.#usageOf(),
      ...(this.#model !== undefined && { servedModel: this.#model }),
      ...(this.#id !== undefined && { responseId: this.#id }),
    };
  }

  #usageOf(): IRUsage {
    if (!this.#reported) return unknownUsage();
    const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = this.#usage;
    // Anthropic's input_tokens leave cached ones out; the IR's promptTokens hold all.
    const prompt =
      input_tokens === undefined
        ? null
        : input_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0);
    const completion = output_tokens ?? null;
    return {
      promptTokens: prompt,
      completionTokens: completion,
      totalTokens: prompt !== null && completion !== null ? prompt + completion : null,
      cacheReadTokens: cache_read_input_tokens ?? null,
      cacheWriteTokens: cache_creation_input_tokens ?? null,
      reasoningTokens: null,
    };
  }
}

const signed = (signature: unknown) => (typeof signature === 'string' && signature !== '' ? { signature } : {});
