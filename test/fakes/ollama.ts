/** Ollama's native API: /api/chat, /api/generate, /api/tags, /api/show, /api/ps, /api/version, after its docs/api.md. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  argumentText,
  defaultModel,
  fullText,
  reasoningPieces,
  type Script,
  type ScriptedCall,
  type ScriptedModel,
  textPieces,
} from './script.ts';
import {
  type Answer,
  type Exchange,
  type Frame,
  findModel,
  type Json,
  madeAt,
  type Reply,
  type ServerState,
  type Wire,
} from './wire.ts';

/** Window that the server gives a request which names none. */
const DEFAULT_NUM_CTX = 4096;
const THINK_LEVELS: readonly string[] = ['high', 'medium', 'low'];

const fail = (status: number, error: string): Reply => ({ status, body: { error } });
const missing = (name: unknown): Reply => fail(404, `model '${name}' not found`);

/** Arguments travel as an object. Broken text is passed on as text, as servers that imitate Ollama do. */
function toolCall(call: ScriptedCall, index: number): Json {
  let input: unknown;
  try {
    input = JSON.parse(argumentText(call));
  } catch {
    input = argumentText(call);
  }
  return { ...(call.id && { id: call.id }), function: { index, name: call.name, arguments: input } };
}

/** Loads the model with the window that was asked for; the duration of that is 0 when nothing had to change. */
function load({ state, body }: Exchange, name: string): number {
  const contextTokens = Number(body.options?.num_ctx ?? DEFAULT_NUM_CTX);
  const same = state.loaded.get(name)?.contextTokens === contextTokens;
  if (body.keep_alive === 0) state.loaded.delete(name);
  else state.loaded.set(name, { contextTokens, readyAt: state.loaded.get(name)?.readyAt });
  return same ? 0 : 1_000_000_000;
}

function ending(answer: Answer, loadDuration: number): Json {
  const { usage, turn } = answer;
  return {
    done: true,
    done_reason: turn.finish ?? 'stop',
    total_duration: loadDuration + 2_000_000,
    load_duration: loadDuration,
    ...(usage && {
      prompt_eval_count: usage.input,
      prompt_eval_duration: 1_000_000,
      eval_count: usage.output,
      eval_duration: 1_000_000,
    }),
  };
}

/** Begins to load the model if it is not loaded as it is wanted; ms until it is ready, for everybody who waits. */
export function loadWait(exchange: Exchange): number {
  const { state, body, script } = exchange;
  const name = findModel(exchange, body.model)?.name;
  if (name === undefined || !script.loadMs) return 0;
  const contextTokens = Number(body.options?.num_ctx ?? DEFAULT_NUM_CTX);
  const now = state.loaded.get(name);
  const readyAt = now?.contextTokens === contextTokens ? (now.readyAt ?? 0) : Date.now() + script.loadMs;
  state.loaded.set(name, { contextTokens, readyAt });
  return Math.max(0, readyAt - Date.now());
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** What was pulled to its end. */
export const pulledModels = (script: Script, { pulled }: ServerState): ScriptedModel[] =>
  (script.pulls ?? [])
    .filter(({ model, layers }) => (pulled.get(model.name) ?? -1) >= sum(layers))
    .map(({ model }) => model);

async function* pulling({ body, script, state }: Exchange): AsyncGenerator<Json> {
  yield { status: 'pulling manifest' };
  const wanted = script.pulls?.find(({ model }) => model.name === (body.model ?? body.name));
  if (!wanted) return yield { error: 'pull model manifest: file does not exist' };
  const { layers, step, delayMs, fails, model } = wanted;
  let before = 0;
  for (const [index, total] of layers.entries()) {
    const digest = `sha256:${String(index).repeat(64).slice(0, 64)}`;
    const status = `pulling ${digest.slice(7, 19)}`;
    let completed = Math.min(total, Math.max(0, (state.pulled.get(model.name) ?? 0) - before));
    yield { status, digest, total, ...(completed > 0 && { completed }) };
    while (completed < total) {
      if (delayMs) await sleep(delayMs);
      completed = Math.min(total, completed + step);
      state.pulled.set(model.name, before + completed);
      if (fails && before + completed >= fails.after) return yield { error: fails.message };
      yield { status, digest, total, completed };
    }
    before += total;
  }
  for (const status of ['verifying sha256 digest', 'writing manifest', 'success']) yield { status };
}

const details = (model = defaultModel): Json => ({
  parent_model: '',
  format: 'gguf',
  family: model.family ?? defaultModel.family,
  families: [model.family ?? defaultModel.family],
  parameter_size: model.parameters ?? defaultModel.parameters,
  quantization_level: model.quantization ?? defaultModel.quantization,
});

const isLoad = ({ path, body }: Pick<Exchange, 'path' | 'body'>): boolean =>
  path === '/api/generate' ? !body.prompt : path === '/api/chat' && !body.messages?.length;

function loadReply(exchange: Exchange): Reply {
  const model = findModel(exchange, exchange.body.model);
  if (!model) return missing(exchange.body.model);
  const delayMs = loadWait(exchange);
  load(exchange, model.name);
  const content = exchange.path === '/api/chat' ? { message: { role: 'assistant', content: '' } } : { response: '' };
  const done_reason = exchange.body.keep_alive === 0 ? 'unload' : 'load';
  return {
    status: 200,
    delayMs,
    body: { model: exchange.body.model, created_at: madeAt, ...content, done: true, done_reason },
  };
}

function show(exchange: Exchange): Reply {
  const name = exchange.body.model ?? exchange.body.name;
  const model = findModel(exchange, name);
  if (!model) return missing(name);
  const family = model.family ?? defaultModel.family!;
  return {
    status: 200,
    body: {
      modelfile: `FROM ${model.name}`,
      parameters: 'temperature 0.7',
      template: model.template ?? '{{ .Prompt }}',
      details: details(model),
      model_info: {
        'general.architecture': family,
        'general.parameter_count': 7_615_616_512,
        ...(model.contextTokens && { [`${family}.context_length`]: model.contextTokens }),
        [`${family}.embedding_length`]: 3584,
        [`${family}.block_count`]: 28,
        [`${family}.attention.head_count`]: 28,
        [`${family}.attention.head_count_kv`]: 4,
      },
      capabilities: model.capabilities ?? defaultModel.capabilities,
      modified_at: madeAt,
    },
  };
}

const listed = (exchange: Exchange): Json[] =>
  exchange.models.map((model) => ({
    name: model.name,
    model: model.name,
    modified_at: madeAt,
    size: model.size ?? defaultModel.size,
    digest: 'a'.repeat(64),
    details: details(model),
  }));

export const ollama: Wire = {
  name: 'ollama',
  contentType: 'application/x-ndjson',
  isChat: (method, path) => method === 'POST' && (path === '/api/chat' || path === '/api/generate'),
  streams: (body) => body.stream !== false,
  results: (body) => (body.messages ?? []).filter((message: Json) => message.role === 'tool').length,

  refuse(exchange) {
    const { body, path } = exchange;
    if (!body.model) return fail(400, 'model is required');
    const model = findModel(exchange, body.model);
    if (!model) return missing(body.model);
    if (isLoad({ path, body })) return loadReply(exchange);
    const able = model.capabilities ?? defaultModel.capabilities!;
    if (body.tools?.length && !able.includes('tools')) return fail(400, `${body.model} does not support tools`);
    if (body.think && !able.includes('thinking')) return fail(400, `"${body.model}" does not support thinking`);
    if (typeof body.think === 'string' && !THINK_LEVELS.includes(body.think))
      return fail(400, `invalid think value: "${body.think}" (must be "high", "medium", "low", true, or false)`);
    for (const message of body.messages ?? []) {
      if (typeof message.content !== 'string' && message.content !== undefined)
        return fail(
          400,
          'json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string',
        );
      for (const call of message.tool_calls ?? [])
        if (typeof call.function?.arguments !== 'object')
          return fail(
            400,
            'json: cannot unmarshal string into Go struct field .arguments of type map[string]interface {}',
          );
    }
    return undefined;
  },

  error: (_status, message) => ({ error: message }),
  errorFrame: (message) => `${JSON.stringify({ error: message })}\n`,

  *frames(answer): Generator<Frame> {
    const { body, turn, path } = answer;
    const loadDuration = load(answer, findModel(answer, body.model)!.name);
    const head = { model: body.model, created_at: madeAt };
    const line = (kind: Frame['kind'], value: Json): Frame => ({
      kind,
      text: `${JSON.stringify({ ...head, ...value })}\n`,
    });
    if (path === '/api/generate') {
      for (const response of textPieces(turn)) yield line('piece', { response, done: false });
      yield line('end', { response: '', ...ending(answer, loadDuration) });
      return;
    }
    const message = (value: Json): Frame =>
      line('piece', { message: { role: 'assistant', content: '', ...value }, done: false });
    // A model that is told not to think does not; one that is told nothing thinks.
    if (body.think !== false) for (const thinking of reasoningPieces(turn)) yield message({ thinking });
    for (const content of textPieces(turn)) yield message({ content });
    for (const [index, call] of (turn.calls ?? []).entries()) yield message({ tool_calls: [toolCall(call, index)] });
    yield line('end', { message: { role: 'assistant', content: '' }, ...ending(answer, loadDuration) });
  },

  whole(answer) {
    const { body, turn } = answer;
    const end = ending(answer, load(answer, findModel(answer, body.model)!.name));
    const head = { model: body.model, created_at: madeAt };
    if (answer.path === '/api/generate') return { ...head, response: fullText(turn), ...end };
    const message: Json = { role: 'assistant', content: fullText(turn) };
    if (turn.reasoning && body.think !== false) message.thinking = turn.reasoning;
    if (turn.calls?.length) message.tool_calls = turn.calls.map(toolCall);
    return { ...head, message, ...end };
  },

  other(exchange) {
    const { path, script, state } = exchange;
    if (script.answers && Object.hasOwn(script.answers, path))
      return { status: 200, body: script.answers[path] as Json };
    if (path === '/') return { status: 200, body: 'Ollama is running' };
    if (path === '/api/version') return { status: 200, body: { version: script.version ?? '0.12.6' } };
    if (path === '/api/tags') return { status: 200, body: { models: listed(exchange) } };
    if (path === '/api/show') return show(exchange);
    if (path === '/api/pull')
      return { status: 200, body: {}, lines: pulling(exchange), whole: exchange.body.stream === false };
    if (path !== '/api/ps') return undefined;
    const models = listed(exchange).flatMap((model) => {
      const loaded = state.loaded.get(model.name);
      const extra = {
        expires_at: '2026-01-01T00:30:00Z',
        size_vram: model.size,
        context_length: loaded?.contextTokens,
      };
      return loaded ? [{ ...model, ...extra }] : [];
    });
    return { status: 200, body: { models } };
  },
};
