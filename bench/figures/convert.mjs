/**
 * What it costs to make the body of a request from a conversation that was never mapped before: 200 messages, 140 kB,
 * with tools. The later requests of a conversation cost only what is new. Beside `JSON.stringify` of the body.
 */
import { answerOf, moduleAt } from '../bundle.mjs';

const program = `
import { toAnthropic } from ${moduleAt('providers/backends/anthropic/request.ts')};
import { toOllama } from ${moduleAt('providers/backends/ollama/request.ts')};
import { toOpenAIChat } from ${moduleAt('providers/backends/openai-chat/request.ts')};

const facts = {
  streaming: true, multiModal: true, tools: true, reasoning: true, systemMessageStrategy: 'in-messages',
  supportsMultipleSystemMessages: true, contextTokens: 200_000, outputTokens: 8_192,
};
const formats = {
  'openai-chat': (request) => toOpenAIChat(request, 'm', facts, {}),
  anthropic: (request) => toAnthropic(request, { model: 'm', facts, thinking: 'budget' }),
  ollama: (request) => toOllama(request, { model: 'm', facts, refusesLongPrompts: true }),
};

const code = (seed, length) => {
  let text = '';
  for (let line = 0; text.length < length; line += 1)
    text += '  const value' + seed + ' = compute("näme ' + line + '", { depth: ' + line + ' });\\n';
  return text.slice(0, length);
};
const messages = [
  { role: 'system', content: code('system', 3_000) },
  { role: 'user', content: [{ type: 'text', text: 'Make the failing test pass.' }] },
];
for (let turn = 0; turn < 99; turn += 1) {
  const id = 'call_' + turn.toString(36).padStart(8, '0');
  messages.push(
    { role: 'assistant', content: [
      { type: 'reasoning', text: code('thought', 120), model: 'm' },
      { type: 'text', text: 'Looking at the next file.' },
      { type: 'tool_use', id, name: 'read_file', input: { path: 'src/part-' + turn + '.ts', offset: turn, limit: 40 }, raw: '{}' },
    ] },
    { role: 'tool', content: [
      { type: 'tool_result', toolUseId: id, name: 'read_file', content: [{ type: 'text', text: code(turn, 1_080) }] },
    ] },
  );
}
const tools = Array.from({ length: 12 }, (_, index) => ({
  name: 'tool_' + index,
  description: code('tool', 300),
  parameters: {
    type: 'object',
    properties: { path: { type: 'string', description: 'where' }, count: { type: 'integer' } },
    required: ['path'],
  },
}));
const text = JSON.stringify({ messages, tools, parameters: { model: 'm', maxTokens: 1_000 }, metadata: { requestId: 'r', timestamp: 0 } });

/** CPU of this process, ms: a busy machine does not count. */
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const out = { messages: messages.length };
for (const [format, convert] of Object.entries(formats)) {
  const times = { convert: [], stringify: [] };
  for (let round = 0; round < 400; round += 1) {
    // Fresh objects: what was mapped before is kept.
    const request = JSON.parse(text);
    const began = cpu();
    const { body } = convert(request);
    const converted = cpu();
    if (JSON.stringify(body).length < 140_000) throw new Error(format + ': the conversation is shorter than it should be');
    const ended = cpu();
    if (round < 100) continue;
    times.convert.push(converted - began);
    times.stringify.push(ended - converted);
  }
  out[format] = { convert: median(times.convert), stringify: median(times.stringify) };
}
console.log(JSON.stringify(out));
`;

export async function convert({ node }) {
  const { messages, ...formats } = await answerOf(node, 'convert', program);
  return Object.entries(formats).map(([format, { convert: value, stringify }]) => ({
    figure: `${messages} messages to ${format}`,
    value,
    ruler: stringify,
    rulerName: 'JSON.stringify of the body',
    unit: 'ms',
    limit: Math.min(stringify * 3, 0.8),
    rule: '3 × ruler, 0.8 ms',
  }));
}
