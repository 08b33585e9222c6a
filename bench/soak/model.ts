/**
 * A model for a conversation without end, in the wire format of Ollama: every prompt is answered by a call that reads a
 * file and then by a sentence; asked for a summary, it writes one that forgets the goal. It counts tokens as a
 * tokenizer does, about four characters each.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const MODEL = 'patient:latest';
export const FILES = 50;

export interface SoakModel {
  url: string;
  /** Requests whose messages did not hold `goal`. */
  readonly forgot: number;
  readonly requests: number;
  /** Tokens of the largest request. */
  readonly largest: number;
  close(): void;
}

const details = {
  format: 'gguf',
  family: 'qwen3',
  families: ['qwen3'],
  parameter_size: '8B',
  quantization_level: 'Q4_K_M',
};
const entry = {
  name: MODEL,
  model: MODEL,
  size: 5e9,
  digest: 'f'.repeat(64),
  modified_at: '2026-01-01T00:00:00Z',
  details,
};
const SUMMARY =
  '## Goal\nAs the person said.\n## Decisions\nNone yet.\n## Done\nFiles were read, one after another.\n## Next step\nRead the next file.';

export async function startSoakModel(window: number, goal: string): Promise<SoakModel> {
  let [requests, forgot, largest] = [0, 0, 0];
  const routes: Record<string, unknown> = {
    '/api/version': { version: '0.20.0' },
    '/api/tags': { models: [entry] },
    '/api/ps': { models: [{ ...entry, size_vram: 5e9, context_length: window, expires_at: '2030-01-01T00:00:00Z' }] },
    '/api/show': {
      details,
      model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': window },
      capabilities: ['completion', 'tools'],
      template: '{{ .Tools }}',
      parameters: '',
    },
  };
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    if (request.url !== '/api/chat') {
      const route = routes[request.url ?? ''];
      response.writeHead(route ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(route ?? { error: 'not found' }));
      return;
    }
    const { messages, tools } = JSON.parse(text);
    requests++;
    const said: string[] = messages.map(({ content }: { content: string }) => content);
    if (!said.some((content) => content.includes(goal))) forgot++;
    const tokens = Math.ceil(
      (said.reduce((sum, { length }) => sum + length, 0) + JSON.stringify(tools ?? []).length) / 4,
    );
    largest = Math.max(largest, tokens);
    const last = messages.at(-1);
    let message: object = { role: 'assistant', content: `That was file ${requests % FILES}; what is next?` };
    if (last.content.includes('Answer with the summary alone')) message = { role: 'assistant', content: SUMMARY };
    else if (last.role === 'user')
      message = {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'read_file', arguments: { path: `f${requests % FILES}.txt` } } }],
      };
    const line = (more: object) => `${JSON.stringify({ model: MODEL, created_at: '2026-01-01T00:00:00Z', ...more })}\n`;
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(line({ message, done: false }));
    response.end(
      line({
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'stop',
        prompt_eval_count: tokens,
        eval_count: 12,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get forgot() {
      return forgot;
    },
    get requests() {
      return requests;
    },
    get largest() {
      return largest;
    },
    close: () => void server.close(),
  };
}
