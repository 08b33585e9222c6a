/** Anthropic Messages: /v1/messages as SSE or whole, /v1/messages/count_tokens, /v1/models, after its API reference. */
import { createHash } from 'node:crypto';
import {
  argumentPieces,
  argumentText,
  fullText,
  reasoningPieces,
  type ScriptedModel,
  type ScriptedTurn,
  textPieces,
} from './script.ts';
import { type Answer, type Exchange, type Frame, findModel, type Json, madeAt, type Reply, type Wire } from './wire.ts';

const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
const error = (status: number, message: string): Json => ({
  type: 'error',
  error: { type: types[status] ?? 'api_error', message },
  request_id: 'req_test',
});
const invalid = (message: string): Reply => ({ status: 400, body: error(400, message) });

const blocks = (message: Json): Json[] =>
  typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : (message.content ?? []);

function refuseKey({ headers, script }: Exchange): Reply | undefined {
  const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  if (!key) return { status: 401, body: error(401, 'x-api-key header is required') };
  if (script.apiKey && key !== script.apiKey) return { status: 401, body: error(401, 'invalid x-api-key') };
  if (!headers['anthropic-version']) return invalid('anthropic-version: header is required');
  return undefined;
}

/** The rules of a conversation that Anthropic enforces and that a client most easily breaks. */
function refuseMessages({ body, state }: Exchange): Reply | undefined {
  const messages: Json[] = body.messages ?? [];
  if (!messages.length) return invalid('messages: at least one message is required');
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'user' && message.role !== 'assistant')
      return invalid(`messages.${index}.role: Input should be 'user' or 'assistant'`);
    const content = blocks(message);
    if (!content.length && index < messages.length - 1)
      return invalid(`messages.${index}: all messages must have non-empty content`);
    const answered = content.filter((block) => block.type === 'tool_result').map((block) => block.tool_use_id);
    const left = open.filter((id) => !answered.includes(id));
    if (left.length)
      return invalid(
        `messages.${index - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${left.join(', ')}.`,
      );
    const stray = answered.filter((id, at) => !open.includes(id) || answered.indexOf(id) !== at);
    if (stray.length)
      return invalid(
        `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray.join(', ')}.`,
      );
    for (const [at, block] of content.entries()) {
      if (block.type === 'text' && !block.text?.trim())
        return invalid(`messages.${index}.content.${at}: text content blocks must contain non-whitespace text`);
      if (block.type === 'tool_use' && (typeof block.input !== 'object' || block.input === null))
        return invalid(`messages.${index}.content.${at}.tool_use.input: Input should be a valid dictionary`);
      if (block.type === 'thinking' && state.signatures.get(block.signature) !== block.thinking)
        return invalid(`messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block`);
    }
    open = content.filter((block) => block.type === 'tool_use').map((block) => block.id);
  }
  if (open.length)
    return invalid(
      `messages.${messages.length - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}.`,
    );
  return undefined;
}

/** The mark that goes with a turn's reasoning; the server remembers it and takes no other back. */
function sign(answer: Answer): string {
  const { turn, state } = answer;
  const signature =
    turn.signature ??
    createHash('sha256')
      .update(turn.reasoning ?? '')
      .digest('base64');
  state.signatures.set(signature, turn.reasoning ?? '');
  return signature;
}

const usageOf = ({ usage }: Answer): Json => ({
  input_tokens: usage?.input ?? 0,
  cache_creation_input_tokens: usage?.cacheWrite ?? 0,
  cache_read_input_tokens: usage?.cacheRead ?? 0,
  output_tokens: usage?.output ?? 0,
});
const stopReason = (turn: ScriptedTurn): string =>
  turn.finish ? 'max_tokens' : turn.calls?.length ? 'tool_use' : 'end_turn';
const callId = (answer: Answer, index: number): string =>
  answer.turn.calls?.[index]?.id ?? `toolu_${answer.id}_${index}`;
const thinks = (answer: Answer): boolean =>
  !!answer.turn.reasoning && ['enabled', 'adaptive'].includes(answer.body.thinking?.type);

const listed = (model: ScriptedModel): Json => ({
  type: 'model',
  id: model.name,
  display_name: model.name,
  created_at: madeAt,
  max_input_tokens: model.contextTokens ?? null,
  max_tokens: model.outputTokens ?? null,
});

const event = (kind: Frame['kind'], type: string, value: Json): Frame => ({
  kind,
  text: `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`,
});

export const anthropic: Wire = {
  name: 'anthropic',
  contentType: 'text/event-stream',
  isChat: (method, path) => method === 'POST' && path === '/v1/messages',
  streams: (body) => body.stream === true,
  results: (body) => (body.messages ?? []).flatMap(blocks).filter((block: Json) => block.type === 'tool_result').length,

  refuse(exchange) {
    const refused = refuseKey(exchange);
    if (refused) return refused;
    const { body } = exchange;
    if (!findModel(exchange, body.model)) return { status: 404, body: error(404, `model: ${body.model}`) };
    if (!Number.isInteger(body.max_tokens)) return invalid('max_tokens: Field required');
    return refuseMessages(exchange);
  },

  error: (status, message) => error(status, message),
  errorFrame: (message) => event('frame', 'error', { error: { type: 'overloaded_error', message } }).text,

  *frames(answer): Generator<Frame> {
    const { body, turn, id } = answer;
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
    };
    yield event('frame', 'message_start', { message: { ...message, usage: { ...usageOf(answer), output_tokens: 1 } } });
    yield event('frame', 'ping', {});
    let index = 0;
    const start = (content_block: Json): Frame => event('frame', 'content_block_start', { index, content_block });
    const piece = (delta: Json): Frame => event('piece', 'content_block_delta', { index, delta });
    const stop = (): Frame => event('frame', 'content_block_stop', { index: index++ });
    if (thinks(answer)) {
      yield start({ type: 'thinking', thinking: '', signature: '' });
      for (const thinking of reasoningPieces(turn)) yield piece({ type: 'thinking_delta', thinking });
      yield event('frame', 'content_block_delta', {
        index,
        delta: { type: 'signature_delta', signature: sign(answer) },
      });
      yield stop();
    }
    const texts = textPieces(turn);
    if (texts.length) {
      yield start({ type: 'text', text: '' });
      for (const text of texts) yield piece({ type: 'text_delta', text });
      yield stop();
    }
    for (const [at, call] of (turn.calls ?? []).entries()) {
      yield start({ type: 'tool_use', id: callId(answer, at), name: call.name, input: {} });
      for (const partial_json of argumentPieces(turn, call)) yield piece({ type: 'input_json_delta', partial_json });
      yield stop();
    }
    yield event('end', 'message_delta', {
      delta: { stop_reason: stopReason(turn), stop_sequence: null },
      usage: { output_tokens: answer.usage?.output ?? 0 },
    });
    yield event('end', 'message_stop', {});
  },

  whole(answer) {
    const { body, turn, id } = answer;
    const content: Json[] = [];
    if (thinks(answer)) content.push({ type: 'thinking', thinking: turn.reasoning, signature: sign(answer) });
    if (fullText(turn)) content.push({ type: 'text', text: fullText(turn) });
    for (const [at, call] of (turn.calls ?? []).entries())
      content.push({
        type: 'tool_use',
        id: callId(answer, at),
        name: call.name,
        input: JSON.parse(argumentText(call)),
      });
    const head = { id: `msg_${id}`, type: 'message', role: 'assistant', model: body.model, content };
    return { ...head, stop_reason: stopReason(turn), stop_sequence: null, usage: usageOf(answer) };
  },

  other(exchange) {
    const { path, headers, body } = exchange;
    if (path === '/v1/messages/count_tokens')
      return refuseKey(exchange) ?? { status: 200, body: { input_tokens: Math.ceil(JSON.stringify(body).length / 4) } };
    if (!headers['anthropic-version'] || !path.startsWith('/v1/models')) return undefined;
    const refused = refuseKey(exchange);
    if (refused) return refused;
    if (path === '/v1/models') {
      const data = exchange.models.map(listed);
      return {
        status: 200,
        body: { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null },
      };
    }
    const name = decodeURIComponent(path.slice('/v1/models/'.length));
    const model = findModel(exchange, name);
    return model ? { status: 200, body: listed(model) } : { status: 404, body: error(404, `model: ${name}`) };
  },
};
