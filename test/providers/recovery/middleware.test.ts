import { describe, expect, test } from 'vitest';
import { StreamError } from '../../../providers/errors.ts';
import type { FinishReason, IRChatRequest, IRStreamChunk } from '../../../providers/ir.ts';
import { composeMiddleware } from '../../../providers/middleware/compose-middleware.ts';
import { createToolRecoveryMiddleware, type ToolRecoveryOptions } from '../../../providers/middleware/tool-recovery.ts';

const metadata = { requestId: 'r', timestamp: 0 };
const request: IRChatRequest = {
  messages: [{ role: 'user', content: 'go' }],
  tools: [
    {
      name: 'bash',
      parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    },
  ],
  parameters: { model: 'some-model' },
  metadata,
};
const LEAK = '<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>';

type Body = IRStreamChunk extends infer One ? (One extends unknown ? Omit<One, 'sequence'> : never) : never;
const text = (...deltas: string[]): Body[] => deltas.map((delta) => ({ type: 'content', delta }));
const done = (finishReason: FinishReason = 'stop'): Body => ({ type: 'done', finishReason, metadata });
const native = (id: string, name: string, input: Record<string, unknown>): Body[] => [
  { type: 'tool_use_start', id, name },
  { type: 'tool_use_end', id, input },
];

function opened(options?: ToolRecoveryOptions) {
  let answer: Body[] = [];
  async function* play(): AsyncGenerator<IRStreamChunk> {
    const chunks: Body[] = [{ type: 'start', metadata }, ...answer];
    for (const [sequence, chunk] of chunks.entries()) yield { ...chunk, sequence } as IRStreamChunk;
  }
  const send = composeMiddleware([createToolRecoveryMiddleware(options)], play);
  return async (body: Body[], asked = request) => {
    answer = body;
    const chunks: IRStreamChunk[] = [];
    for await (const chunk of send({ request: asked, isStreaming: true, state: {}, config: {} })) chunks.push(chunk);
    expect(chunks.map(({ sequence }) => sequence)).toEqual(chunks.map((_, i) => i));
    const of = <T extends IRStreamChunk['type']>(type: T) =>
      chunks.filter((chunk): chunk is Extract<IRStreamChunk, { type: T }> => chunk.type === type);
    return {
      chunks,
      ends: of('tool_use_end'),
      names: of('tool_use_start').map(({ name }) => name),
      ids: of('tool_use_start').map(({ id }) => id),
      content: of('content')
        .map(({ delta }) => delta)
        .join(''),
      reasoning: of('reasoning')
        .map(({ delta }) => delta)
        .join(''),
      warnings: of('warning'),
      last: chunks.at(-1)!,
    };
  };
}

test('a leaked call becomes a call, and the end says so', async () => {
  const { ends, names, content, last, chunks } = await opened()([...text('I look.\n', '<tool', LEAK.slice(5)), done()]);
  expect({ names, content }).toEqual({ names: ['bash'], content: 'I look.\n' });
  expect(ends).toMatchObject([{ input: { command: 'ls' }, raw: '{"command":"ls"}' }]);
  expect(ends[0]).not.toHaveProperty('invalid');
  expect(last).toMatchObject({ type: 'done', finishReason: 'tool_use' });
  expect(chunks.filter(({ type }) => type === 'tool_use_delta')).toHaveLength(1);
});

test('ids are unique over messages', async () => {
  const ask = opened();
  const ids = [...(await ask([...text(LEAK + LEAK), done()])).ids, ...(await ask([...text(LEAK), done()])).ids];
  expect(ids).toEqual(ids.map(() => expect.stringMatching(/^call_\w+$/)));
  expect(new Set(ids).size).toBe(3);
});

test('what cannot be run says why', async () => {
  const { ends, names, content, last } = await opened()([
    ...text('<tool_call>{"name": "my tool", "arguments": {}}</tool_call>'),
    done(),
  ]);
  expect(names).toEqual(['my_tool']);
  expect(ends).toMatchObject([{ input: {}, raw: '{}', invalid: 'No tool is called my tool.' }]);
  expect(content).toBe('');
  expect(last).toMatchObject({ finishReason: 'tool_use' });
});

test('names that the caller resolves are calls', async () => {
  const ask = opened({ accepts: (name) => name === 'shell' });
  const { ends } = await ask([...text('<tool_call>{"name": "shell", "arguments": {"cmd": "ls"}}</tool_call>'), done()]);
  expect(ends).toMatchObject([{ input: { cmd: 'ls' } }]);
  expect(ends[0]).not.toHaveProperty('invalid');
});

test('ordinary chunks pass as they are', async () => {
  const body = [...text('Hello there, ', 'you'), ...native('a', 'bash', { command: 'ls' }), done('tool_use')];
  const { chunks } = await opened()(body);
  expect(chunks.slice(1)).toEqual(body.map((chunk, i) => ({ ...chunk, sequence: i + 1 })));
});

test('a call of the format itself is not doubled', async () => {
  const call = native('a', 'bash', { command: 'ls' });
  expect((await opened()([...text(LEAK), ...call, done('tool_use')])).ids).toEqual(['a']);
  const other = native('a', 'bash', { command: 'pwd' });
  expect((await opened()([...text(LEAK), ...other, done('tool_use')])).ids).toHaveLength(2);
});

describe('nothing is called', () => {
  test('where no tool is offered, or none may be chosen', async () => {
    for (const asked of [
      { ...request, tools: undefined },
      { ...request, tools: [] },
      { ...request, toolChoice: 'none' as const },
    ]) {
      const { content, names, reasoning, last } = await opened()([...text(`<think>hm</think>${LEAK}`), done()], asked);
      expect({ content, names, reasoning }).toEqual({ content: LEAK, names: [], reasoning: 'hm' });
      expect(last).toMatchObject({ finishReason: 'stop' });
    }
  });

  test('by a message that broke', async () => {
    const error = new StreamError({ message: 'gone', code: 'STREAM_TRUNCATED' });
    const { names, content, last } = await opened()([...text('So.\n', LEAK), { type: 'error', error }]);
    expect({ names, content }).toEqual({ names: [], content: 'So.\n' });
    expect(last).toMatchObject({ type: 'error', error });
  });

  test('by a message that is void', async () => {
    const retry: Body = { type: 'retry', reason: 'broke', attempt: 1, delayMs: 0, discard: true };
    const { names, content } = await opened()([...text(LEAK, '<tool_c'), retry, ...text('Fine.'), done()]);
    expect({ names, content }).toEqual({ names: [], content: 'Fine.' });
  });
});

test('a limit stays a limit', async () => {
  const { last, ends } = await opened()([...text('<function=bash>\n<parameter=command>\nrm -rf'), done('length')]);
  expect(last).toMatchObject({ finishReason: 'length' });
  expect(ends).toMatchObject([{ invalid: expect.stringMatching(/end in the middle/) }]);
});

test('signed thinking stays as it is, with its place', async () => {
  const signed: Body[] = [
    { type: 'reasoning', delta: 'a <tool_call> b', index: 2 },
    { type: 'reasoning', delta: '', index: 2, signature: 's' },
  ];
  const { chunks, reasoning } = await opened()([...signed, ...text('c'), done()]);
  expect(reasoning).toBe('a <tool_call> b');
  const pieces = chunks.filter((chunk) => chunk.type === 'reasoning');
  expect(pieces.every((chunk) => chunk.index === 2)).toBe(true);
  expect(pieces.at(-1)).toMatchObject({ signature: 's' });
});

test('a call at the end of the thinking channel is a call', async () => {
  const { names, reasoning } = await opened()([{ type: 'reasoning', delta: `So:\n${LEAK}` }, done()]);
  expect({ names, reasoning }).toEqual({ names: ['bash'], reasoning: 'So:\n' });
});

test('thinking that the template opened is learnt from the first answer', async () => {
  const ask = opened();
  const body = [...text('hm', '</think>', '\nHello'), done()];
  const first = await ask(body);
  expect(first).toMatchObject({ content: 'hmHello', warnings: [{ warning: { kind: 'approximated' } }] });
  expect(await ask(body)).toMatchObject({ content: 'Hello', reasoning: 'hm', warnings: [] });
  expect(await ask([...text('plain'), done()])).toMatchObject({ content: 'plain' });
});

describe('calls that are only shown are told at the end', () => {
  const ended = async (...deltas: string[]) => (await opened()([...text(...deltas), done()])).last;

  test.each<[string, string, string | undefined]>([
    ['a call', `I look.\n${LEAK}`, undefined],
    ['a sample', `Hermes writes:\n${LEAK}`, 'surely'],
    ['a list', `- ${LEAK}\n- the same`, 'surely'],
    ['talk of it', `${LEAK}\n\nThat is the form.`, 'surely'],
    ['much text, which says nothing of it', `I look.\n${LEAK}\n\n${'There are two files. '.repeat(9)}`, 'perhaps'],
    ['no call', 'Hello.', undefined],
  ])('%s', async (_, said, shown) => {
    const last = await ended(said);
    expect(last).toMatchObject({
      type: 'done',
      finishReason: said.startsWith('I look.') && !shown ? 'tool_use' : 'stop',
    });
    expect(last.type === 'done' && last.metadata?.custom?.callsShown).toBe(shown);
  });

  test('their text flows on as soon as that is known', async () => {
    const { chunks, content } = await opened()([
      ...text(`I look.\n${LEAK}\n\n`, 'There are two files. '.repeat(6), 'One', ' more.'),
      done(),
    ]);
    const deltas = chunks.flatMap((chunk) => (chunk.type === 'content' ? [chunk.delta] : []));
    expect(deltas.slice(-2)).toEqual(['One', ' more.']);
    expect(content).toContain(LEAK);
  });
});
