import { describe, expect, it } from 'vitest';
import { history } from '../../core/history.ts';
import { INTERRUPTED } from '../../core/interruption.ts';
import type { StoredBody, StoredEvent } from '../../core/types.ts';

const served = { backend: 'b', model: 'm', local: true, latencyMs: 1, attempts: 1 };
const call = (id: string) => ({ type: 'tool_use' as const, id, name: 'read_file', input: { path: id } });
const says = (text: string, ...ids: string[]): StoredBody => ({
  type: 'assistant',
  content: [...(text ? [{ type: 'text' as const, text }] : []), ...ids.map(call)],
  finish: ids.length ? 'tool_use' : 'stop',
  served,
});
const result = (id: string, output = `result of ${id}`): StoredBody => ({
  type: 'tool_result',
  id,
  name: 'read_file',
  output,
  isError: false,
});
const log = (...bodies: StoredBody[]): StoredEvent[] =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, time: 0 }) as StoredEvent);

/** `role:what` of each message, to compare at a glance. */
const outline = (events: StoredEvent[]) =>
  history(events).map(({ role, content }) => {
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    return `${role}:${parts
      .map((part) => {
        if (part.type === 'text') return part.text;
        if (part.type === 'tool_use') return `call ${part.id}`;
        if (part.type === 'tool_result') return part.content.map((c) => (c.type === 'text' ? c.text : c.type)).join();
        return part.type;
      })
      .join('|')}`;
  });

describe('history', () => {
  it('answers every call once, in the order of the calls, whatever the order of the log', () => {
    const events = log(
      { type: 'user', text: 'go' },
      says('look', 'a', 'b'),
      result('b'),
      result('a'),
      result('a', 'twice'),
      says('done'),
    );
    expect(outline(events)).toEqual([
      'user:go',
      'assistant:look|call a|call b',
      'tool:result of a',
      'tool:result of b',
      'assistant:done',
    ]);
  });

  it.each([
    ['the process died', [] as StoredBody[]],
    ['a new prompt followed', [{ type: 'user', text: 'again' } as StoredBody]],
  ])('gives a call without a result a made one when %s', (_name, after) => {
    const events = log({ type: 'user', text: 'go' }, says('', 'a', 'b'), result('a'), ...after);
    expect(outline(events)).toEqual([
      'user:go',
      'assistant:call a|call b',
      'tool:result of a',
      `tool:${INTERRUPTED}`,
      ...after.map(() => 'user:again'),
    ]);
  });

  it('keeps notes and steered prompts behind the results of the calls that they fell between', () => {
    const events = log(
      { type: 'user', text: 'go' },
      says('', 'a', 'b'),
      result('a'),
      { type: 'note', about: 'mode', text: 'plan' },
      { type: 'user', text: 'faster', steered: true },
      result('b'),
      says('ok'),
    );
    expect(outline(events)).toEqual([
      'user:go',
      'assistant:call a|call b',
      'tool:result of a',
      'tool:result of b',
      'user:[note from ada] plan',
      'user:faster',
      'assistant:ok',
    ]);
  });

  it('drops messages that say nothing and results that belong to no call', () => {
    const events = log(
      { type: 'user', text: '  ' },
      { type: 'user', text: 'go' },
      says(' \n'),
      result('zz'),
      says('x'),
    );
    expect(outline(events)).toEqual(['user:go', 'assistant:x']);
  });

  it('leaves a prompt out that was too large for the window, so that the next one is not', () => {
    const tooLarge: StoredBody = { type: 'error', code: 'overflow', message: 'too large', retryable: false };
    const events = log({ type: 'user', text: 'go' }, says('ok'), { type: 'user', text: 'huge' }, tooLarge, {
      type: 'user',
      text: 'small',
    });
    expect(outline(events)).toEqual(['user:go', 'assistant:ok', 'user:small']);
    // Also where the model was told something after it.
    const note: StoredBody = { type: 'note', about: 'mode', text: 'plan' };
    const noted = log({ type: 'user', text: 'go' }, says('ok'), { type: 'user', text: 'huge' }, note, tooLarge);
    expect(outline(noted)).toEqual(['user:go', 'assistant:ok', expect.stringMatching(/^user:.*plan$/)]);
    // What was answered stays, whatever the later request came to.
    const grown = log({ type: 'user', text: 'go' }, says('', 'a'), result('a'), tooLarge, { type: 'user', text: 'on' });
    expect(outline(grown)).toEqual(['user:go', 'assistant:call a', 'tool:result of a', 'user:on']);
  });

  it('puts the system prompt first, also where it was written late', () => {
    const session: StoredBody = {
      type: 'session',
      id: 's',
      version: 1,
      cwd: '/',
      project: '/',
      model: 'm',
      mode: 'ask',
      contextTokens: null,
      system: 'rules',
      tools: [],
    };
    expect(outline(log({ type: 'user', text: 'go' }, session))).toEqual(['system:rules', 'user:go']);
  });

  it('begins every request with the one before it', () => {
    const events = log(
      { type: 'user', text: 'go' },
      says('1', 'a'),
      { type: 'note', about: 'mode', text: 'n' },
      result('a'),
      says('2', 'b', 'c'),
      result('c'),
      { type: 'user', text: 's', steered: true },
      result('b'),
      says('3'),
      { type: 'user', text: 'next' },
    );
    // A request is sent when the newest message is not the model's.
    const sent = events
      .map((_, i) => history(events.slice(0, i + 1)))
      .filter((_, i) => {
        const open = events
          .slice(0, i + 1)
          .filter((e) => e.type === 'assistant')
          .flatMap((e) => e.content);
        const ids = open.filter((p) => p.type === 'tool_use').map((p) => p.id);
        return ids.every((id) => events.slice(0, i + 1).some((e) => e.type === 'tool_result' && e.id === id));
      });
    for (let i = 1; i < sent.length; i++) {
      const before = JSON.stringify(sent[i - 1]).slice(0, -1);
      expect(JSON.stringify(sent[i]).startsWith(before)).toBe(true);
    }
    expect(sent).toHaveLength(5);
  });
});
