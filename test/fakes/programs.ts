/**
 * What servers of OpenAI's format add to it and do in other ways: LM Studio (REST API v0), llama.cpp's server
 * (tools/server/README.md) and vLLM (OpenAI-compatible server), after their public descriptions.
 */
import type { ScriptedModel } from './script.ts';
import { type Exchange, findModel, type Json, madeAtSeconds, type Reply } from './wire.ts';

const able = ({ capabilities = ['completion', 'tools'] }: ScriptedModel, ability: string): boolean =>
  capabilities.includes(ability);
const kindOf = (model: ScriptedModel): string =>
  able(model, 'embedding') ? 'embeddings' : able(model, 'vision') ? 'vlm' : 'llm';
const fail = (status: number, error: Json): Reply => ({ status, body: { error } });

/** In LM Studio a model that has `loadedTokens` is loaded; `contextTokens` is the most that it can be loaded with. */
const studioRow = (model: ScriptedModel): Json => ({
  id: model.name,
  object: 'model',
  type: kindOf(model),
  publisher: 'lmstudio-community',
  arch: model.family ?? 'qwen2',
  compatibility_type: 'gguf',
  quantization: model.quantization ?? 'Q4_K_M',
  state: model.loadedTokens === undefined ? 'not-loaded' : 'loaded',
  max_context_length: model.contextTokens,
  ...(model.loadedTokens !== undefined && { loaded_context_length: model.loadedTokens }),
  ...(able(model, 'tools') && { capabilities: ['tool_use'] }),
});

function studio(exchange: Exchange): Reply | undefined {
  const { path, models } = exchange;
  if (path === '/api/v0/models') return { status: 200, body: { object: 'list', data: models.map(studioRow) } };
  if (path === '/v1/models') {
    const data = models.map(({ name }) => ({ id: name, object: 'model', owned_by: 'organization_owner' }));
    return { status: 200, body: { object: 'list', data } };
  }
  if (path !== '/v1/chat/completions' || findModel(exchange, exchange.body.model)) return undefined;
  const message = 'No models loaded. Please load a model in the developer page or use the `lms load` command.';
  return fail(404, { message, type: 'invalid_request_error', param: 'model', code: 'model_not_found' });
}

/** llama.cpp serves the model that it was started with, whatever a request names; `contextTokens` is its window. */
function llama(exchange: Exchange): Reply | undefined {
  const { path, models, body } = exchange;
  const model = models[0]!;
  const made = { created: madeAtSeconds, owned_by: 'llamacpp' };
  const meta = { vocab_type: 2, n_vocab: 151_936, n_ctx_train: model.trainedTokens, n_embd: 3584, size: model.size };
  if (path === '/v1/models')
    return { status: 200, body: { object: 'list', data: [{ id: model.name, object: 'model', ...made, meta }] } };
  if (path === '/props') {
    const template = able(model, 'tools') ? '{% if tools %}{{ tools }}{% endif %}' : '{{ messages }}';
    const settings = { n_ctx: model.contextTokens };
    return { status: 200, body: { default_generation_settings: settings, total_slots: 1, chat_template: template } };
  }
  if (path !== '/v1/chat/completions' || !body.tools?.length || able(model, 'tools')) return undefined;
  return fail(500, { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' });
}

function vllm(exchange: Exchange): Reply | undefined {
  const { path, models, body } = exchange;
  if (path === '/v1/models') {
    const data = models.map(({ name, contextTokens }) => ({
      id: name,
      object: 'model',
      created: madeAtSeconds,
      owned_by: 'vllm',
      root: name,
      parent: null,
      max_model_len: contextTokens,
    }));
    return { status: 200, body: { object: 'list', data } };
  }
  const model = findModel(exchange, body.model);
  if (path !== '/v1/chat/completions' || !body.tools?.length || !model || able(model, 'tools')) return undefined;
  const message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
  return { status: 400, body: { object: 'error', message, type: 'BadRequestError', param: null, code: 400 } };
}

const LOADING: Json = { code: 503, message: 'Loading model', type: 'unavailable_error' };

/** The program's own answer; undefined where it does what OpenAI does. `asked`: requests before this one. */
export function programReply(exchange: Exchange, asked: number): Reply | undefined {
  const { program, loadingAnswers = 0, answers } = exchange.script;
  if (program === undefined || (answers && Object.hasOwn(answers, exchange.path))) return undefined;
  if (asked < loadingAnswers) return fail(503, LOADING);
  if (program === 'lmstudio') return studio(exchange);
  return program === 'llamacpp' ? llama(exchange) : vllm(exchange);
}
