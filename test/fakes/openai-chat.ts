/** OpenAI Chat Completions: /v1/chat/completions as SSE or whole, and /v1/models, after OpenAI's API reference. */
import { argumentPieces, argumentText, fullText, reasoningPieces, type ScriptedModel, textPieces } from './script.ts';
import {
  type Answer,
  type Exchange,
  type Frame,
  findModel,
  type Json,
  madeAtSeconds,
  type Reply,
  type Wire,
} from './wire.ts';

const types: Record<number, string> = {
  401: 'invalid_request_error',
  403: 'invalid_request_error',
  404: 'invalid_request_error',
  400: 'invalid_request_error',
  429: 'rate_limit_error',
};
const error = (status: number, message: string, code: string | null = null, param: string | null = null): Json => ({
  error: { message, type: types[status] ?? 'server_error', param, code },
});
const invalid = (message: string, param: string): Reply => ({ status: 400, body: error(400, message, null, param) });

/** Every call is answered once, right after the message that makes it; OpenAI refuses a conversation without this. */
function unpaired(messages: readonly Json[]): Reply | undefined {
  let open = new Map<string, number>();
  for (const [index, message] of [...messages, { role: 'end' } as Json].entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        return invalid(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `messages.[${index}].role`,
        );
      continue;
    }
    if (open.size)
      return invalid(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open.keys()].join(', ')}`,
        `messages.[${[...open.values()][0]}].role`,
      );
    open = new Map((message.tool_calls ?? []).map((call: Json) => [call.id, index]));
  }
  return undefined;
}

function usageOf({ usage }: Answer): Json | undefined {
  if (!usage) return undefined;
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}

const callId = (answer: Answer, index: number): string =>
  answer.turn.calls?.[index]?.id ?? `call_${answer.id}_${index}`;
const finishOf = ({ turn }: Answer): string => turn.finish ?? (turn.calls?.length ? 'tool_calls' : 'stop');
const listed = (model: ScriptedModel): Json => ({
  id: model.name,
  object: 'model',
  created: madeAtSeconds,
  owned_by: 'test',
  ...(model.contextTokens && { max_model_len: model.contextTokens }),
});

export const openaiChat: Wire = {
  name: 'openai-chat',
  contentType: 'text/event-stream',
  isChat: (method, path) => method === 'POST' && path === '/v1/chat/completions',
  streams: (body) => body.stream === true,
  results: (body) => (body.messages ?? []).filter((message: Json) => message.role === 'tool').length,

  refuse(exchange) {
    const { body, headers, script } = exchange;
    if (script.apiKey && headers.authorization !== `Bearer ${script.apiKey}`)
      return { status: 401, body: error(401, 'Incorrect API key provided.', 'invalid_api_key') };
    if (!findModel(exchange, body.model))
      return {
        status: 404,
        body: error(
          404,
          `The model \`${body.model}\` does not exist or you do not have access to it.`,
          'model_not_found',
        ),
      };
    if (!Array.isArray(body.messages) || !body.messages.length)
      return invalid(
        "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
        'messages',
      );
    for (const [index, message] of body.messages.entries()) {
      if (message.role !== 'assistant' && (message.content === null || message.content === undefined))
        return invalid(`Invalid value for 'content': expected a string, got null.`, `messages.[${index}].content`);
      for (const call of message.tool_calls ?? [])
        if (typeof call.function?.arguments !== 'string')
          return invalid(
            `Invalid type for 'messages[${index}].tool_calls[0].function.arguments': expected a string.`,
            `messages[${index}]`,
          );
    }
    return unpaired(body.messages);
  },

  error: (status, message, code) => error(status, message, code),
  errorFrame: (message) => `data: ${JSON.stringify(error(500, message))}\n\n`,

  *frames(answer): Generator<Frame> {
    const { body, turn, id, script } = answer;
    const head = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: madeAtSeconds, model: body.model };
    const event = (kind: Frame['kind'], value: Json): Frame => ({
      kind,
      text: `data: ${JSON.stringify({ ...head, ...value })}\n\n`,
    });
    const delta = (kind: Frame['kind'], value: Json, finish_reason: string | null = null): Frame =>
      event(kind, { choices: [{ index: 0, delta: value, logprobs: null, finish_reason }] });
    yield delta('frame', { role: 'assistant', content: '' });
    const field = script.reasoningField ?? 'reasoning_content';
    for (const piece of reasoningPieces(turn)) yield delta('piece', { [field]: piece });
    for (const content of textPieces(turn)) yield delta('piece', { content });
    for (const [index, call] of (turn.calls ?? []).entries()) {
      const start = {
        index,
        id: callId(answer, index),
        type: 'function',
        function: { name: call.name, arguments: '' },
      };
      yield delta('frame', { tool_calls: [start] });
      for (const piece of argumentPieces(turn, call))
        yield delta('piece', { tool_calls: [{ index, function: { arguments: piece } }] });
    }
    yield delta('end', {}, finishOf(answer));
    const usage = usageOf(answer);
    if (body.stream_options?.include_usage && usage) yield event('end', { choices: [], usage });
    yield { kind: 'end', text: 'data: [DONE]\n\n' };
  },

  whole(answer) {
    const { body, turn, id, script } = answer;
    const message: Json = { role: 'assistant', content: fullText(turn) || null, refusal: null };
    if (turn.reasoning) message[script.reasoningField ?? 'reasoning_content'] = turn.reasoning;
    if (turn.calls?.length)
      message.tool_calls = turn.calls.map((call, index) => ({
        id: callId(answer, index),
        type: 'function',
        function: { name: call.name, arguments: argumentText(call) },
      }));
    return {
      id: `chatcmpl-${id}`,
      object: 'chat.completion',
      created: madeAtSeconds,
      model: body.model,
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(answer) }],
      usage: usageOf(answer),
    };
  },

  other(exchange: Exchange) {
    const { path, headers, script } = exchange;
    if (!path.startsWith('/v1/models')) return undefined;
    if (script.apiKey && headers.authorization !== `Bearer ${script.apiKey}`)
      return { status: 401, body: error(401, 'Incorrect API key provided.', 'invalid_api_key') };
    if (path === '/v1/models') return { status: 200, body: { object: 'list', data: exchange.models.map(listed) } };
    const name = decodeURIComponent(path.slice('/v1/models/'.length));
    const model = findModel(exchange, name);
    if (model) return { status: 200, body: listed(model) };
    return { status: 404, body: error(404, `The model '${name}' does not exist`, 'model_not_found') };
  },
};
