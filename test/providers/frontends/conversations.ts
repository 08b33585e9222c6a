/** Generated conversations, written as callers of each format write them, and read back in one plain form. */
import fc from 'fast-check';
import { type IRMessage, type MessageContent, partsOf } from '../../../providers/ir.ts';
import { asUrl } from '../../../providers/wire/media.ts';

export const MODEL = 'claude-sonnet-4-5';
const PNGS = ['iVBORw0KGgo=', 'iVBORw0KGgoAAAA='];

export type Said = { text: string } | { png: string } | { url: string };
export interface Thought {
  text: string;
  signature?: string;
  redacted?: boolean;
}
export interface Called {
  name: string;
  input: Record<string, unknown>;
  result: readonly ({ text: string } | { png: string })[];
  isError: boolean;
}
export interface Answer {
  thoughts: readonly Thought[];
  text: string | undefined;
  calls: readonly Called[];
}
export interface Conversation {
  system: string | undefined;
  /** Each begins with what a user says. */
  rounds: readonly { said: readonly Said[]; answers: readonly Answer[] }[];
}

const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 16 })
  .filter((text) => text.trim() === text && text !== '');
const text = fc.record({ text: words });
const png = fc.record({ png: fc.constantFrom(...PNGS) });
const url = fc.record({ url: fc.webUrl() });
const input = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
const call: fc.Arbitrary<Called> = fc.record({
  name: fc.constantFrom('read_file', 'bash'),
  input,
  result: fc.array(fc.oneof(text, png), { minLength: 1, maxLength: 2 }),
  isError: fc.boolean(),
});
const thought: fc.Arbitrary<Thought> = fc.oneof(
  fc.record({ text: words }),
  fc.record({ text: words, signature: fc.base64String({ minLength: 4, maxLength: 12 }) }),
  fc.base64String({ minLength: 4, maxLength: 12 }).map((signature) => ({ text: '', signature, redacted: true })),
);
const answer: fc.Arbitrary<Answer> = fc
  .record({
    thoughts: fc.array(thought, { maxLength: 2 }),
    text: fc.option(words, { nil: undefined }),
    calls: fc.array(call, { maxLength: 3 }),
  })
  .filter(({ text: said, calls }) => said !== undefined || calls.length > 0);

export const conversation: fc.Arbitrary<Conversation> = fc.record({
  system: fc.option(words, { nil: undefined }),
  rounds: fc.array(
    fc.record({
      said: fc.array(fc.oneof(text, png, url), { minLength: 1, maxLength: 3 }),
      answers: fc.array(answer, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

const dataUrl = (data: string) => `data:image/png;base64,${data}`;

/** As a caller of Anthropic Messages writes it. */
export function asAnthropic({ system, rounds }: Conversation): Record<string, any> {
  const block = (said: Said) => {
    if ('text' in said) return { type: 'text', text: said.text };
    const source =
      'png' in said ? { type: 'base64', media_type: 'image/png', data: said.png } : { type: 'url', url: said.url };
    return { type: 'image', source };
  };
  const messages: object[] = [];
  let id = 0;
  for (const { said, answers } of rounds) {
    messages.push({ role: 'user', content: said.map(block) });
    for (const { thoughts, text: words_, calls } of answers) {
      const first = id;
      messages.push({
        role: 'assistant',
        content: [
          ...thoughts.map((part) =>
            part.redacted
              ? { type: 'redacted_thinking', data: part.signature }
              : { type: 'thinking', thinking: part.text, signature: part.signature ?? '' },
          ),
          ...(words_ === undefined ? [] : [{ type: 'text', text: words_ }]),
          ...calls.map(({ name, input: given }) => ({ type: 'tool_use', id: `toolu_${id++}`, name, input: given })),
        ],
      });
      if (calls.length)
        messages.push({
          role: 'user',
          content: calls.map(({ result, isError }, i) => ({
            type: 'tool_result',
            tool_use_id: `toolu_${first + i}`,
            content: result.map(block),
            ...(isError && { is_error: true }),
          })),
        });
    }
  }
  return { model: MODEL, max_tokens: 1000, ...(system !== undefined && { system }), messages };
}

/** As a caller of chat completions writes it: results hold text only, failures cannot be marked. */
export function asOpenAI({ system, rounds }: Conversation): Record<string, any> {
  const part = (said: Said) =>
    'text' in said
      ? { type: 'text', text: said.text }
      : { type: 'image_url', image_url: { url: 'png' in said ? dataUrl(said.png) : said.url } };
  const messages: object[] = system === undefined ? [] : [{ role: 'system', content: system }];
  let id = 0;
  for (const { said, answers } of rounds) {
    messages.push({ role: 'user', content: said.map(part) });
    for (const { thoughts, text: words_, calls } of answers) {
      const first = id;
      messages.push({
        role: 'assistant',
        content: words_ ?? null,
        ...(thoughts.length && {
          reasoning_details: thoughts.map((item) =>
            item.redacted
              ? { type: 'reasoning.encrypted', data: item.signature }
              : { type: 'reasoning.text', text: item.text, signature: item.signature ?? null },
          ),
        }),
        ...(calls.length && {
          tool_calls: calls.map(({ name, input: given }) => ({
            id: `call_${id++}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(given) },
          })),
        }),
      });
      calls.forEach(({ result }, i) => {
        const content = result.map((item) => ('text' in item ? item.text : 'an image')).join('\n');
        messages.push({ role: 'tool', tool_call_id: `call_${first + i}`, content });
      });
    }
  }
  return { model: MODEL, max_tokens: 1000, messages };
}

/** The messages of an Ollama body, as far as bodies of ours go. */
export function readOllama(body: Record<string, any>): IRMessage[] {
  return body.messages.map((message: Record<string, any>): IRMessage => {
    const { role, content, images = [], thinking, tool_calls: calls = [], tool_call_id: id } = message;
    const said: MessageContent[] = content === '' ? [] : [{ type: 'text', text: content }];
    if (role === 'tool')
      return {
        role,
        content: [{ type: 'tool_result', toolUseId: id, content: said as { type: 'text'; text: string }[] }],
      };
    return {
      role,
      content: [
        ...(thinking ? [{ type: 'reasoning' as const, text: thinking }] : []),
        ...said,
        ...images.map((data: string) => ({ type: 'image', source: { type: 'base64', mediaType: 'image/png', data } })),
        ...calls.map((made: any) => ({
          type: 'tool_use',
          id: made.id,
          name: made.function.name,
          input: made.function.arguments,
        })),
      ],
    };
  });
}

export type Plain = readonly [role: string, kind: string, ...rest: unknown[]];

/**
 * A conversation without what formats may choose freely: ids are numbers, a user's or result's texts that stand side
 * by side are lines of one text, and where one message ends and the next of the same role begins does not matter.
 */
export function plain(messages: readonly IRMessage[]): Plain[] {
  const ids = new Map<string, number>();
  const out: Plain[] = [];
  const push = (role: string, kind: string, ...rest: unknown[]) => {
    const last = out.at(-1);
    if (kind === 'text' && role !== 'assistant' && last?.[0] === role && last[1] === 'text')
      out[out.length - 1] = [role, 'text', `${last[2]}\n${rest[0]}`];
    else out.push([role, kind, ...rest]);
  };
  for (const { role, content } of messages)
    for (const part of partsOf(content)) {
      if (part.type === 'text') push(role, 'text', part.text);
      else if (part.type === 'image' || part.type === 'document') push(role, part.type, asUrl(part.source));
      else if (part.type === 'reasoning')
        push(role, 'thought', part.text, part.signature ?? null, part.redacted ?? false);
      else if (part.type === 'tool_use') {
        ids.set(part.id, ids.size);
        push(role, 'call', ids.get(part.id), part.name, part.input);
      } else {
        const texts = part.content.flatMap((item) => (item.type === 'text' ? [item.text] : []));
        const images = part.content.flatMap((item) => (item.type === 'image' ? [asUrl(item.source)] : []));
        push('tool', 'result', ids.get(part.toolUseId), texts.join('\n'), images, part.isError ?? false);
      }
    }
  return out;
}
