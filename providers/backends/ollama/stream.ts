/** Lines of a streamed `/api/chat` answer to IR. */
import { unknownUsage } from '../../ir.ts';
import { rowsOf } from '../../wire/answer-fields.ts';
import { parseArguments } from '../../wire/arguments.ts';
import { makeCallId } from '../../wire/call-id.ts';
import { type ErrorSource, streamedError } from '../../wire/http-error.ts';
import { type Ending, type Piece, parsePayload, pushText, type StreamDecoder } from '../../wire/stream.ts';

/** Nanoseconds as Ollama reports them, in whole ms. */
const ms = (nanoseconds: unknown): number | undefined =>
  typeof nanoseconds === 'number' ? Math.round(nanoseconds / 1e6) : undefined;

/** Reads the lines of one answer. Calls arrive whole and mostly without ids. */
export class OllamaDecoder implements StreamDecoder {
  complete = false;
  readonly #source: ErrorSource;
  readonly #ids = new Set<string>();
  #last: Record<string, any> = {};

  constructor(source: ErrorSource) {
    this.#source = source;
  }

  push(payload: string, out: Piece[]): boolean {
    const line = parsePayload(payload, this.#source);
    if (line.error) throw streamedError(line, this.#source);
    const { message } = line;
    if (message) {
      if (message.thinking) pushText(out, 'reasoning', message.thinking);
      if (message.content) pushText(out, 'content', message.content);
      for (const call of rowsOf(message.tool_calls)) this.#call(call, out);
    }
    if (line.done !== true) return false;
    this.#last = line;
    this.complete = true;
    return true;
  }

  #call(call: Record<string, any>, out: Piece[]): void {
    const { name, arguments: given } = call.function ?? {};
    const raw = typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given);
    let id: string = call.id || makeCallId();
    if (this.#ids.has(id)) id = makeCallId();
    this.#ids.add(id);
    out.push({ sequence: 0, type: 'tool_use_start', id, name: name ?? '' });
    if (raw !== '') out.push({ sequence: 0, type: 'tool_use_delta', id, delta: raw });
    out.push({ sequence: 0, type: 'tool_use_end', id, raw, ...parseArguments(raw) });
  }

  finish(): Ending {
    const { done_reason, prompt_eval_count, eval_count, model, load_duration, prompt_eval_duration, eval_duration } =
      this.#last;
    const prompt = prompt_eval_count ?? null;
    const completion = eval_count ?? null;
    const custom: Record<string, unknown> = {};
    const timings = { loadMs: ms(load_duration), promptMs: ms(prompt_eval_duration), answerMs: ms(eval_duration) };
    for (const [name, value] of Object.entries(timings)) if (value !== undefined) custom[name] = value;
    return {
      finishReason: done_reason === 'length' ? 'length' : this.#ids.size > 0 ? 'tool_use' : 'stop',
      usage: {
        ...unknownUsage(),
        promptTokens: prompt,
        completionTokens: completion,
        totalTokens: prompt !== null && completion !== null ? prompt + completion : null,
      },
      ...(model && { servedModel: model }),
      // A cloud model: this server only passed the request on.
      ...(this.#last.remote_host && { local: false }),
      custom,
    };
  }
}
