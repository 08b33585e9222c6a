import { afterEach, describe, expect, test } from 'vitest';
import { OllamaBackendAdapter } from '../../../providers/backends/ollama.ts';
import { OpenAIChatBackendAdapter } from '../../../providers/backends/openai-chat.ts';
import { composeMiddleware } from '../../../providers/middleware/compose-middleware.ts';
import { createToolRecoveryMiddleware } from '../../../providers/middleware/tool-recovery.ts';
import { foldRecovery } from '../../../providers/recovery/fold.ts';
import { createRecovery, type MessageEnd, type RecoveryPiece } from '../../../providers/recovery/recovery.ts';
import { collect } from '../../../providers/wire/collect.ts';
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts';

const tools = [
  { name: 'read_file', parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
  { name: 'parse_json', parameters: { type: 'object', properties: { text: { type: 'string' } } } },
];

/** The same in one piece, in single characters, and in pieces of seven. */
function read(text: string, options: { family?: string; calls?: boolean } = {}, end: MessageEnd = 'whole') {
  const all = { tools, ...options };
  const whole = foldRecovery({ content: [text], end }, all);
  expect(foldRecovery({ content: [...text], end }, all)).toEqual(whole);
  expect(foldRecovery({ content: text.match(/[\s\S]{1,7}/g) ?? [], end }, all)).toEqual(whole);
  const { calls, content, thinking } = whole;
  return { calls: calls.map((call) => [call.name, call.arguments]), content, thinking };
}

const ARGUMENTS = '{"path":"a"}';
const CALL = ['read_file', { path: 'a' }];

describe.each(['openai/gpt-oss-20b', 'some-model', undefined])('gpt-oss without its tokens, served as %s', (family) => {
  test.each<[string, string, { calls?: unknown[]; content?: string; thinking?: string }]>([
    [
      'thinking, then the answer',
      'analysisWe need to look at it. Simple.assistantfinalThe answer is 42.',
      { thinking: 'We need to look at it. Simple.', content: 'The answer is 42.' },
    ],
    [
      'an answer of small letters',
      'analysisUser wants pong.assistantfinalpong',
      { thinking: 'User wants pong.', content: 'pong' },
    ],
    [
      'an answer with a heading',
      'analysisShort.assistantfinal## Result\n- a',
      { thinking: 'Short.', content: '## Result\n- a' },
    ],
    [
      'thinking in a script without capitals',
      'analysis我们看看。assistantfinal好的',
      { thinking: '我们看看。', content: '好的' },
    ],
    ['no answer', 'analysisNothing to say.assistantfinal', { thinking: 'Nothing to say.' }],
    [
      'a call',
      `analysisWe need to look, to=be sure.assistantcommentary to=functions.read_file json${ARGUMENTS}`,
      { thinking: 'We need to look, to=be sure.', calls: [CALL] },
    ],
    [
      'a call whose recipient came first',
      `analysisLook.assistant to=functions.read_filecommentary json${ARGUMENTS}`,
      { thinking: 'Look.', calls: [CALL] },
    ],
    [
      'a call that its type ran into',
      `analysisLook.assistantcommentary to=functions.read_filejson${ARGUMENTS}`,
      { thinking: 'Look.', calls: [CALL] },
    ],
    [
      'a tool that is called like a type',
      'analysisLook.assistantcommentary to=functions.parse_json json{"text":"x"}',
      { thinking: 'Look.', calls: [['parse_json', { text: 'x' }]] },
    ],
    [
      'words before a call',
      `analysisLook.assistantcommentaryI will read it.assistantcommentary to=functions.read_file json${ARGUMENTS}`,
      { thinking: 'Look.', content: 'I will read it.', calls: [CALL] },
    ],
    [
      'words before a call, and no thinking',
      `commentaryI will read it.assistantcommentary to=functions.read_file json${ARGUMENTS}`,
      { content: 'I will read it.', calls: [CALL] },
    ],
    [
      'thinking twice',
      'analysisFirst this.assistantanalysisThen that.assistantfinalDone.',
      { thinking: 'First this.\n\nThen that.', content: 'Done.' },
    ],
    [
      'small letters throughout',
      'analysiswe need to look at it. simple.assistantfinalthe answer is 42.',
      { thinking: 'we need to look at it. simple.', content: 'the answer is 42.' },
    ],
    [
      'small letters before a call',
      `analysislook first.assistantcommentary to=functions.read_file json${ARGUMENTS}`,
      { thinking: 'look first.', calls: [CALL] },
    ],
    [
      'small letters in every channel',
      `analysisfirst this.assistantanalysisthen that.assistantcommentaryi will read it.assistantcommentary to=functions.read_file json${ARGUMENTS}`,
      { thinking: 'first this.\n\nthen that.', content: 'i will read it.', calls: [CALL] },
    ],
    [
      'small letters behind the name of the role',
      'assistantanalysiswe look.assistantfinaldone.',
      { thinking: 'we look.', content: 'done.' },
    ],
    ['an answer alone', 'assistantfinalDone.', { content: 'Done.' }],
    [
      'a name of a channel that is only spoken of',
      'analysisThe word assistantfinal, or `assistantfinal`, is one.assistantfinalYes.',
      { thinking: 'The word assistantfinal, or `assistantfinal`, is one.', content: 'Yes.' },
    ],
    [
      'a call in the answer, by other markup',
      'analysisLook.assistantfinal<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>',
      { thinking: 'Look.', calls: [CALL] },
    ],
  ])('%s', (_, text, expected) => {
    expect(read(text, { family })).toEqual({ calls: [], content: '', thinking: '', ...expected });
  });

  test('without tools too', () => {
    const expected = { calls: [], content: 'The answer.', thinking: 'We think.' };
    expect(read('analysisWe think.assistantfinalThe answer.', { family, calls: false })).toEqual(expected);
  });

  test.each([
    'analysis',
    'analysis of the logs: assistantfinal is a word.',
    'analysis_run.py holds it.assistantfinalThe',
    'analysisof what was said. assistantfinal is a word.',
    'analysistools.py holds it; assistantfinal too.',
    'analysisutils and commentarytrack are modules.',
    'assistantanalysis is the name of a channel.',
    'assistantanalysisof what was said.',
    'assistantcommentaryand nothing else.',
    'assistantfinal is a word.',
    'assistantfinal',
    'Analysis: We need it.assistantfinalThe answer.',
    'It prints analysisWe need it.assistantfinalThe answer.',
    'commentaryText is the field.',
    'assistant to nobody',
    'assistants help.',
  ])('ordinary text stays: %s', (text) => {
    expect(read(text, { family })).toEqual({ calls: [], content: text, thinking: '' });
    expect(read(text, { family, calls: false })).toEqual({ calls: [], content: text, thinking: '' });
  });
});

describe('where the next message does not come', () => {
  const text = 'analysisResult is the variable that holds it.';

  test('another model has named something', () => {
    for (const end of ['whole', 'cut', 'broken'] as const)
      expect(read(text, { family: 'some-model' }, end)).toEqual({ calls: [], content: text, thinking: '' });
  });

  test('gpt-oss may have thought: then it is both', () => {
    const thinking = 'Result is the variable that holds it.';
    expect(read(text, { family: 'gpt-oss:20b' })).toEqual({ calls: [], content: text, thinking });
    expect(read(text, { family: 'gpt-oss:20b' }, 'cut')).toEqual({ calls: [], content: '', thinking });
  });
});

test('thinking of gpt-oss is given out while it comes, and so is the answer', () => {
  const recovery = createRecovery({ tools, family: 'gpt-oss:20b' });
  const after = (delta: string): RecoveryPiece[] => {
    const out: RecoveryPiece[] = [];
    recovery.content(delta, out);
    return out;
  };
  expect(after('analysis')).toEqual([]);
  expect(after('We need')).toEqual([{ type: 'reasoning', delta: 'We need' }]);
  expect(after(' to look.assist')).toEqual([{ type: 'reasoning', delta: ' to look.' }]);
  expect(after('antfinal')).toEqual([]);
  expect(after('The')).toEqual([{ type: 'content', delta: 'The' }]);
  expect(after(' answer is 42.')).toEqual([{ type: 'content', delta: ' answer is 42.' }]);
});

describe('from a server', () => {
  let server: ModelServer | undefined;
  afterEach(() => server?.close());

  const text = `analysisWe need to look.assistantcommentaryI will read it.assistantcommentary to=functions.read_file json${ARGUMENTS}`;

  test.each(['ollama', 'openai-chat'])('%s, streamed and whole', async (wire) => {
    const model = 'gpt-oss:20b';
    server = await startModelServer({ turns: [{ text }], models: [{ name: model }] });
    const backend =
      wire === 'ollama'
        ? new OllamaBackendAdapter({ baseUrl: server.url })
        : new OpenAIChatBackendAdapter({ baseUrl: `${server.url}/v1`, apiKey: 'key' });
    const send = composeMiddleware([createToolRecoveryMiddleware()], ({ request }) => backend.executeStream(request));
    for (const whole of [undefined, true as const]) {
      const request = {
        messages: [{ role: 'user' as const, content: 'go' }],
        tools,
        parameters: { model },
        metadata: { requestId: 'r', timestamp: 0 },
        ...(whole && { whole }),
      };
      const { message, finishReason } = await collect(send({ request, isStreaming: true, state: {}, config: {} }));
      expect(finishReason).toBe('tool_use');
      expect(message.content).toMatchObject([
        { type: 'reasoning', text: 'We need to look.' },
        { type: 'text', text: 'I will read it.' },
        { type: 'tool_use', name: 'read_file', input: { path: 'a' } },
      ]);
    }
  });
});
