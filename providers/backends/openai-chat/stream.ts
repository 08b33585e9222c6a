/** Chunks of a streamed chat completion to IR (API reference, "Chat completion chunk object"). */
import { type FinishReason, type IRUsage, unknownUsage } from '../../ir.ts';
import { parseArguments } from '../../wire/arguments.ts';
import { makeCallId } from '../../wire/call-id.ts';
import { type ErrorSource, isErrorPayload, streamedError } from '../../wire/http-error.ts';
import { type Ending, type Piece, parsePayload, pushText, type StreamDecoder } from '../../wire/stream.ts';
import { tokens } from '../../wire/tokens.ts';

/** A call as far as it has arrived. */
interface OpenCall {
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  parts: string[];
  /** The id in the IR, once the start has been told. */
  told: string | undefined;
}

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'filter',
};

/** Counts of any server that speaks this format; the last report of a stream holds. */
export function usageOf(usage: Record<string, any> | null | undefined): IRUsage {
  if (!usage) return unknownUsage();
  const prompt = tokens(usage.prompt_tokens);
  const completion = tokens(usage.completion_tokens);
  const { prompt_tokens_details: read, completion_tokens_details: written } = usage;
  return {
    promptTokens: prompt,
    completionTokens: completion,
    totalTokens: tokens(usage.total_tokens) ?? (prompt !== null && completion !== null ? prompt + completion : null),
    cacheReadTokens: tokens(read?.cached_tokens) ?? tokens(usage.prompt_cache_hit_tokens),
    cacheWriteTokens: tokens(read?.cache_write_tokens),
    reasoningTokens: tokens(written?.reasoning_tokens),
    ...(charged(usage) !== undefined && { cost: charged(usage) }),
  };
}

/**
 * US dollars (https://openrouter.ai/docs/use-cases/usage-accounting). With a key of one's own for the vendor behind it the
 * vendor charges apart.
 */
function charged({ cost, cost_details, is_byok }: Record<string, any>): number | undefined {
  if (typeof cost !== 'number' || !(cost >= 0)) return undefined;
  const apart = cost_details?.upstream_inference_cost;
  return is_byok === true && typeof apart === 'number' ? cost + apart : cost;
}

/** Reads streams as servers really send them: calls without index or id, two on one index, ids that come late. */
export class OpenAIChatDecoder implements StreamDecoder {
  complete = false;
  readonly #source: ErrorSource;
  readonly #nameOf: (name: string) => string;
  readonly #calls: OpenCall[] = [];
  readonly #ids = new Set<string>();
  /** The call whose name is known but not yet told: some servers split names over deltas. */
  #waiting: OpenCall | undefined;
  #answered = false;
  #finish: string | undefined;
  #usage: Record<string, any> | undefined;
  #model: string | undefined;
  #id: string | undefined;

  /** `nameOf` gives the tool that a name on the wire stands for. */
  constructor(source: ErrorSource, nameOf: (name: string) => string = (name) => name) {
    this.#source = source;
    this.#nameOf = nameOf;
  }

  push(payload: string, out: Piece[]): boolean {
    if (payload === '[DONE]') {
      // Some servers end a stream that said nothing of why it ended.
      this.complete = this.#answered;
      return true;
    }
    const chunk = parsePayload(payload, this.#source);
    const { choices } = chunk;
    if (isErrorPayload(chunk, Array.isArray(choices))) throw streamedError(chunk, this.#source);
    const usage = chunk.usage ?? chunk.x_groq?.usage;
    if (usage) this.#usage = usage;
    if (chunk.model) this.#model = chunk.model;
    if (chunk.id) this.#id = chunk.id;
    let choice = choices?.[0];
    // Only one answer was asked for; a server that gives more may begin with any of them.
    if (choice?.index) choice = choices.find((one: { index?: number }) => !one.index);
    if (!choice) return false;
    this.#answered = true;
    // A server that does not stream sends the message whole; it is one large delta.
    const delta = choice.delta ?? choice.message;
    if (delta) {
      const thought = delta.reasoning_content ?? delta.reasoning;
      if (typeof thought === 'string' && thought !== '') pushText(out, 'reasoning', thought);
      if (this.#waiting && delta.content) this.#tell(this.#waiting, out);
      if (typeof delta.content === 'string') {
        if (delta.content !== '') pushText(out, 'content', delta.content);
      } else if (Array.isArray(delta.content)) this.#parts(delta.content, out);
      if (typeof delta.refusal === 'string' && delta.refusal !== '') pushText(out, 'content', delta.refusal);
      if (delta.tool_calls) for (const call of delta.tool_calls) this.#call(call, out);
      if (delta.function_call) this.#call({ index: 0, function: delta.function_call }, out);
    }
    if (choice.finish_reason === 'error')
      throw streamedError({ error: 'the provider broke the message off' }, this.#source);
    if (choice.finish_reason) {
      this.#finish = choice.finish_reason;
      this.complete = true;
    }
    return choice.message !== undefined && choice.delta === undefined;
  }

  /** Content in parts (Mistral): text, and thinking that is itself in parts. */
  #parts(parts: readonly Record<string, any>[], out: Piece[]): void {
    for (const part of parts) {
      if (part.type === 'text' && part.text) pushText(out, 'content', part.text);
      if (part.type !== 'thinking') continue;
      const inner = Array.isArray(part.thinking) ? part.thinking : [{ text: part.thinking }];
      for (const piece of inner) if (piece?.text) pushText(out, 'reasoning', piece.text);
    }
  }

  #call(delta: Record<string, any>, out: Piece[]): void {
    const id: string | undefined = delta.id || undefined;
    const name: string | undefined = delta.function?.name || undefined;
    const given = delta.function?.arguments;
    const text = typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given);
    const index: number | undefined = delta.index ?? undefined;
    let call = this.#find(index, id, name, text);
    if (!call) {
      call = { index, id: undefined, name: undefined, parts: [], told: undefined };
      this.#calls.push(call);
    }
    if (this.#waiting && this.#waiting !== call) this.#tell(this.#waiting, out);
    call.id ??= id;
    if (name !== undefined && call.told === undefined) call.name = joinedName(call.name, name);
    if (call.told === undefined && call.id !== undefined && call.name !== undefined) {
      if (text !== '' || call.parts.length > 0) this.#tell(call, out);
      else this.#waiting = call;
    }
    if (text === '') return;
    call.parts.push(text);
    if (call.told === undefined) return;
    const last = out.at(-1);
    if (last?.type === 'tool_use_delta' && last.id === call.told) last.delta += text;
    else out.push({ sequence: 0, type: 'tool_use_delta', id: call.told, delta: text });
  }

  /** The open call that a delta continues; undefined when it begins another. */
  #find(index: number | undefined, id: string | undefined, name: string | undefined, text: string) {
    const newest = this.#calls.at(-1);
    // Nearly always: a piece of the call that began last.
    if (newest && id === undefined && name === undefined && (index === undefined || newest.index === index))
      return newest;
    const known = index === undefined && id !== undefined ? this.#calls.findLast((open) => open.id === id) : undefined;
    const call = known ?? this.#calls.findLast((open) => index === undefined || open.index === index);
    if (!call || (id !== undefined && call.id !== undefined && id !== call.id)) return undefined;
    if (name === undefined || call.name === undefined) return call;
    // The rest of a name whose arguments have not begun.
    if (call === this.#waiting && name !== call.name && index !== undefined) return call;
    // A name again: a new call, unless the server repeats the name with every piece.
    if (name !== call.name && id === undefined) return undefined;
    const whole = call.parts.at(-1)?.endsWith('}') && text.startsWith('{');
    return whole && parseArguments(call.parts.join('')).invalid === undefined ? undefined : call;
  }

  #start(call: OpenCall, out: Piece[]): void {
    let told = call.id ?? makeCallId();
    for (let n = 2; this.#ids.has(told); n++) told = `${call.id}_${n}`;
    this.#ids.add(told);
    call.told = told;
    if (this.#waiting === call) this.#waiting = undefined;
    out.push({ sequence: 0, type: 'tool_use_start', id: told, name: this.#nameOf(call.name ?? '') });
  }

  /** Starts a call and tells what has come of its arguments. */
  #tell(call: OpenCall, out: Piece[]): void {
    this.#start(call, out);
    const before = call.parts.join('');
    if (before !== '') out.push({ sequence: 0, type: 'tool_use_delta', id: call.told!, delta: before });
  }

  finish(out: Piece[]): Ending {
    const said = this.#finish === undefined ? 'stop' : (FINISH[this.#finish] ?? 'stop');
    for (const call of this.#calls) {
      const raw = call.parts.join('');
      if (call.name === undefined && raw === '') continue;
      if (call.told === undefined) this.#tell(call, out);
      const parsed = parseArguments(raw, said === 'length');
      out.push({ sequence: 0, type: 'tool_use_end', id: call.told!, raw, ...parsed });
    }
    const called = this.#ids.size > 0;
    return {
      // `tool_calls` without a call is what some servers say after they dropped one they could not parse.
      finishReason: said === 'stop' && called ? 'tool_use' : said === 'tool_use' && !called ? 'stop' : said,
      usage: usageOf(this.#usage),
      ...(this.#model !== undefined && { servedModel: this.#model }),
      ...(this.#id !== undefined && { responseId: this.#id }),
    };
  }
}

/** A name as far as it has come; servers repeat it, send it again longer, or send only the rest. */
const joinedName = (before: string | undefined, name: string): string =>
  before === undefined || name.startsWith(before) ? name : before + name;
