/**
 * What the scripted model server plays: turns in order, the faults it commits on the way, and the models it claims to
 * have. A script is data and does the same on every wire format.
 */

/** A call that the model makes. `raw` replaces the JSON text of the arguments, however broken. */
export interface ScriptedCall {
  name: string;
  input?: Record<string, unknown>;
  id?: string;
  raw?: string;
}

/**
 * What goes wrong with an answer. `after` counts pieces of the answer (text, reasoning, arguments) already sent.
 * `stall` and `silence` keep the connection open until the client or the server closes it.
 */
export type Fault =
  | { kind: 'status'; status: number; message?: string; code?: string; retryAfter?: string | number }
  | { kind: 'html'; status?: number }
  | { kind: 'hangup' }
  | { kind: 'silence' }
  | { kind: 'cut'; after: number }
  | { kind: 'stall'; after: number }
  /** An error inside a stream that began with status 200. */
  | { kind: 'stream-error'; after: number; message: string }
  /** The stream ends in good order, but without its terminal event. */
  | { kind: 'no-end' };

/** Tokens that a turn reports in place of those counted from its bytes. */
export interface ScriptedUsage {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
}

/** One message of the model. */
export interface ScriptedTurn {
  reasoning?: string;
  /** Opaque mark of the reasoning (Anthropic); made from the text when left out. */
  signature?: string;
  text?: string;
  /** The text in exactly these pieces, in place of `text`. */
  pieces?: readonly string[];
  calls?: readonly ScriptedCall[];
  /** `length`: the answer ran into its limit. */
  finish?: 'length';
  /** `null`: nothing is reported. */
  usage?: ScriptedUsage | null;
  /** What a server that streams badly makes of the turn; asked not to stream, it gives the turn itself. */
  streamed?: Pick<ScriptedTurn, 'reasoning' | 'text' | 'pieces' | 'calls'>;
  /** Characters of text or reasoning in one piece; 24 unless given. */
  pieceSize?: number;
  /** Characters of call arguments in one piece; 32 unless given. */
  argumentSize?: number;
  /** Pause after each piece, in ms. */
  delayMs?: number;
  /** Pause before the first byte of the answer, in ms. */
  firstByteMs?: number;
  /** Bytes in one write to the socket: cuts lines and characters anywhere. */
  writeSize?: number;
  fault?: Fault;
  /** How many requests of this turn meet the fault before it goes away; 1 unless given. */
  faultTimes?: number;
}

/** A model that the server has. */
export interface ScriptedModel {
  name: string;
  /** Window in tokens. */
  contextTokens?: number;
  /** Window that LM Studio has loaded it with; without it, it is not loaded. */
  loadedTokens?: number;
  /** Window that it was trained for, where llama.cpp serves another. */
  trainedTokens?: number;
  outputTokens?: number;
  /** Ollama's words: completion, tools, thinking, vision, embedding, insert. */
  capabilities?: readonly string[];
  /** Bytes on disk. */
  size?: number;
  parameters?: string;
  quantization?: string;
  family?: string;
  template?: string;
}

/** A model that Ollama can be asked to get: it arrives in pieces, and what has arrived stays when the client leaves. */
export interface ScriptedPull {
  /** What the server has once the pull is done. */
  model: ScriptedModel;
  /** Bytes of each layer. */
  layers: readonly number[];
  /** Bytes that arrive between two lines of progress. */
  step: number;
  /** Pause before each line, in ms. */
  delayMs?: number;
  /** The server's words when it gives up after the first `after` bytes. */
  fails?: { after: number; message: string };
}

export interface Script {
  /** In order, or made from the number of tool results that the request holds. After the last turn it is repeated. */
  turns: readonly ScriptedTurn[] | ((results: number) => ScriptedTurn);
  models?: readonly ScriptedModel[];
  /** What /api/pull can get; any other name is one that nobody has. */
  pulls?: readonly ScriptedPull[];
  /** How long /api/generate without a prompt, and a chat with a model that is not loaded, wait for the model; ms. */
  loadMs?: number;
  /** A server of OpenAI's format that has its own ways; one that has none unless given. */
  program?: 'lmstudio' | 'llamacpp' | 'vllm';
  /** With `program`: so many requests are answered with its loading the model (llama.cpp: 503). */
  loadingAnswers?: number;
  /** The key that a client must show (bearer or x-api-key); any is good when left out. */
  apiKey?: string;
  /** Where OpenAI-compatible servers put reasoning; there is no common name. */
  reasoningField?: 'reasoning_content' | 'reasoning';
  /**
   * Requests that are longer than the window lose their oldest messages, silently, as Ollama does it; a prompt that is
   * to be refused rather than cut (`truncate: false`) is. `window`: the server has one of its own, and refuses nothing.
   */
  cutsLongPrompts?: true | { window: number };
  /** Answers of /api/version. */
  version?: string;
  /** JSON that is answered at a path in place of what belongs there; chats excepted. */
  answers?: Readonly<Record<string, unknown>>;
}

export const defaultModel: ScriptedModel = {
  name: 'test-model:latest',
  contextTokens: 32_768,
  outputTokens: 8_192,
  capabilities: ['completion', 'tools', 'thinking'],
  size: 4_700_000_000,
  parameters: '7.6B',
  quantization: 'Q4_K_M',
  family: 'qwen2',
};

export const greeting: Script = { turns: [{ text: 'Hello.' }] };

/**
 * The turn that answers a conversation with `results` tool results. A turn with k calls is over when k results have
 * come, so a conversation that is sent again gets the same answer again.
 */
export function turnAt(script: Script, results: number): { index: number; turn: ScriptedTurn } {
  if (typeof script.turns === 'function') return { index: results, turn: script.turns(results) };
  const last = script.turns.length - 1;
  let answered = 0;
  for (let index = 0; index < last; index++) {
    answered += script.turns[index]?.calls?.length || 1;
    if (results < answered) return { index, turn: script.turns[index]! };
  }
  return { index: last, turn: script.turns[last] ?? {} };
}

/** `count` turns that each make the call that `call` names, then `final`: the shape of a long piece of work. */
export const loopOf = (count: number, call: (number: number) => ScriptedCall, final: ScriptedTurn): Script => ({
  turns: (results) => (results < count ? { calls: [call(results + 1)] } : final),
});

/** Cuts text into pieces of `size` UTF-16 units, never between the halves of a surrogate pair. */
export function cut(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + size);
    const unit = text.charCodeAt(to - 1);
    if (to < text.length && unit >= 0xd800 && unit < 0xdc00) to++;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

export const textPieces = (turn: ScriptedTurn): readonly string[] =>
  turn.pieces ?? cut(turn.text ?? '', turn.pieceSize ?? 24);
export const reasoningPieces = (turn: ScriptedTurn): readonly string[] =>
  cut(turn.reasoning ?? '', turn.pieceSize ?? 24);
export const fullText = (turn: ScriptedTurn): string => turn.pieces?.join('') ?? turn.text ?? '';
export const argumentText = (call: ScriptedCall): string => call.raw ?? JSON.stringify(call.input ?? {});
export const argumentPieces = (turn: ScriptedTurn, call: ScriptedCall): readonly string[] =>
  cut(argumentText(call), turn.argumentSize ?? 32);
