import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLog } from '../../core/parse-log.ts';
import type { SessionOptions } from '../../core/session-options.ts';
import { emptyState, reduce } from '../../core/state.ts';
import { logFile, openLog } from '../../core/store.ts';
import { coreTools } from '../../core/tools/index.ts';
import type { Event } from '../../core/types.ts';
import { ProviderError } from '../../providers/errors.ts';
import { dir, find, model, type Said, start, turn } from './scripted-session.ts';

describe('a session', () => {
  it('runs calls and ends with one done that sums up the turn', async () => {
    const { session } = start([
      { text: 'Look.', calls: [['read_file', { path: 'a.txt' }]] },
      { text: 'It says alpha.' },
    ]);
    const events = await turn(session, 'what does it say?');
    expect(events.map((event) => event.type).filter((type) => type !== 'text')).toEqual([
      'user',
      'assistant',
      'tool_call',
      'tool_result',
      'assistant',
      'done',
    ]);
    expect(find(events, 'tool_result')[0]!.output).toContain('alpha');
    expect(find(events, 'done')).toMatchObject([
      {
        text: 'It says alpha.',
        finish: 'stop',
        turns: 2,
        usage: { input: 20, output: 4, cacheRead: null, cost: null },
      },
    ]);
  });

  it('is the fold of its log, and goes on from it as if nothing had happened', async () => {
    const script: Said[] = [{ calls: [['read_file', { path: 'a.txt' }]] }, { text: 'one' }];
    const first = start(script);
    await turn(first.session, 'go');
    first.session.send({ type: 'set', mode: 'plan' });
    const state = first.session.state;
    await first.session.close();
    expect(readLog(first.session.file).events.reduce(reduce, emptyState())).toEqual(state);

    const second = start([{ text: 'two' }]);
    expect(second.session.state).toEqual(state);
    await turn(second.session, 'again');
    const [before, after] = [first.requests.at(-1)!, second.requests[0]!];
    expect(JSON.stringify(after.messages).startsWith(JSON.stringify(before.messages).slice(0, -1))).toBe(true);
    expect(after.tools).toEqual(before.tools);
  });

  it('begins every request of a turn with the bytes of the one before', async () => {
    const read: Said = {
      text: 'on',
      calls: [
        ['read_file', { path: 'a.txt' }],
        ['ls', {}],
      ],
    };
    const { session, requests } = start([read, read, read, { text: 'end' }]);
    let steered = false;
    await turn(session, 'go', (event) => {
      if (event.type === 'tool_call' && !steered) {
        steered = true;
        session.send({ type: 'steer', text: 'also this' });
        session.send({ type: 'set', mode: 'plan' });
      }
    });
    expect(requests).toHaveLength(4);
    for (let i = 1; i < requests.length; i++) {
      const before = JSON.stringify(requests[i - 1]!.messages).slice(0, -1);
      expect(JSON.stringify(requests[i]!.messages).startsWith(before)).toBe(true);
    }
    expect(JSON.stringify(requests[1]!.messages)).toContain('also this');
    expect(JSON.stringify(requests[1]!.messages)).toContain('Plan mode is on');
  });

  it('gives every call an id of its own, though the server starts again with each answer', async () => {
    const call: Said = {
      calls: [
        ['ls', {}],
        ['ls', {}],
      ],
    };
    const { session, requests } = start([call, call, { text: 'end' }]);
    const events = await turn(session, 'go');
    const ids = find(events, 'tool_call').map((event) => event.id);
    expect(new Set(ids).size).toBe(4);
    expect(find(events, 'tool_result').map((event) => event.id)).toEqual(ids);
    const sent = requests[2]!.messages.flatMap((message) =>
      typeof message.content === 'string' ? [] : message.content,
    );
    expect(sent.filter((part) => part.type === 'tool_use').map((part) => part.id)).toEqual(ids);
  });

  it('refuses broken arguments and unknown tools with both ends, and runs nothing', async () => {
    const { session } = start([{ broken: '{"command": "touch x', calls: [['launch', {}]] }, { text: 'ok' }]);
    const events = await turn(session, 'go');
    expect(find(events, 'tool_call').map((event) => event.name)).toEqual(['launch', 'bash']);
    const results = find(events, 'tool_result');
    expect(results.every((event) => event.isError)).toBe(true);
    expect(results[1]!.output).toMatch(/The call was not run: cut off\. Received: .*touch x/s);
  });

  it('puts a question of a running turn to whoever watches, and to nobody else', async () => {
    const heard: (string | undefined)[] = [];
    const asking = (headless: boolean, id: string) => {
      const { ask } = model([{ text: 'ok' }]);
      const asks: SessionOptions['ask'] = async function* (request, signal, person) {
        heard.push(await person({ text: 'Which?', options: ['a', 'b'] }));
        yield* ask(request, signal, person);
      };
      return start([], { ask: asks, headless, id }).session;
    };
    const session = asking(false, 's');
    const events = await turn(session, 'go', (event) => {
      if (event.type !== 'question') return;
      expect(session.state.openQuestions).toHaveLength(1);
      expect(session.send({ type: 'answer', id: event.id, text: 'b' })).toEqual({ ok: true });
    });
    expect(find(events, 'question')).toMatchObject([{ text: 'Which?', options: ['a', 'b'] }]);
    expect(find(events, 'answer')).toMatchObject([{ text: 'b' }]);
    expect(session.state).toMatchObject({ openQuestions: [], agreed: [] });
    expect(find(await turn(asking(true, 't'), 'go'), 'question')).toEqual([]);
    expect(heard).toEqual(['b', undefined]);
  });

  it('keeps what was said when it is aborted, and goes on after', async () => {
    const { session } = start([{ text: 'half an', hang: true }, { text: 'whole' }]);
    const events = await turn(session, 'go', (event) => {
      if (event.type === 'text') session.send({ type: 'abort' });
    });
    expect(find(events, 'assistant')).toMatchObject([{ finish: 'aborted', content: [{ text: 'half an' }] }]);
    expect(find(events, 'done')[0]).toMatchObject({ finish: 'aborted', text: 'half an' });
    expect(session.send({ type: 'abort' })).toEqual({ ok: false, reason: 'idle' });
    expect(find(await turn(session, 'again'), 'done')[0]!.finish).toBe('stop');
  });

  it('gives back what an interrupted turn had not taken, and sends it neither now nor later', async () => {
    const { session, requests } = start([{ text: 'half an', hang: true }, { text: 'whole' }]);
    const events = await turn(session, 'go', (event) => {
      if (event.type !== 'text') return;
      session.send({ type: 'steer', text: 'in French' });
      session.send({ type: 'prompt', text: 'and short' });
      session.send({ type: 'abort' });
    });
    expect(find(events, 'done')[0]).toMatchObject({ finish: 'aborted', unsent: ['in French', 'and short'] });
    expect(find(await turn(session, 'again'), 'done')[0]).not.toHaveProperty('unsent');
    expect(JSON.stringify(requests.at(-1)!.messages)).not.toContain('in French');
  });

  it('shows a reader who joins late the stored events and all of the unfinished message', async () => {
    const { session } = start([{ text: 'half an', hang: true }]);
    const live = session.events();
    session.send({ type: 'prompt', text: 'go' });
    for await (const event of live) if (event.type === 'text') break;
    const joined: Event[] = [];
    for await (const event of session.events(undefined, 2)) {
      joined.push(event);
      if (event.type === 'text') session.send({ type: 'abort' });
      if (event.type === 'done') break;
    }
    expect(joined.map((event) => event.type)).toEqual(['user', 'text', 'assistant', 'done']);
    expect(joined[1]).toEqual({ type: 'text', delta: 'half an', at: 0 });
  });

  it('ends with an error event when the model fails, and takes the next prompt', async () => {
    const fail = new ProviderError({ message: 'the server is on fire', status: 500 });
    const { session } = start([{ text: 'so far', fail }, { text: 'better' }]);
    const events = await turn(session, 'go');
    expect(events.slice(-3).map((event) => event.type)).toEqual(['assistant', 'error', 'done']);
    expect(find(events, 'error')).toMatchObject([{ code: 'provider', message: 'the server is on fire' }]);
    expect(find(events, 'done')[0]!.finish).toBe('error');
    expect(find(await turn(session, 'again'), 'done')[0]!.finish).toBe('stop');
  });

  it('stops at limits and says which', async () => {
    const again: Said = { calls: [['ls', {}]] };
    const turns = await turn(start([again], { limits: { maxTurns: 3 } }).session, 'go');
    expect(find(turns, 'done')[0]).toMatchObject({ finish: 'limit', turns: 3 });
    expect(find(turns, 'notice')[0]!.text).toMatch(/--max-turns/);
    const time = await turn(start([{ text: 'x', hang: true }], { id: 't', limits: { timeoutMs: 20 } }).session, 'go');
    expect(find(time, 'done')[0]!.finish).toBe('limit');
    expect(find(time, 'notice')[0]!.text).toMatch(/--timeout/);
    const cost = await turn(start([again], { id: 'c', cost: () => 0.4, limits: { maxCost: 1 } }).session, 'go');
    expect(find(cost, 'done')[0]).toMatchObject({ finish: 'limit', turns: 3, usage: { cost: 1.2 } });
  });

  it('ends a turn that died with its process before anything else', async () => {
    const opened = openLog(logFile(dir, 's'), join(dir, 'state'));
    if ('held' in opened) throw new Error('held');
    const { log } = opened;
    log.append({
      type: 'session',
      id: 's',
      version: 1,
      cwd: dir,
      project: dir,
      model: 'm',
      mode: 'auto',
      contextTokens: null,
      system: '',
      tools: [],
    });
    log.append({ type: 'user', text: 'go' });
    log.append({ type: 'tool_call', id: 'x', name: 'bash', detail: '', input: {} });
    log.close();
    const { session } = start([{ text: 'ok' }]);
    expect(session.state).toMatchObject({ running: false, openCalls: [] });
    const types = readLog(session.file).events.map((event) => event.type);
    expect(types).toEqual(['session', 'user', 'tool_call', 'tool_result', 'done']);
  });

  it('gives both ends to the calls of a dead turn whose time had not come', async () => {
    const opened = openLog(logFile(dir, 's'), join(dir, 'state'));
    if ('held' in opened) throw new Error('held');
    const { log } = opened;
    const tools = coreTools();
    const schemas = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
    const place = { cwd: dir, project: dir, model: 'm', contextTokens: null };
    log.append({ type: 'session', id: 's', version: 1, ...place, mode: 'auto', system: 'x', tools: schemas });
    log.append({ type: 'user', text: 'go' });
    const served = { backend: 'b', model: 'm', local: true, latencyMs: 1, attempts: 1 };
    const content = [
      { type: 'tool_use' as const, id: 'a', name: 'bash', input: { command: 'sleep 9' } },
      { type: 'tool_use' as const, id: 'b', name: 'shell', input: { cmd: 'ls' } },
      { type: 'tool_use' as const, id: 'c', name: 'nothing_like_it', input: {} },
    ];
    log.append({ type: 'assistant', content, finish: 'tool_use', served });
    log.append({ type: 'tool_call', id: 'a', name: 'bash', detail: 'sleep 9', input: { command: 'sleep 9' } });
    log.close();
    const { session, requests } = start([{ text: 'ok' }]);
    const events = readLog(session.file).events.slice(4);
    expect(events.map((event) => [event.type, 'id' in event ? event.id : ''])).toEqual([
      ['tool_result', 'a'],
      ['tool_call', 'b'],
      ['tool_result', 'b'],
      ['tool_call', 'c'],
      ['tool_result', 'c'],
      ['done', ''],
    ]);
    expect(events[1]).toMatchObject({ name: 'bash', detail: 'ls' });
    expect(events[2]).toMatchObject({ isError: true, output: expect.stringMatching(/ended before the call ran/) });
    await turn(session, 'on');
    expect(JSON.stringify(requests[0]!.messages).match(/"toolUseId"/g)).toHaveLength(3);
  });

  it.each([
    ['timeout', /^Stopped by the time limit of the turn before the call ran\.$/],
    ['close', /^Interrupted because ada was closed before/],
    ['abort', /^Interrupted by the user before/],
  ] as const)('tells the model truly why its calls were cut off: %s', async (why, before) => {
    const calls: Said['calls'] = [
      ['bash', { command: 'sleep 20' }],
      ['bash', { command: 'ls' }],
    ];
    const limits = why === 'timeout' ? { timeoutMs: 400 } : {};
    const { session } = start([{ calls }, { text: 'never' }], { limits });
    const stop = (event: Event) => {
      if (event.type !== 'tool_call' || why === 'timeout') return;
      session.send(why === 'close' ? { type: 'abort', closing: true } : { type: 'abort' });
    };
    const results = find(await turn(session, 'go', stop), 'tool_result');
    expect(results[1]!.output).toMatch(before);
  });

  it.each([
    ['timeout', 'headless', 'the time limit ended the turn'],
    ['close', 'headless', 'ada was closed'],
    ['abort', 'user', 'the turn was interrupted'],
  ] as const)('says truly who ended the wait for an approval: %s', async (why, by, reason) => {
    const limits = why === 'timeout' ? { timeoutMs: 200 } : {};
    const { session } = start([{ calls: [['bash', { command: 'touch x' }]] }], { limits, mode: 'ask' });
    const stop = (event: Event) => {
      if (event.type !== 'approval_request' || why === 'timeout') return;
      session.send(why === 'close' ? { type: 'abort', closing: true } : { type: 'abort' });
    };
    const [approval] = find(await turn(session, 'go', stop), 'approval');
    expect(approval).toMatchObject({ decision: 'no', by, reason });
  });

  it('replaces secrets before the model or the log sees them', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    writeFileSync(join(dir, 'b.txt'), `token ${key}\n`);
    const { session, requests } = start([{ calls: [['read_file', { path: 'b.txt' }]] }, { text: 'ok' }]);
    await turn(session, `use ${key}`);
    expect(JSON.stringify(requests)).not.toContain(key);
    expect(readFileSync(session.file, 'utf8')).not.toContain(key);
    expect(JSON.stringify(requests[1])).toContain('[redacted');
  });

  it('refuses commands after close, and ends its readers', async () => {
    const { session } = start([{ text: 'x', hang: true }]);
    const stream = session.events();
    session.send({ type: 'prompt', text: 'go' });
    await session.close();
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types.at(-1)).toBe('done');
    expect(session.send({ type: 'prompt', text: 'late' })).toEqual({ ok: false, reason: 'closed' });
  });
});
