/** How Ollama makes a prompt fit that is longer than its window (server/prompt.go and the runner behind it). */
import type { Json } from './wire.ts';

/** Window of a request that names none; on its OpenAI-compatible route nobody can name one. */
const DEFAULT_NUM_CTX = 4096;

/**
 * Tokens that are left of `tokens`: the oldest messages go first, system messages and the newest one stay, and what is
 * then still too long is cut off at exactly the window. A template that finds no user's message fails. `own`: the window
 * of a server that listens to nobody.
 */
export function cutToWindow(
  body: Json,
  tokens: number,
  own?: number,
): { tokens: number } | { status: number; refusal: string } {
  const window = own ?? Number(body.options?.num_ctx ?? DEFAULT_NUM_CTX);
  if (tokens <= window) return { tokens };
  if (own === undefined && body.truncate === false)
    return { status: 400, refusal: 'the input length exceeds the context length' };
  const size = (message: Json) => Math.ceil(Buffer.byteLength(JSON.stringify(message)) / 4);
  const messages: Json[] = [...(body.messages ?? [])];
  let left = tokens;
  for (const message of messages.slice(0, -1)) {
    if (left <= window) break;
    if (message.role === 'system') continue;
    messages.splice(messages.indexOf(message), 1);
    left -= size(message);
  }
  if (!messages.some(({ role }) => role === 'user')) return { status: 500, refusal: 'no user query found in messages' };
  return { tokens: Math.min(left, window) };
}
