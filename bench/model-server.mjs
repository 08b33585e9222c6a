/**
 * A scripted model server for measuring, in the wire format of Ollama. The name of the model says what it does, so
 * that it keeps no state: `hi` answers in two words, `bash-N` and `read-N` call that tool N times, `stream-N` answers
 * in N chunks, `paced-N` as well, 200 of them a second. `GET /bench/first` gives, by model, the size of its first chat request.
 * `node bench/model-server.mjs` prints its address in one line and serves until its standard input ends.
 */
import { createServer } from 'node:http';

/** Six characters, in paragraphs of twenty. */
const word = (index) => {
  const number = String((index * 31) % 997).padStart(3, '0');
  return index % 20 === 19 ? `w${number}\n\n` : `wo${number} `;
};

const MODELS = ['hi', 'bash-20', 'bash-100', 'read-20', 'read-100', 'stream-20000', 'paced-4000'];
const WINDOW = 32_768;
const first = {};

const details = {
  format: 'gguf',
  family: 'qwen3',
  families: ['qwen3'],
  parameter_size: '8B',
  quantization_level: 'Q4_K_M',
};
const entry = (name) => ({
  name: `${name}:latest`,
  model: `${name}:latest`,
  size: 5e9,
  digest: 'f'.repeat(64),
  modified_at: '2026-01-01T00:00:00Z',
  details,
});

/** Answers of GET and POST routes other than the chat. */
const routes = {
  '/': () => 'Ollama is running',
  '/api/version': () => ({ version: '0.20.0' }),
  '/api/tags': () => ({ models: MODELS.map(entry) }),
  '/api/ps': () => ({
    models: MODELS.map((name) => ({
      ...entry(name),
      size_vram: 5e9,
      context_length: WINDOW,
      expires_at: '2030-01-01T00:00:00Z',
    })),
  }),
  '/api/show': () => ({
    details,
    model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': WINDOW },
    capabilities: ['completion', 'tools'],
    template: '{{ .Tools }}',
    parameters: '',
  }),
  '/bench/first': () => first,
};

/** The lines of one answer: content or tool calls, then the end with counts. */
function* answer({ model, messages }) {
  const [, kind, number] = /^(\w+?)(?:-(\d+))?(?::latest)?$/.exec(model) ?? [];
  // As a tokenizer counts: a figure that never grew would look like a prompt that is cut.
  const counted = Math.ceil(JSON.stringify(messages).length / 4) + 700;
  const line = (message, done = false) =>
    `${JSON.stringify({ model, created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content: '', ...message }, done, ...(done && { done_reason: 'stop', prompt_eval_count: counted, eval_count: 10 }) })}\n`;
  const calls = messages.filter((message) => message.role === 'tool').length;
  if (kind === 'stream' || kind === 'paced')
    for (let index = 0; index < Number(number); index += 1)
      // No two paragraphs are the same: ada cuts off a model that repeats itself.
      yield line({ content: word(index) });
  // Arguments differ from call to call, as those of a real model do.
  else if (kind === 'bash' && calls < Number(number))
    yield line({ tool_calls: [{ function: { name: 'bash', arguments: { command: `true ${calls}` } } }] });
  else if (kind === 'read' && calls < Number(number))
    yield line({ tool_calls: [{ function: { name: 'read_file', arguments: { path: `f${calls}.txt` } } }] });
  else yield line({ content: 'Hi there.' });
  yield line({}, true);
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const path = request.url.split('?')[0];
  if (path === '/api/chat') {
    const text = Buffer.concat(chunks).toString('utf8');
    const body = JSON.parse(text);
    first[body.model] ??= { bytes: Buffer.byteLength(text), tools: body.tools?.length ?? 0 };
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    let pending = '';
    const paced = /^paced-/.test(body.model);
    for (const line of answer(body)) {
      pending += line;
      if (paced) {
        if (response.destroyed) return;
        response.write(pending);
        pending = '';
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      // Several lines a packet, as a fast server's arrive.
      if (pending.length > 4096) {
        if (!response.write(pending)) await new Promise((resolve) => response.once('drain', resolve));
        pending = '';
      }
    }
    response.end(pending);
    return;
  }
  const value = routes[path]?.();
  response.writeHead(value === undefined ? 404 : 200, {
    'content-type': typeof value === 'string' ? 'text/plain' : 'application/json',
  });
  response.end(typeof value === 'string' ? value : JSON.stringify(value ?? { error: 'not found' }));
});

server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
process.stdin.resume().on('end', () => process.exit(0));
