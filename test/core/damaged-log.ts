/** Logs of real shape, and what a seed makes of them. */
import type { StoredBody } from '../../core/types.ts';

const served = { backend: 'ollama', model: 'qwen3:8b', local: true, latencyMs: 12, attempts: 1 };
const usage = { input: 900, output: 20, cacheRead: null, cacheWrite: null, reasoning: null, cost: null };
const image = {
  type: 'image' as const,
  source: { type: 'base64' as const, mediaType: 'image/png', data: 'iVBORw0KGgo=' },
};

/** One turn: two calls side by side, one that is asked for, and an answer. */
function turn(n: number): StoredBody[] {
  const call = (id: string, name: string, input: Record<string, unknown>) =>
    ({ type: 'tool_use', id: `call_${n}_${id}`, name, input }) as const;
  const [read, list, run] = [
    call('a', 'read_file', { path: `src/${n}.ts` }),
    call('b', 'list_files', { path: 'src' }),
    call('c', 'bash', { command: `npm test -- ${n}` }),
  ];
  const called = (part: typeof read): StoredBody => ({
    type: 'tool_call',
    id: part.id,
    name: part.name,
    detail: String(Object.values(part.input)[0]),
    input: part.input,
  });
  const result = (part: typeof read, output: string, isError = false): StoredBody => ({
    type: 'tool_result',
    id: part.id,
    name: part.name,
    output,
    isError,
  });
  return [
    {
      type: 'user',
      text: `Prompt ${n}: fix what the test says, with “quotes”, \u2028 and 🙂.`,
      ...(n % 3 === 1 && { images: [image] }),
    },
    {
      type: 'assistant',
      content: [
        { type: 'reasoning', text: 'Look first.', signature: `sig${n}`, model: 'qwen3:8b' },
        { type: 'text', text: `I look at file ${n}.` },
        read,
        list,
      ],
      finish: 'tool_use',
      usage,
      served,
    },
    called(read),
    called(list),
    result(read, `line of ${n}\n`.repeat(30)),
    { type: 'user', text: 'And be quick.', steered: true },
    result(list, ''),
    { type: 'todos', items: [{ text: `step ${n}`, status: 'active' }] },
    { type: 'note', text: 'The skill says so.', about: 'skill' },
    { type: 'assistant', content: [run], finish: 'tool_use', usage, served },
    called(run),
    {
      type: 'approval_request',
      id: run.id,
      name: 'bash',
      summary: 'npm test',
      input: run.input,
      rule: 'bash(npm test *)',
    },
    {
      type: 'approval',
      id: run.id,
      decision: n % 2 ? 'yes' : 'no',
      by: 'user',
      rule: 'bash(npm test *)',
      scope: 'session',
    },
    {
      ...(result(run, `${n} failed`, true) as Extract<StoredBody, { type: 'tool_result' }>),
      display: { kind: 'terminal', command: 'npm test', output: 'x'.repeat(200), exitCode: 1 },
      images: [image],
    },
    { type: 'retry', reason: 'the server was busy', attempt: 2, delayMs: 10, discard: true },
    { type: 'notice', level: 'info', text: 'another server answered' },
    { type: 'assistant', content: [{ type: 'text', text: `Done with ${n}.` }], finish: 'stop', usage, served },
    { type: 'done', text: `Done with ${n}.`, finish: 'stop', usage, turns: 3, denials: [], durationMs: 5 },
  ];
}

const BODIES: readonly StoredBody[] = [
  {
    type: 'session',
    id: 's',
    version: 1,
    cwd: '/p',
    project: '/p',
    model: 'qwen3:8b',
    mode: 'ask',
    contextTokens: 8192,
    system: 'You are ada.',
    tools: [{ name: 'bash', description: 'runs', parameters: { type: 'object' } }],
  },
  ...turn(1),
  { type: 'mode', value: 'auto' },
  ...turn(2),
  { type: 'compaction', before: 7000, after: 3000, summary: '', pruneBefore: 25, clip: 900 },
  { type: 'question', id: 'question_9', text: 'Which one?', options: ['a', 'b'], leave: 'openai/gpt' },
  { type: 'answer', id: 'question_9', text: 'yes' },
  ...turn(3),
  { type: 'model', value: 'other' },
  { type: 'user', text: 'Too long.' },
  { type: 'error', code: 'overflow', message: 'too long', retryable: false },
  { type: 'done', text: '', finish: 'error', usage, turns: 0, denials: [], durationMs: 1 },
  { type: 'compaction', before: 7000, after: 2000, summary: 'Goal: fix it.', from: 45, pruneBefore: 45, clip: 900 },
  { type: 'rule', action: 'forget', rule: 'bash(npm test *)' },
  { type: 'skill', name: 'debug', reason: 'auto' },
  ...turn(4),
];

const LINES = BODIES.map((body, i) => JSON.stringify({ ...body, seq: i + 1, time: 1_700_000_000_000 + i }));

/** Whole numbers from 0 below `limit`, the same for the same seed (mulberry32). */
export function dice(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

type Roll = (limit: number) => number;
const ODD: readonly unknown[] = [
  null,
  5,
  -1,
  1.5,
  true,
  '',
  'x',
  '5',
  [],
  {},
  [null],
  [1, 'x'],
  [[]],
  [{}],
  { type: 'x' },
  { length: 3 },
  2 ** 53,
  2 ** 53 - 1,
  -(2 ** 40),
  1e308,
  '\0',
  '\ud800',
  '__proto__',
  'constructor',
  'x'.repeat(500),
  [{ type: 'tool_use', id: 'call_1_a', name: 'bash', input: {} }],
  [{ type: 'image' }],
  [{ type: 'text', text: 'x' }],
];

/** Any place in a JSON value gets another value, goes away, or gets a neighbour. */
function changed(value: any, roll: Roll, depth = 0): any {
  const keys = value && typeof value === 'object' ? Object.keys(value) : [];
  if (!keys.length || (depth > 0 && roll(3) === 0)) return ODD[roll(ODD.length)];
  const key = keys[roll(keys.length)]!;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const kind = roll(5);
  if (kind === 0) delete copy[key];
  else if (kind === 1) copy[`${key}_later`] = { deep: [ODD[roll(ODD.length)]] };
  else copy[key] = changed(value[key], roll, depth + 1);
  return copy;
}

const MUTATIONS: readonly ((lines: Buffer[], roll: Roll) => void)[] = [
  // A bit flips.
  (lines, roll) => {
    const line = lines[roll(lines.length)]!;
    if (line.length) line[roll(line.length)]! ^= 1 << roll(8);
  },
  // A line is torn, and the next one goes on behind it.
  (lines, roll) => {
    const at = roll(lines.length);
    const line = lines[at]!;
    lines.splice(at, 2, Buffer.concat([line.subarray(0, roll(line.length + 1)), lines[at + 1] ?? Buffer.alloc(0)]));
  },
  // The end is torn off: all lines after it were never written.
  (lines, roll) => {
    const at = roll(lines.length);
    const line = lines[at]!;
    lines.splice(at, lines.length, line.subarray(0, roll(line.length + 1)));
  },
  // Twice, elsewhere, gone.
  (lines, roll) => void lines.splice(roll(lines.length + 1), 0, Buffer.from(lines[roll(lines.length)]!)),
  (lines, roll) => void lines.splice(roll(lines.length), 0, ...lines.splice(roll(lines.length), 1 + roll(3))),
  (lines, roll) => void lines.splice(roll(lines.length), 1 + roll(4)),
  (lines) => void lines.shift(),
  // What a power cut leaves.
  (lines, roll) => {
    const at = roll(lines.length);
    lines[at] = Buffer.alloc(1 + roll(400));
  },
  (lines, roll) => {
    const at = roll(lines.length);
    lines[at] = Buffer.concat([Buffer.alloc(1 + roll(64)), lines[at]!]);
  },
  // What editors and other programs leave.
  (lines, roll) => void lines.splice(roll(lines.length + 1), 0, Buffer.from('a\u2028b\u2029\ufeff')),
  (lines, roll) => {
    const at = roll(lines.length);
    lines[at] = Buffer.concat([lines[at]!, Buffer.from('\r')]);
  },
  (lines, roll) => {
    const at = roll(lines.length);
    const odd = ['[]', 'null', '42', '"x"', '{}', '{"type":"user"}', '{"seq":7}', '[[[[', '\ufeff{}'];
    lines.splice(at, 0, Buffer.from(odd[roll(odd.length)]!));
  },
  // Of other versions: types, fields, values.
  (lines, roll) => {
    const more = JSON.stringify({
      type: `later_${roll(9)}`,
      seq: 1 + roll(200),
      time: 'x',
      extra: ODD[roll(ODD.length)],
    });
    lines.splice(roll(lines.length + 1), 0, Buffer.from(more));
  },
  ...Array.from({ length: 6 }, () => (lines: Buffer[], roll: Roll) => {
    const at = roll(lines.length);
    try {
      lines[at] = Buffer.from(JSON.stringify(changed(JSON.parse(lines[at]!.toString()), roll)) ?? '');
    } catch {
      // It was damaged before.
    }
  }),
  // Another program counted on in the same log: one number, two records, which may differ in the time alone.
  (lines, roll) => {
    const [from, to] = [roll(lines.length), roll(lines.length)];
    const seq = /"seq":(\d+)/.exec(lines[to]!.toString())?.[1] ?? '1';
    const twin = lines[from]!.toString().replace(/"seq":\d+/, `"seq":${seq}`);
    lines.splice(to + roll(2), 0, Buffer.from(roll(3) ? twin : twin.replace(/"time":\d+/, '"time":7')));
  },
  // Numbers and times as text, of other kinds, out of every range, gone.
  (lines, roll) => {
    const values = ['"5"', '"12"', '"x"', 'null', '{}', '1e30', '-3', '2.5', '"2026-11-30"'];
    const field = roll(2) ? 'seq' : 'time';
    const from = roll(lines.length);
    for (let at = from; at < Math.min(lines.length, from + 1 + roll(4)); at++) {
      const written = roll(4) ? `"${field}":${values[roll(values.length)]}` : '"other":1';
      lines[at] = Buffer.from(lines[at]!.toString().replace(new RegExp(`"${field}":\\d+`), written));
    }
  },
  // Byte order marks, white space and carriage returns around any line, or around all of them.
  (lines, roll) => {
    const around = ['\ufeff', ' ', '\t', '\r', '\u00a0', ' \ufeff '];
    const some = () => (roll(2) ? around[roll(around.length)]! : '');
    const [from, count] = roll(4) ? [roll(lines.length), 1 + roll(3)] : [0, lines.length];
    for (let at = from; at < Math.min(lines.length, from + count); at++)
      lines[at] = Buffer.concat([Buffer.from(some()), lines[at]!, Buffer.from(some())]);
  },
  // A compaction that points anywhere.
  (lines, roll) => {
    const numbers = [-5, 0, 1, 20, 40, 60, 9_999, 1e15, 2.5];
    const any = () => numbers[roll(numbers.length)];
    const body = {
      type: 'compaction',
      before: any(),
      after: any(),
      summary: roll(2) ? 'S' : '',
      from: any(),
      pruneBefore: any(),
      clip: any(),
    };
    const seq = 1 + roll(lines.length + 4);
    lines.splice(roll(lines.length + 1), 0, Buffer.from(JSON.stringify({ ...body, seq, time: 1 })));
  },
  // Numbers that collide or run away.
  (lines, roll) => {
    const at = roll(lines.length);
    const seqs = [0, -1, 3, 2 ** 53 - 1, 2 ** 53 - 2, 2 ** 31, 77];
    lines[at] = Buffer.from(lines[at]!.toString().replace(/"seq":\d+/, `"seq":${seqs[roll(seqs.length)]}`));
  },
];

/** Rarely: a line of a size that nobody expects. */
const huge = (seq: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: 'tool_result',
      id: 'call_1_a',
      name: 'bash',
      output: 'y'.repeat(2_000_000),
      isError: false,
      seq,
      time: 1,
    }),
  );

/** The bytes of a log that the seed damaged, in one to six ways. */
export function damaged(seed: number): Buffer {
  const roll = dice(seed);
  const lines: Buffer[] = LINES.slice(0, 1 + roll(LINES.length)).map((line) => Buffer.from(line));
  for (let times = 1 + roll(6); times > 0; times--) {
    if (!lines.length) lines.push(Buffer.alloc(0));
    MUTATIONS[roll(MUTATIONS.length)]!(lines, roll);
  }
  if (roll(100) === 0) lines.splice(roll(lines.length + 1), 0, huge(300));
  const text = lines.flatMap((line, i) => (i ? [Buffer.from('\n'), line] : [line]));
  return Buffer.concat(roll(3) ? [...text, Buffer.from('\n')] : text);
}
