import { describe, expect, test } from 'vitest';
import { joinPrompt } from '../../app/join-prompt.ts';
import { openOutput } from '../../app/output.ts';
import { exitCodeOf, type PrintFormat, printTurn } from '../../app/print-turn.ts';
import type { Session } from '../../core/session.ts';
import { emptyState, noUsage, reduce } from '../../core/state.ts';
import type { Command, Event, LiveEvent, Served, StoredBody, StoredEvent } from '../../core/types.ts';

const SERVED: Served = { backend: 'ollama', model: 'm', local: true, latencyMs: 12, attempts: 1 };
const session: StoredBody = {
  type: 'session',
  id: 's1',
  version: 1,
  cwd: '/w',
  project: '/w',
  model: 'm',
  mode: 'ask',
  contextTokens: null,
  system: '',
  tools: [],
};
const user = (text: string): StoredBody => ({ type: 'user', text });
const says = (text: string, finish: 'stop' | 'tool_use' | 'aborted' | 'error' | 'length' = 'stop'): StoredBody => ({
  type: 'assistant',
  content: [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text },
  ],
  finish,
  served: SERVED,
});
const done = (finish: 'stop' | 'limit' | 'error' | 'aborted', text = ''): StoredBody => ({
  type: 'done',
  text,
  finish,
  usage: { ...noUsage(), input: 5 },
  turns: 1,
  denials: [],
  durationMs: 7,
});

/** A session whose log holds `stored` and in which a prompt causes `turn`. */
class FakeSession implements Session {
  readonly id = 's1';
  readonly file = '/w/.ada/sessions/s1.jsonl';
  readonly commands: Command[] = [];
  openedAt = 0;
  state = emptyState();
  readonly #log: StoredEvent[] = [];
  readonly #turn: readonly (StoredBody | LiveEvent)[];
  #queue: Event[] | undefined;
  #wake = () => {};

  constructor(stored: readonly StoredBody[], turn: readonly (StoredBody | LiveEvent)[]) {
    for (const body of stored) this.#append(body);
    // A stored turn was there before; a session's first line alone was written just now.
    this.openedAt = stored.some((body) => body.type === 'done') ? stored.length : 0;
    this.#turn = turn;
  }
  stored(): readonly StoredEvent[] {
    return this.#log;
  }
  window(): never {
    throw new Error('print draws no window');
  }
  send(command: Command) {
    this.commands.push(command);
    if (command.type === 'prompt') {
      this.#append(user(command.text));
      for (const body of this.#turn) {
        if (['text', 'reasoning', 'tool_progress'].includes(body.type)) this.#queue?.push(body as LiveEvent);
        else this.#append(body as StoredBody);
      }
      this.#wake();
    }
    return { ok: true as const };
  }
  async *events(_signal?: AbortSignal, fromSeq?: number): AsyncGenerator<Event> {
    const queue: Event[] = fromSeq === undefined ? [] : this.#log.filter((event) => event.seq >= fromSeq);
    this.#queue = queue;
    for (;;) {
      while (queue.length) yield queue.shift()!;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
  async close() {}
  #append(body: StoredBody) {
    const event = { ...body, seq: this.#log.length + 1, time: 1 } as StoredEvent;
    this.#log.push(event);
    this.state = reduce(this.state, event);
    this.#queue?.push(event);
  }
}

interface Options {
  stored?: readonly StoredBody[];
  verbose?: boolean;
  terminal?: boolean;
}

async function print(format: PrintFormat, turn: readonly (StoredBody | LiveEvent)[], options: Options = {}) {
  const written: string[] = [];
  const reports: string[] = [];
  const fake = new FakeSession(options.stored ?? [session], turn);
  const write = ((_fd: number, bytes: Buffer) => written.push(bytes.toString()) && bytes.length) as never;
  const output = openOutput(1, undefined, write);
  const end = await printTurn(fake, {
    format,
    prompt: 'go',
    output,
    report: (line) => reports.push(line),
    verbose: options.verbose ?? false,
    terminal: options.terminal ?? false,
  });
  await output.flush();
  return { out: written.join(''), reports, code: exitCodeOf(end, undefined), fake };
}

const lines = (out: string) =>
  out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe('text', () => {
  test('only the last message of the turn', async () => {
    const turn: (StoredBody | LiveEvent)[] = [
      { type: 'text', delta: 'Lo', at: 0 },
      says('Looking.', 'tool_use'),
      { type: 'tool_call', id: 'a', name: 'ls', detail: '.', input: {} },
      { type: 'tool_result', id: 'a', name: 'ls', output: 'x', isError: false },
      says('It is a sample.'),
      done('stop', 'It is a sample.'),
    ];
    expect(await print('text', turn)).toMatchObject({ out: 'It is a sample.\n', reports: [], code: 0 });
  });
  test('no second line feed', async () => {
    expect((await print('text', [says('a\n'), done('stop')])).out).toBe('a\n');
  });
  test.each<[string, readonly StoredBody[], number]>([
    ['aborted', [says('half', 'aborted'), done('aborted')], 130],
    ['aborted in a tool', [says('Running it.', 'tool_use'), done('aborted')], 130],
    [
      'failed',
      [says('half', 'error'), { type: 'error', code: 'network', message: 'gone', retryable: true }, done('error')],
      1,
    ],
    ['cut', [says('half', 'length'), done('limit')], 4],
    [
      'a model that is not there',
      [{ type: 'error', code: 'no_model', message: 'no m', retryable: false }, done('error')],
      3,
    ],
  ])('nothing of a message that is not complete: %s', async (_, turn, code) => {
    expect(await print('text', turn)).toMatchObject({ out: '', code });
  });
  test('a limit after a whole message shows that message', async () => {
    expect(await print('text', [says('Next step.', 'tool_use'), done('limit')])).toMatchObject({
      out: 'Next step.\n',
      code: 4,
    });
  });
  test('an empty answer is said, not printed', async () => {
    expect(await print('text', [says(''), done('stop')])).toMatchObject({
      out: '',
      reports: ['the answer is empty'],
      code: 0,
    });
  });
  test('control characters stay out of a terminal and in a pipe', async () => {
    const turn = [says('\x1b[31mred'), done('stop')];
    expect((await print('text', turn, { terminal: true })).out).toBe('red\n');
    expect((await print('text', turn)).out).toBe('\x1b[31mred\n');
  });
});

describe('json', () => {
  test('one object', async () => {
    const { out, code } = await print('json', [says('a'), done('stop', 'a')]);
    expect(code).toBe(0);
    expect(lines(out)).toEqual([
      {
        type: 'result',
        session: 's1',
        text: 'a',
        finish: 'stop',
        isError: false,
        error: null,
        usage: { ...noUsage(), input: 5 },
        turns: 1,
        denials: [],
        served: SERVED,
        durationMs: 7,
      },
    ]);
  });
  test('a failure is in it', async () => {
    const turn: StoredBody[] = [
      { type: 'error', code: 'authentication', message: 'bad key', retryable: false },
      done('error'),
    ];
    const { out, reports, code } = await print('json', turn);
    expect(lines(out)[0]).toMatchObject({
      isError: true,
      error: { code: 'authentication', message: 'bad key' },
      served: null,
    });
    expect(reports).toEqual(['bad key']);
    expect(code).toBe(1);
  });
});

describe('stream-json', () => {
  test('a new session shows everything, stored and live, in order', async () => {
    const stored: StoredBody[] = [session, { type: 'notice', level: 'info', text: 'n' }];
    const turn: (StoredBody | LiveEvent)[] = [{ type: 'text', delta: 'a', at: 0 }, says('a'), done('stop', 'a')];
    const events = lines((await print('stream-json', turn, { stored })).out);
    expect(events.map((event) => event.type)).toEqual(['session', 'notice', 'user', 'text', 'assistant', 'done']);
    expect(events.filter((event) => event.type !== 'text').map((event) => event.seq)).toEqual([1, 2, 3, 4, 5]);
    expect(events[3]).toEqual({ type: 'text', delta: 'a', at: 0 });
  });
  test('a session that goes on shows its first line and then only what is new', async () => {
    const stored = [session, user('before'), says('x'), done('stop', 'x')];
    const events = lines((await print('stream-json', [says('y'), done('stop', 'y')], { stored })).out);
    expect(events.map((event) => [event.type, event.seq])).toEqual([
      ['session', 1],
      ['user', 5],
      ['assistant', 6],
      ['done', 7],
    ]);
  });
  test('a line is a line, whatever is in it', async () => {
    const { out } = await print('stream-json', [says('a\u2028b\nc\u0000'), done('stop')]);
    expect(lines(out)[2].content[1].text).toBe('a\u2028b\nc\u0000');
  });
});

describe('standard error', () => {
  const turn: StoredBody[] = [
    { type: 'notice', level: 'info', text: 'fine' },
    { type: 'notice', level: 'warning', text: 'cut\nshort' },
    { type: 'retry', reason: 'rate limit', attempt: 2, delayMs: 1000, discard: false },
    { type: 'tool_call', id: 'a', name: 'bash', detail: 'rm -rf x', input: {} },
    { type: 'approval', id: 'a', decision: 'no', by: 'headless', reason: 'destructive' },
    { type: 'tool_result', id: 'a', name: 'bash', output: 'Denied', isError: true },
    says('ok'),
    done('stop', 'ok'),
  ];
  test('warnings, retries and denials, one line each', async () => {
    expect((await print('text', turn)).reports).toEqual([
      'cut short',
      'trying again in 1.0 s (attempt 2): rate limit',
      'denied: bash rm -rf x (destructive)',
    ]);
  });
  test('a person who watches also sees the calls', async () => {
    expect((await print('text', turn, { verbose: true })).reports).toEqual([
      'fine',
      'cut short',
      'trying again in 1.0 s (attempt 2): rate limit',
      'bash rm -rf x',
      'denied: bash rm -rf x (destructive)',
      'bash failed: Denied',
    ]);
  });
  test('a move to another model is said once, where its notice is shown and where it is not', async () => {
    const moves = (['hosted', 'local'] as const).flatMap((moved): StoredBody[] => [
      { type: 'notice', level: moved === 'hosted' ? 'warning' : 'info', text: `a is gone, b answers (${moved})` },
      { type: 'retry', reason: 'a is gone, b answers', attempt: 2, delayMs: 0, discard: false, moved },
    ]);
    const said = [...moves, says('ok'), done('stop', 'ok')];
    expect((await print('text', said)).reports).toEqual([
      'a is gone, b answers (hosted)',
      'trying again (attempt 2): a is gone, b answers',
    ]);
    expect((await print('text', said, { verbose: true })).reports).toEqual([
      'a is gone, b answers (hosted)',
      'a is gone, b answers (local)',
    ]);
  });
  test('the stream carries them itself', async () => {
    expect((await print('stream-json', turn)).reports).toEqual([]);
  });
});

test('images travel with the prompt', async () => {
  const fake = new FakeSession([session], [says('a'), done('stop')]);
  const image = { type: 'image' as const, source: { type: 'url' as const, url: 'https://a/b.png' } };
  await printTurn(fake, {
    format: 'text',
    prompt: 'look',
    images: [image],
    output: openOutput(1, undefined, ((_: number, bytes: Buffer) => bytes.length) as never),
    report: () => {},
    verbose: false,
    terminal: false,
  });
  expect(fake.commands).toEqual([{ type: 'prompt', text: 'look', images: [image] }]);
});

test.each([
  ['a', '', 'a'],
  ['', 'b\n', 'b'],
  ['a', 'b\r\n\n', 'a\n\nb'],
  ['a', '\n \n', 'a'],
  ['', '', ''],
  ['', '  indented\nlines\n', '  indented\nlines'],
])('prompt %j and pipe %j', (argument, piped, prompt) => expect(joinPrompt(argument, piped)).toBe(prompt));
