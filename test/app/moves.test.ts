/** Where a conversation goes when its local model does not answer: `routing.fallback`, over real HTTP. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ComposeOptions, Composition } from '../../app/compose.ts';
import type { Event } from '../../core/types.ts';
import { startModelServer } from '../fakes/model-server.ts';
import type { Script } from '../fakes/script.ts';
import { find, turn, twoServers } from './two-servers.ts';

const world = twoServers();
beforeEach(() => {
  world.local.set(broken(403));
  world.hosted.set(answers('From afar.'));
});

/** The server answers, but never with a word of the model; with 403 asking again is of no use. */
const broken = (status: number): Script => ({
  turns: [{ fault: { kind: 'status', status, message: 'the runner stopped' }, faultTimes: 99, text: 'never' }],
});

const start = (settings: object, more?: Partial<ComposeOptions>, env?: Record<string, string>) =>
  world.start(
    settings,
    { OLLAMA_HOST: world.local.url, ...env },
    { model: 'ollama/test-model:latest', headless: false, ...more },
  );

const answer =
  (composition: Composition, text: string) =>
  (event: Event): void => {
    if (event.type === 'question') composition.session.send({ type: 'answer', id: event.id, text });
  };
const models = [{ name: 'gpt-5.2' }, { name: 'claude-sonnet-5' }, { name: 'big' }, { name: 'test-model:latest' }];
const answers = (text: string): Script => ({ turns: [{ text }], models });

describe('routing.fallback', () => {
  it('always: moves with a notice that names who is asked, and stores who served', async () => {
    world.local.set(broken(500));
    const composition = await start({ routing: { fallback: 'always' } });
    const events = await turn(composition);
    expect(find(events, 'done')[0]).toMatchObject({ finish: 'stop', text: 'From afar.' });
    const moved = /^ollama: .*the runner stopped.*; asking openai\/gpt-5\.2 instead \(hosted\)$/s;
    expect(find(events, 'notice')).toMatchObject([{ level: 'warning', text: expect.stringMatching(moved) }]);
    expect(find(events, 'assistant')[0]!.served).toMatchObject({ backend: 'openai', model: 'gpt-5.2', local: false });
    expect(composition.session.state.served).toMatchObject({ local: false });
    expect(find(events, 'question')).toEqual([]);
    // What may still answer here is asked again before anything leaves the machine.
    expect(world.local.chats()).toHaveLength(2);
    expect(world.hosted.chats()[0]!.body).toMatchObject({ model: 'gpt-5.2' });
    expect(find(events, 'assistant')[0]!.usage?.cost).toBeGreaterThan(0);
  });

  it('always: goes down the chain of vendors that have a key', async () => {
    world.hosted.set({ turns: [{ text: 'never', fault: { kind: 'status', status: 401 }, faultTimes: 99 }], models });
    const other = await startModelServer(answers('From elsewhere.'));
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: other.url };
    const events = await turn(await start({ routing: { fallback: 'always' } }, {}, env));
    expect(find(events, 'done')[0]).toMatchObject({ finish: 'stop', text: 'From elsewhere.' });
    expect(find(events, 'assistant')[0]!.served).toMatchObject({ backend: 'anthropic', attempts: 3 });
    await other.close();
  });

  it('never: the failure stays here, and nobody hosted hears of it', async () => {
    const events = await turn(await start({ routing: { fallback: 'never' } }));
    expect(find(events, 'error')[0]!.message).toContain('the runner stopped');
    expect(find(events, 'done')[0]!.finish).toBe('error');
    expect(find(events, 'question')).toEqual([]);
    expect(world.hosted.requests).toEqual([]);
  });

  it('ask, which is the default, is never where nobody watches', async () => {
    const events = await turn(await start({}, { headless: true }));
    expect(find(events, 'done')[0]!.finish).toBe('error');
    expect(find(events, 'question')).toEqual([]);
    expect(world.hosted.requests).toEqual([]);
  });

  it('ask: the question names model, vendor, price and size; nothing is sent before a yes', async () => {
    const composition = await start({});
    const events = await turn(composition, (event) => {
      if (event.type !== 'question') return;
      expect(world.hosted.requests).toEqual([]);
      expect(composition.session.state.openQuestions).toMatchObject([{ id: event.id }]);
      expect(composition.session.send({ type: 'answer', id: 'another', text: 'yes' }).ok).toBe(false);
      expect(composition.session.send({ type: 'answer', id: event.id, text: 'yes' }).ok).toBe(true);
      expect(composition.session.send({ type: 'answer', id: event.id, text: 'no' }).ok).toBe(false);
    });
    const [question] = find(events, 'question');
    expect(question).toMatchObject({ options: ['yes', 'no'], leave: 'openai/gpt-5.2' });
    expect(question!.text).toMatch(
      /^ollama did not answer: .*the runner stopped.*gpt-5\.2 at OpenAI \(hosted, \$[\d.]+ in and \$[\d.]+ out per million tokens\).*the whole conversation, about [\d,]+ tokens/s,
    );
    expect(find(events, 'answer')).toMatchObject([{ id: question!.id, text: 'yes' }]);
    expect(events.map(({ type }) => type).filter((type) => type !== 'text')).toEqual([
      'user',
      'question',
      'answer',
      'notice',
      'retry',
      'assistant',
      'done',
    ]);
    expect(find(events, 'done')[0]).toMatchObject({ finish: 'stop', text: 'From afar.' });
    expect(composition.session.state.openQuestions).toEqual([]);
  });

  it('ask: a yes holds for the conversation, also when it is resumed; a new one asks again', async () => {
    const first = await start({});
    await turn(first, answer(first, 'Yes'));
    expect(find(await turn(first), 'question')).toEqual([]);
    expect(first.session.state.agreed).toEqual(['openai/gpt-5.2']);
    await first.session.close();
    const second = await start({}, { resume: first.session.id });
    const events = await turn(second);
    expect(find(events, 'question')).toEqual([]);
    expect(find(events, 'done')[0]!.text).toBe('From afar.');
    const third = await start({});
    expect(find(await turn(third, answer(third, 'no')), 'question')).toHaveLength(1);
  });

  it('ask: after a no nothing is sent, nobody else is offered, and the next prompt asks again', async () => {
    const composition = await start({}, {}, { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: world.hosted.url });
    for (let i = 0; i < 2; i++) {
      const events = await turn(composition, answer(composition, 'no'));
      expect(find(events, 'question')).toHaveLength(1);
      expect(find(events, 'error')[0]!.message).toContain('the runner stopped');
      expect(find(events, 'done')[0]!.finish).toBe('error');
    }
    expect(world.hosted.requests).toEqual([]);
    expect(composition.session.state.agreed).toEqual([]);
  });

  it('ask: an abort ends the wait, and a late answer is nobody’s', async () => {
    const composition = await start({});
    let id = '';
    const events = await turn(composition, (event) => {
      if (event.type !== 'question') return;
      id = event.id;
      composition.session.send({ type: 'abort' });
    });
    expect(find(events, 'done')[0]!.finish).toBe('aborted');
    expect(find(events, 'answer')).toEqual([]);
    expect(composition.session.state.openQuestions).toEqual([]);
    expect(composition.session.send({ type: 'answer', id, text: 'yes' })).toEqual({ ok: false, reason: 'unknown_id' });
    expect(world.hosted.requests).toEqual([]);
  });

  it('ask: a log that ends with an open question is mended', async () => {
    const first = await start({});
    await turn(first, answer(first, 'no'));
    await first.session.close();
    const { file, id } = first.session;
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const asked = lines.findIndex((line) => JSON.parse(line).type === 'question');
    writeFileSync(file, `${lines.slice(0, asked + 1).join('\n')}\n`);
    const second = await start({}, { resume: id });
    expect(second.session.state).toMatchObject({ running: false, openQuestions: [], agreed: [] });
  });

  it('between hosted vendors nothing moves without always', async () => {
    world.hosted.set({ turns: [{ text: 'never', fault: { kind: 'status', status: 401 }, faultTimes: 99 }], models });
    const other = await startModelServer(answers('From elsewhere.'));
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: other.url };
    const asked = await turn(await start({}, { model: 'openai/gpt-5.2' }, env));
    expect(find(asked, 'error')[0]!.code).toBe('authentication');
    expect(find(asked, 'question')).toEqual([]);
    expect(other.requests).toEqual([]);
    const moved = await turn(await start({ routing: { fallback: 'always' } }, { model: 'openai/gpt-5.2' }, env));
    expect(find(moved, 'done')[0]!.text).toBe('From elsewhere.');
    await other.close();
  });

  it('offline nothing hosted is offered, unless it is on this machine', async () => {
    const away = { OPENAI_BASE_URL: 'https://models.example.com/v1' };
    const events = await turn(await start({ routing: { fallback: 'always' } }, { offline: true }, away));
    expect(find(events, 'done')[0]!.finish).toBe('error');
    expect(find(events, 'notice')).toEqual([]);
    const here = await turn(await start({ routing: { fallback: 'always' } }, { offline: true }));
    expect(find(here, 'done')[0]!.text).toBe('From afar.');
  });

  it('a recording has no stand-in', async () => {
    writeFileSync(
      join(world.root, 'r.jsonl'),
      `${JSON.stringify({ error: { status: 500, message: 'as recorded' } })}\n`,
    );
    const model = `replay:${join(world.root, 'r.jsonl')}`;
    const events = await turn(await start({ routing: { fallback: 'always' } }, { model }));
    expect(find(events, 'done')[0]!.finish).toBe('error');
    expect(world.hosted.requests).toEqual([]);
  });
});

describe('between local servers nobody is asked', () => {
  it('a described server on this machine stands in', async () => {
    const near = await startModelServer(answers('From next door.'));
    const vendors = { box: { baseUrl: `${near.url}/v1`, defaultModel: 'big' } };
    const events = await turn(await start({ vendors, routing: { fallback: 'never' } }, { headless: true }));
    expect(find(events, 'done')[0]!.text).toBe('From next door.');
    expect(find(events, 'notice')).toMatchObject([
      { level: 'info', text: expect.stringMatching(/asking box\/big instead \(local\)$/) },
    ]);
    expect(find(events, 'assistant')[0]!.served).toMatchObject({ backend: 'box', local: true });
    expect(world.hosted.requests).toEqual([]);
    await near.close();
  });

  it('so does another Ollama that has the model', async () => {
    const near = await startModelServer(answers('From upstairs.'));
    const hosts = [world.local.url, near.url];
    const composition = await start({ ollama: { hosts } }, {}, { OLLAMA_HOST: '' });
    expect(find(await turn(composition), 'done')[0]!.text).toBe('From upstairs.');
    await near.close();
  });

  it('a model is taken from the first Ollama that has it', async () => {
    const near = await startModelServer({ turns: [{ text: 'From upstairs.' }], models: [{ name: 'rare:latest' }] });
    const hosts = ['127.0.0.1:9', world.local.url, near.url];
    const composition = await start({ ollama: { hosts } }, { model: 'rare' }, { OLLAMA_HOST: '' });
    expect(composition.session.state.model).toBe('ollama/rare:latest');
    expect(find(await turn(composition), 'done')[0]!.text).toBe('From upstairs.');
    await near.close();
  });

  describe('of a conversation that was local and whose model is not any more', () => {
    const vendor = (isLocal: boolean) => ({
      vendors: { lab: { baseUrl: `${world.hosted.url}/v1`, defaultModel: 'big', local: isLocal } },
    });
    const wasLocal = async () => {
      const first = await start(vendor(true), { model: 'lab/big' });
      expect(find(await turn(first), 'assistant')[0]!.served.local).toBe(true);
      await first.session.close();
      return world.hosted.chats().length;
    };

    it('asks before anything is sent, once for the conversation', async () => {
      const before = await wasLocal();
      const again = await start(vendor(false), { model: undefined, resume: 'latest' });
      const events = await turn(again, (event) => {
        if (event.type !== 'question') return;
        expect(world.hosted.chats()).toHaveLength(before);
        answer(again, 'yes')(event);
      });
      expect(find(events, 'question')[0]).toMatchObject({ leave: 'lab/big' });
      expect(find(events, 'done')[0]).toMatchObject({ finish: 'stop', text: 'From afar.' });
      expect(find(await turn(again), 'question')).toEqual([]);
    });

    it.each([
      ['a no', {}, { headless: false }, 'no'],
      ['never', { routing: { fallback: 'never' } }, { headless: false }, 'yes'],
      ['ask where nobody watches', {}, { headless: true }, 'yes'],
    ] as const)('sends nothing after %s', async (_, settings, more, said) => {
      const before = await wasLocal();
      const again = await start({ ...vendor(false), ...settings }, { model: undefined, resume: 'latest', ...more });
      const events = await turn(again, answer(again, said));
      expect(find(events, 'error')[0]).toMatchObject({
        code: 'routing_failed',
        message: expect.stringContaining('was local'),
      });
      expect(find(events, 'done')[0]!.finish).toBe('error');
      expect(world.hosted.chats()).toHaveLength(before);
    });

    it('goes where fallback is always, or the person names the model', async () => {
      await wasLocal();
      const always = await start(
        { ...vendor(false), routing: { fallback: 'always' } },
        { model: undefined, resume: 'latest' },
      );
      expect(find(await turn(always), 'done')[0]!.finish).toBe('stop');
      await always.session.close();
      await wasLocal();
      const named = await start(vendor(false), { model: 'lab/big', resume: 'latest', headless: true });
      expect(find(await turn(named), 'done')[0]!.finish).toBe('stop');
    });
  });
});
