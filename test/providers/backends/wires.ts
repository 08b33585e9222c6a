/** The three wire formats behind one interface, for tests that must hold for each of them. */
import type { BackendAdapter } from '../../../providers/adapter.ts';
import { AnthropicBackendAdapter } from '../../../providers/backends/anthropic.ts';
import { OllamaBackendAdapter } from '../../../providers/backends/ollama.ts';
import { OpenAIChatBackendAdapter } from '../../../providers/backends/openai-chat.ts';
import type { IRChatRequest, IRChatStream, IRMessage, IRStreamChunk } from '../../../providers/ir.ts';
import type { Transport } from '../../../providers/transport.ts';

export interface WireCase {
  name: string;
  open(url: string, transport?: Transport): BackendAdapter;
}

const all = { tools: true, reasoning: true, multiModal: true };

export const wires: readonly WireCase[] = [
  {
    name: 'ollama',
    open: (url, transport) => new OllamaBackendAdapter({ baseUrl: url, transport, capabilities: all }),
  },
  {
    name: 'openai-chat',
    open: (url, transport) => new OpenAIChatBackendAdapter({ baseUrl: `${url}/v1`, apiKey: 'test-key', transport }),
  },
  {
    name: 'anthropic',
    open: (url, transport) => new AnthropicBackendAdapter({ baseUrl: url, apiKey: 'test-key', transport }),
  },
];

export const user = (content: IRMessage['content']): IRMessage => ({ role: 'user', content });

export function request(messages: readonly IRMessage[] | string, more: Partial<IRChatRequest> = {}): IRChatRequest {
  return {
    messages: typeof messages === 'string' ? [user(messages)] : messages,
    metadata: { requestId: 'r1', timestamp: 0 },
    ...more,
    parameters: { model: 'test-model:latest', ...more.parameters },
  };
}

export async function drain(stream: IRChatStream): Promise<IRStreamChunk[]> {
  const chunks: IRStreamChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

export const textOfChunks = (chunks: readonly IRStreamChunk[], type: 'content' | 'reasoning' = 'content'): string =>
  chunks.flatMap((chunk) => (chunk.type === type ? [chunk.delta] : [])).join('');

export const lastOf = <T extends IRStreamChunk['type']>(chunks: readonly IRStreamChunk[], type: T) =>
  chunks.findLast((chunk): chunk is Extract<IRStreamChunk, { type: T }> => chunk.type === type);

/** What holds for every stream: numbers without gaps, `start` first, one terminal chunk, and that last. */
export function wellFormed(chunks: readonly IRStreamChunk[]): string[] {
  const faults: string[] = [];
  chunks.forEach((chunk, index) => {
    if (chunk.sequence !== index) faults.push(`sequence ${chunk.sequence} at ${index}`);
  });
  if (chunks[0]?.type !== 'start') faults.push('no start');
  const terminal = chunks.filter((chunk) => chunk.type === 'done' || chunk.type === 'error');
  if (terminal.length !== 1 || terminal[0] !== chunks.at(-1)) faults.push(`${terminal.length} terminal chunks`);
  const open = new Set<string>();
  for (const chunk of chunks) {
    if (chunk.type === 'tool_use_start') open.add(chunk.id);
    if (chunk.type === 'tool_use_end' && !open.delete(chunk.id)) faults.push(`end of an unknown call ${chunk.id}`);
  }
  if (chunks.at(-1)?.type === 'done' && open.size) faults.push('open calls');
  return faults;
}
