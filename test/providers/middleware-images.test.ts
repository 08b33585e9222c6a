import { expect, it } from 'vitest';
import type { IRChatRequest, IRStreamChunk, MessageContent } from '../../providers/ir.ts';
import { composeMiddleware } from '../../providers/middleware/compose-middleware.ts';
import { createImagesAsTextMiddleware } from '../../providers/middleware/images-as-text.ts';

const metadata = { requestId: 'r', timestamp: 0 };
const image: MessageContent = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'AA==' } };
const request: IRChatRequest = {
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'look' }, image] },
    { role: 'tool', content: [{ type: 'tool_result', toolUseId: 'c', content: [image] }] },
    { role: 'user', content: 'and?' },
  ],
  metadata,
};

async function ask(sees: boolean, asked: IRChatRequest = request) {
  const sent: IRChatRequest[] = [];
  async function* answer(): AsyncGenerator<IRStreamChunk> {
    yield { sequence: 0, type: 'start', metadata };
    yield { sequence: 1, type: 'done', finishReason: 'stop', metadata };
  }
  const send = composeMiddleware([createImagesAsTextMiddleware({ sees: () => sees })], (context) => {
    sent.push(context.request);
    return answer();
  });
  const chunks: IRStreamChunk[] = [];
  for await (const chunk of send({ request: asked, isStreaming: true, state: {}, config: {} })) chunks.push(chunk);
  return { sent: sent[0]!, chunks };
}

it('puts text in the place of images, also in tool results, and warns once', async () => {
  const { sent, chunks } = await ask(false);
  expect(JSON.stringify(sent.messages)).not.toContain('AA==');
  expect(JSON.stringify(sent.messages).match(/cannot see it/g)).toHaveLength(2);
  expect(chunks.map(({ sequence, type }) => [sequence, type])).toEqual([
    [0, 'start'],
    [1, 'warning'],
    [2, 'done'],
  ]);
});

it('changes nothing for a model with eyes, or where there is no image', async () => {
  expect((await ask(true)).sent).toBe(request);
  const plain = { ...request, messages: request.messages.slice(2) };
  const { sent, chunks } = await ask(false, plain);
  expect(sent).toBe(plain);
  expect(chunks).toHaveLength(2);
});
