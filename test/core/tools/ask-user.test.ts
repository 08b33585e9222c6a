import { describe, expect, it } from 'vitest';
import { lateTools } from '../../../core/tools/index.ts';
import { find, type Said, start, turn } from '../scripted-session.ts';
import { testContext } from './tool-context.ts';

const tools = lateTools({});
const ask = (input: Record<string, unknown>): Said => ({ calls: [['ask_user', input]] });

describe('ask_user', () => {
  it('puts the question to whoever watches and gives the answer to the model', async () => {
    const { session, requests } = start(
      [ask({ question: 'Tabs or spaces?', options: ['tabs', 'spaces'] }), { text: 'ok' }],
      {
        tools,
      },
    );
    const events = await turn(session, 'go', (event) => {
      if (event.type === 'question') session.send({ type: 'answer', id: event.id, text: 'spaces' });
    });
    expect(find(events, 'question')).toMatchObject([{ text: 'Tabs or spaces?', options: ['tabs', 'spaces'] }]);
    expect(find(events, 'answer')).toMatchObject([{ text: 'spaces' }]);
    expect(find(events, 'tool_result')).toMatchObject([{ output: 'The user answered: spaces', isError: false }]);
    expect(JSON.stringify(requests[1]!.messages.at(-1))).toContain('spaces');
  });

  it('waits for nobody where nobody watches', async () => {
    const { session } = start([ask({ question: 'May I?' }), { text: 'ok' }], { tools, headless: true });
    const events = await turn(session, 'go');
    expect(find(events, 'question')).toEqual([]);
    expect(find(events, 'tool_result')[0]!.output).toContain('Nobody is there');
  });

  it('ends with the turn', async () => {
    const { session } = start([ask({ question: 'Really?' })], { tools });
    const events = await turn(session, 'go', (event) => {
      if (event.type === 'question') session.send({ type: 'abort' });
    });
    expect(find(events, 'done')).toMatchObject([{ finish: 'aborted' }]);
    expect(find(events, 'tool_result')).toMatchObject([{ isError: true }]);
  });

  it('asks something', async () => {
    expect(await testContext(tools).call('ask_user', { question: ' ' })).toMatchObject({ isError: true });
  });
});
