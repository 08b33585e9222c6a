/**
 * Reading streams: one text event, from the bytes to its place in the message, beside parsing its JSON; and the
 * arguments of one call, 80 kB in 8,000 pieces, from the bytes to the parsed object.
 */
import { answerOf, moduleAt } from '../bundle.mjs';

const program = `
import { AnthropicDecoder } from ${moduleAt('providers/backends/anthropic/stream.ts')};
import { OllamaDecoder } from ${moduleAt('providers/backends/ollama/stream.ts')};
import { OpenAIChatDecoder } from ${moduleAt('providers/backends/openai-chat/stream.ts')};
import { readNdjson } from ${moduleAt('providers/wire/ndjson.ts')};
import { readSse } from ${moduleAt('providers/wire/sse.ts')};
import { createMessageFold } from ${moduleAt('providers/wire/message-fold.ts')};

const source = { backend: 'b', model: 'm' };
const openai = (delta) => ({
  id: 'chatcmpl-1234567890', object: 'chat.completion.chunk', created: 1735000000, model: 'gpt-5.2-2026-01-01',
  system_fingerprint: 'fp_44709d6fcb', choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
});
const formats = {
  'openai-chat': {
    read: readSse, decoder: () => new OpenAIChatDecoder(source), lead: [],
    text: (delta) => openai({ content: delta }),
    call: openai({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'write_file', arguments: '' } }] }),
    argument: (delta) => openai({ tool_calls: [{ index: 0, function: { arguments: delta } }] }),
    end: [{ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }],
  },
  anthropic: {
    read: readSse, decoder: () => new AnthropicDecoder(source),
    lead: [
      { type: 'message_start', message: { id: 'msg_1', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ],
    text: (delta) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: delta } }),
    call: { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: 'write_file', input: {} } },
    argument: (delta) => ({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: delta } }),
    end: [
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ],
  },
  ollama: {
    read: readNdjson, decoder: () => new OllamaDecoder(source), lead: [],
    text: (delta) => ({ model: 'qwen3:8b', created_at: '2026-01-01T10:00:00.123456789Z', message: { role: 'assistant', content: delta }, done: false }),
    end: [{ model: 'qwen3:8b', created_at: 'x', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' }],
  },
};

const frame = (format, value) => {
  const json = JSON.stringify(value);
  if (format.read === readNdjson) return json + '\\n';
  return (value.type ? 'event: ' + value.type + '\\n' : '') + 'data: ' + json + '\\n\\n';
};
/** Socket reads of 16 events each: what a read itself costs is the socket's. */
function readsOf(frames) {
  const out = [];
  for (let at = 0; at < frames.length; at += 16) out.push(Buffer.concat(frames.slice(at, at + 16)));
  return out;
}
async function* reads(list) { yield* list; }

/** Bytes to chunks to a message, as a backend reads them. */
async function decode(format, frames) {
  const decoder = format.decoder();
  const fold = createMessageFold();
  let sequence = 0;
  let out = [];
  for await (const batch of format.read(reads(frames))) {
    for (const payload of batch) decoder.push(payload, out);
    for (const piece of out) { piece.sequence = sequence++; fold.add(piece); }
    out = [];
  }
  decoder.finish(out);
  for (const piece of out) fold.add(piece);
  return fold.parts();
}

/** CPU of this process, ms: a busy machine does not count. */
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const bytesOf = (format, values) => readsOf(values.map((value) => Buffer.from(frame(format, value))));
const out = { text: {}, argument: {} };
const EVENTS = 5_000;
for (const [name, format] of Object.entries(formats)) {
  const events = Array.from({ length: EVENTS }, (_, index) => format.text('word' + (index % 100) + ' '));
  const frames = bytesOf(format, [...format.lead, ...events, ...format.end]);
  const texts = events.map((event) => JSON.stringify(event));
  const times = { decode: [], parse: [] };
  for (let round = 0; round < 40; round += 1) {
    const began = cpu();
    const parts = await decode(format, frames);
    const decoded = cpu();
    let sum = 0;
    for (const text of texts) sum += Object.keys(JSON.parse(text)).length;
    const ended = cpu();
    if (parts[0]?.type !== 'text' || !parts[0].text.endsWith('word99 ') || sum === 0) throw new Error(name + ': text lost');
    if (round < 10) continue;
    times.decode.push(((decoded - began) / EVENTS) * 1000);
    times.parse.push(((ended - decoded) / EVENTS) * 1000);
  }
  out.text[name] = { decode: median(times.decode), parse: median(times.parse) };

  if (!format.call) continue;
  const argument = JSON.stringify({ path: 'a.txt', content: 'x'.repeat(80_000 - 30) });
  const pieces = Array.from({ length: 8_000 }, (_, index) => argument.slice(index * 10, index * 10 + 10));
  const called = bytesOf(format, [...format.lead, format.call, ...pieces.map(format.argument), ...format.end]);
  const whole = [];
  const parsed = [];
  const deltas = pieces.map((piece) => JSON.stringify(format.argument(piece)));
  for (let round = 0; round < 9; round += 1) {
    const began = cpu();
    const parts = await decode(format, called);
    const decoded = cpu();
    for (const text of deltas) JSON.parse(text);
    parsed.push(cpu() - decoded);
    whole.push(decoded - began);
    if (parts.at(-1)?.input.content?.length !== 80_000 - 30) throw new Error(name + ': arguments lost');
  }
  out.argument[name] = { decode: median(whole), parse: median(parsed) };
}
console.log(JSON.stringify(out));
`;

export async function decode({ node }) {
  const { text, argument } = await answerOf(node, 'decode', program);
  return [
    ...Object.entries(text).map(([format, { decode: value, parse }]) => ({
      figure: `one text event, ${format}`,
      value,
      ruler: parse,
      rulerName: 'JSON.parse of it',
      unit: 'µs',
      limit: parse * 2,
      rule: '2 × ruler',
    })),
    ...Object.entries(argument).map(([format, { decode: value, parse }]) => ({
      figure: `80 kB call, ${format}`,
      value,
      ruler: parse,
      rulerName: 'JSON.parse of them',
      unit: 'ms',
      limit: 60,
      rule: '60 ms',
    })),
  ];
}
