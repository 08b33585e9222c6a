import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CompactionPort, compact } from '../../../core/compaction/compact.ts';
import { planCompaction } from '../../../core/compaction/plan.ts';
import { type Budget, charactersOf } from '../../../core/compaction/size.ts';
import { lacking, wholeSummary, writtenIn } from '../../../core/compaction/summary.ts';
import { SummaryFacts } from '../../../core/compaction/summary-facts.ts';
import { type Entry, History, history } from '../../../core/history.ts';
import { emptyState, reduce } from '../../../core/state.ts';
import type { StoredBody, StoredEvent } from '../../../core/types.ts';
import type { IRChatRequest, IRStreamChunk } from '../../../providers/ir.ts';

const served = { backend: 'b', model: 'm', local: true, latencyMs: 1, attempts: 1 };
const session: StoredBody = {
  type: 'session',
  id: 's',
  version: 1,
  cwd: '/p',
  project: '/p',
  model: 'm',
  mode: 'ask',
  contextTokens: 8192,
  system: 'You are ada. Instructions: never push.',
  tools: [],
};

/** A turn that reads files: each read is a message with one call and its result. */
function reads(count: number, size: number, from = 0): StoredBody[] {
  return Array.from({ length: count }, (_, i): StoredBody[] => {
    const id = `c${from + i}`;
    const path = `src/${from + i}.ts`;
    return [
      {
        type: 'assistant',
        content: [{ type: 'tool_use', id, name: 'read_file', input: { path } }],
        finish: 'tool_use',
        served,
      },
      { type: 'tool_call', id, name: 'read_file', detail: path, input: { path } },
      { type: 'tool_result', id, name: 'read_file', output: 'x'.repeat(size), isError: false },
    ];
  }).flat();
}

const numbered = (bodies: readonly StoredBody[]): StoredEvent[] =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, time: 0 }));

function fold(events: readonly StoredEvent[]): History {
  const result = new History(() => events);
  for (const event of events) result.add(event);
  return result;
}

/** What the planner takes a request with these messages for. */
const tokensOf = (entries: readonly Entry[], { tokensPerCharacter, tools }: Budget): number =>
  Math.ceil((tools + entries.reduce((sum, { message }) => sum + charactersOf(message), 0)) * tokensPerCharacter);

const budget: Budget = { window: 8192, limit: 6144, tokensPerCharacter: 0.25, tools: 3_000 };
const user = (text: string): StoredBody => ({ type: 'user', text });
const said = (text: string): StoredBody => ({
  type: 'assistant',
  content: [{ type: 'text', text }],
  finish: 'stop',
  served,
});

describe('planCompaction', () => {
  const plan = (bodies: StoredBody[], force = false) =>
    planCompaction(fold(numbered([session, ...bodies])).entries(), budget, force);

  it('leaves alone what fits', () => {
    expect(plan([user('go'), ...reads(3, 2_000)])).toEqual({ kind: 'none' });
  });

  it('first leaves out old results', () => {
    const found = plan([user('go'), ...reads(10, 4_000)]);
    expect(found.kind).toBe('prune');
    if (found.kind === 'prune') expect(found.after).toBeLessThan(found.before);
  });

  it('leaves the newest result as long as there is room for it', () => {
    const found = plan([user('go'), ...reads(6, 2_000), ...reads(1, 18_000)]);
    if (found.kind !== 'prune') throw new Error(found.kind);
    expect(found.clip).toBeGreaterThan(9_000);
    expect(found.after).toBeLessThanOrEqual(Math.ceil(budget.limit * 0.7));
    expect(found.after).toBeGreaterThan(budget.limit * 0.6);
  });

  it('summarises what has no results to leave out', () => {
    const turns = Array.from({ length: 40 }, (_, i) => [
      user(`question ${i} ${'w'.repeat(300)}`),
      said('a'.repeat(600)),
    ]);
    expect(plan(turns.flat()).kind).toBe('summarise');
  });

  it('keeps the newest messages, up to a quarter of the window', () => {
    const turns = Array.from({ length: 40 }, (_, i) => [user(`question ${i}`), said('a'.repeat(900))]).flat();
    const events = numbered([session, ...turns]);
    const found = planCompaction(fold(events).entries(), budget);
    if (found.kind !== 'summarise') throw new Error(found.kind);
    const kept = fold(events)
      .entries()
      .filter(({ seq }) => seq >= found.from);
    const tokens = tokensOf(kept, { ...budget, tools: 0 });
    expect(tokens).toBeLessThanOrEqual(budget.window / 4);
    expect(tokens).toBeGreaterThan(budget.window / 8);
  });

  it('gives up with the sizes where what must stay is too much', () => {
    const found = plan([user('w'.repeat(40_000))]);
    expect(found.kind).toBe('stuck');
    if (found.kind === 'stuck') expect(found.sizes.prompt).toBeGreaterThan(9_000);
  });

  describe('in a small window', () => {
    const small: Budget = { window: 2_048, limit: 1_536, tokensPerCharacter: 0.25, tools: 2_532 };
    const planned = (bodies: StoredBody[], force = false) =>
      planCompaction(fold(numbered([{ ...session, system: 's'.repeat(1_240) }, ...bodies])).entries(), small, force);
    const three = [user('Read them.'), ...reads(3, 3_590), said('Read.'), user('And now?')];

    it.each([false, true])('does not give up where what must stay fits (forced: %s)', (force) => {
      const found = planned(three, force);
      expect(['prune', 'summarise']).toContain(found.kind);
      if (found.kind === 'prune' || found.kind === 'summarise') expect(found.after).toBeLessThan(1_946);
    });

    it('makes the summary as short as it must be', () => {
      const talk = Array.from({ length: 6 }, (_, i) => [
        user(`question ${i} ${'q'.repeat(200)}`),
        said('a'.repeat(300)),
      ]);
      const found = planned([...talk.flat(), user('And now?')]);
      if (found.kind !== 'summarise') throw new Error(found.kind);
      expect(found.room).toBeGreaterThanOrEqual(400);
      expect(found.room).toBeLessThan(1_500);
      expect(found.after).toBeLessThanOrEqual(small.limit);
    });

    it('keeps several results of one message together, each a part', () => {
      const ids = ['a', 'b', 'c'];
      const content = ids.map((id) => ({ type: 'tool_use' as const, id, name: 'read_file', input: { path: id } }));
      const results = ids.map(
        (id): StoredBody => ({ type: 'tool_result', id, name: 'read_file', output: 'x'.repeat(3_000), isError: false }),
      );
      const found = planned([user('go'), { type: 'assistant', content, finish: 'tool_use', served }, ...results]);
      if (found.kind !== 'prune') throw new Error(found.kind);
      expect(found.after).toBeLessThanOrEqual(small.limit);
      expect(found.clip).toBeGreaterThanOrEqual(400);
    });

    it('gives up where it does not', () => {
      expect(planned([user('w'.repeat(5_000))]).kind).toBe('stuck');
    });
  });

  it('makes room where the server says so, whatever was estimated', () => {
    expect(plan([user('go'), ...reads(6, 2_500)], true).kind).not.toBe('none');
    expect(plan([user('go')], true).kind).toBe('stuck');
  });
});

describe('history after compaction', () => {
  const long = [session, user('fix the parser'), ...reads(10, 4_000)];

  it('says in one line what was left out and keeps the newest results', () => {
    const events = numbered(long);
    const found = planCompaction(fold(events).entries(), budget);
    if (found.kind !== 'prune') throw new Error(found.kind);
    const { before, after, pruneBefore, clip } = found;
    const messages = history([
      ...events,
      { type: 'compaction', before, after, summary: '', pruneBefore, clip, seq: 99, time: 0 },
    ]);
    const text = JSON.stringify(messages);
    expect(text).toContain('[result of read_file src/0.ts: 1 lines, 4000 characters, left out to save room.');
    expect(JSON.stringify(messages.at(-1))).toContain('x'.repeat(1_000));
    expect(messages.length).toBe(history(events).length);
  });

  const anyBody = fc.oneof(
    fc.string({ maxLength: 40 }).map(user),
    fc.string({ maxLength: 300 }).map(said),
    fc.tuple(fc.nat(60), fc.nat(9_000)).map(([n, size]) => reads(1, size, n)),
    fc
      .constantFrom('skill', 'mode', 'todos')
      .map((about): StoredBody => ({ type: 'note', about, text: `note ${about}` }) as StoredBody),
    fc.record({ from: fc.nat(60), pruneBefore: fc.nat(60), clip: fc.nat(3_000) }).map(
      (fields): StoredBody => ({
        type: 'compaction',
        before: 2,
        after: 1,
        summary: 'what was',
        ...fields,
      }),
    ),
  );

  it('always keeps the system prompt, skills, the newest prompt and a result for each call', () => {
    fc.assert(
      fc.property(fc.array(anyBody, { maxLength: 30 }), (bodies) => {
        const events = numbered([session, ...bodies.flat()]);
        const entries = fold(events).entries();
        expect(entries[0]!.from).toBe('system');
        const prompt = events.findLast((event) => event.type === 'user' && event.text.trim());
        if (prompt) expect(entries.some(({ seq }) => seq === prompt.seq)).toBe(true);
        const skills = events.filter((event) => event.type === 'note' && event.about === 'skill');
        for (const { seq } of skills) expect(entries.some((entry) => entry.seq === seq)).toBe(true);
        entries.forEach((entry, i) => {
          if (entry.from === 'result') expect(['assistant', 'result']).toContain(entries[i - 1]!.from);
        });
        // However often it is measured on the way.
        const grown = new History(() => events);
        for (const event of events) {
          grown.add(event);
          grown.characters;
        }
        expect(grown.characters).toBe(fold(events).characters);
        // A replayed log says the same.
        expect(JSON.stringify(history(structuredClone(events)))).toBe(
          JSON.stringify(entries.map(({ message }) => message)),
        );
      }),
      { numRuns: 200 },
    );
  });
});

const GOOD =
  '## Goal\nFix the parser, never push.\n## Decisions\nUse a table.\n## Done\nRead ten files.\n## Next step\nEdit.';

/** Holds a request for a summary too. */
const roomy: Budget = { ...budget, window: 11_500 };

/** A session whose model gives these answers to requests for a summary. */
function sessionWith(bodies: readonly StoredBody[], answers: readonly string[], onAsk?: () => void) {
  const events = numbered(bodies);
  const controller = new AbortController();
  const asked: IRChatRequest[] = [];
  async function* answer(request: IRChatRequest): AsyncGenerator<IRStreamChunk, void, undefined> {
    asked.push(request);
    onAsk?.();
    const metadata = { requestId: 'r', timestamp: 0 };
    yield { type: 'start', sequence: 0, metadata };
    yield { type: 'content', sequence: 1, delta: answers[asked.length - 1] ?? '' };
    yield { type: 'done', sequence: 2, finishReason: 'stop', metadata };
  }
  const port: CompactionPort = {
    get facts() {
      const facts = new SummaryFacts(() => events);
      for (const event of events) facts.add(event);
      return facts;
    },
    get state() {
      return events.reduce(reduce, emptyState());
    },
    entries: (): readonly Entry[] => fold(events).entries(),
    characters: () => fold(events).characters,
    request: () => ({ messages: history(events), metadata: { requestId: 'r', timestamp: 0 } }),
    ask: answer,
    append(body) {
      events.push({ ...body, seq: events.length + 1, time: 0 });
    },
    doing() {},
  };
  const options = { budget: roomy, signal: controller.signal };
  return { port, events, asked, controller, options };
}

describe('compact', () => {
  const turns = Array.from({ length: 40 }, (_, i) => [user(`question ${i} ${'w'.repeat(300)}`), said('a'.repeat(600))]);
  const bodies = [
    session,
    ...turns.flat(),
    { type: 'todos', items: [{ text: 'write the test', status: 'pending' }] } as StoredBody,
    user('ship it'),
  ];

  it('asks the model behind the same messages and adds what the log knows', async () => {
    const { port, events, asked, options } = sessionWith(bodies, [GOOD]);
    const before = history(events);
    const result = await compact(port, { ...options, keep: 'the name of the branch' });
    expect(result).toMatchObject({ kind: 'done', summarised: true });
    expect(asked).toHaveLength(1);
    expect(asked[0]!.messages.slice(0, -1)).toEqual(before);
    expect(JSON.stringify(asked[0]!.messages.at(-1))).toContain('the name of the branch');
    const after = history(events);
    const text = JSON.stringify(after);
    for (const part of ['Fix the parser, never push.', 'write the test', 'question 0 ', 'ship it', 'Mode: ask'])
      expect(text.includes(part), part).toBe(true);
    expect(after[0]).toEqual(before[0]);
    expect(tokensOf(fold(events).entries(), budget)).toBeLessThan(budget.limit);
  });

  it('lets a poor summary be repaired once', async () => {
    const { port, asked, events, options } = sessionWith(bodies, ['I did things.', GOOD]);
    await compact(port, options);
    expect(asked).toHaveLength(2);
    expect(JSON.stringify(asked[1]!.messages.at(-1))).toContain('## Goal');
    expect(JSON.stringify(events.at(-1))).toContain('Use a table.');
  });

  const REFUSAL = "I'm sorry, I can't help with that. As a model I am not able to continue this conversation.";
  const summaryOf = (events: readonly StoredEvent[]) => {
    const last = events.findLast((event) => event.type === 'compaction');
    return last?.type === 'compaction' ? last.summary : '';
  };

  it.each([
    ['nothing', '', ''],
    ['a refusal, twice', REFUSAL, REFUSAL],
    ['chatter', 'Sure! Here is the file that you wanted, it is all in there, have a look.', REFUSAL],
  ])('goes on with what the log knows where the model gives %s, and says so', async (_, ...answers) => {
    const { port, events, options } = sessionWith(bodies, answers);
    expect(await compact(port, options)).toMatchObject({ kind: 'done' });
    expect(summaryOf(events)).toContain('question 25');
    for (const answer of answers.filter(Boolean)) expect(summaryOf(events)).not.toContain(answer);
    expect(events.filter((event) => event.type === 'notice')).toHaveLength(1);
  });

  it('takes the better of two answers', async () => {
    const first = GOOD.replace(/## Done[^#]*/, '');
    for (const second of [REFUSAL, '## Goal\nSomething else, in many words that say nothing of what was wanted.']) {
      const { port, events, asked, options } = sessionWith(bodies, [first, second]);
      await compact(port, options);
      expect(asked).toHaveLength(2);
      expect(summaryOf(events)).toContain('Use a table.');
      expect(summaryOf(events)).not.toContain(second);
      expect(events.some((event) => event.type === 'notice')).toBe(false);
    }
  });

  it('keeps what the model wrote before where it gives nothing now, and one summary', async () => {
    const { port, events, options } = sessionWith(bodies, [GOOD]);
    await compact(port, options);
    for (const body of turns.flat()) events.push({ ...body, seq: events.length + 1, time: 0 });
    await compact(port, options);
    const text = JSON.stringify(history(events));
    expect(text.split('Older messages were left out')).toHaveLength(2);
    expect(text.split('Use a table.')).toHaveLength(2);
  });

  it('changes nothing when it is stopped', async () => {
    const made = sessionWith(bodies, [GOOD], () => made.controller.abort());
    const count = made.events.length;
    expect(await compact(made.port, made.options)).toEqual({ kind: 'aborted' });
    expect(made.events).toHaveLength(count);
  });
});

describe('wholeSummary', () => {
  const events = numbered([
    session,
    user('first: build the parser'),
    ...Array.from({ length: 20 }, (_, i): StoredBody[] => [
      user(`wish ${i} ${'w'.repeat(300)}`),
      {
        type: 'tool_result',
        id: `e${i}`,
        name: 'edit_file',
        output: 'ok',
        isError: false,
        display: { kind: 'diff', path: `src/${i}.ts`, patch: '', added: 1, removed: 0 },
      },
    ]).flat(),
    {
      type: 'todos',
      items: [
        { text: 'read', status: 'done' },
        { text: 'write the test', status: 'pending' },
      ],
    } as StoredBody,
  ]);
  const facts = new SummaryFacts(() => events);
  for (const event of events) facts.add(event);
  const state = events.reduce(reduce, emptyState());
  const written = `${GOOD}\n${'A further fact. '.repeat(300)}`;

  it.each([500, 800, 1_500, 4_000])('keeps within %i characters and tells of everything', (room) => {
    const text = wholeSummary(written, facts, 99, state, room);
    expect(text.length).toBeLessThanOrEqual(room);
    for (const part of ['## Goal', 'first: ', 'src/19.ts', 'write the test', 'Mode: ask'])
      expect(text.includes(part), part).toBe(true);
  });

  it('tells what binds before what is only newer, each as often as room is made', () => {
    const talk = numbered([
      session,
      user('build the parser'),
      ...Array.from({ length: 90 }, (_, i) =>
        user(i % 5 === 0 ? `file ${i} must never be touched` : `look at part ${i} ${'w'.repeat(60)}`),
      ),
    ]);
    const known = new SummaryFacts(() => talk);
    for (const event of talk) known.add(event);
    const text = wholeSummary(GOOD, known, 999, state, 2_400);
    expect(text.length).toBeLessThanOrEqual(2_400);
    for (let i = 0; i < 90; i += 5) expect(text).toContain(`file ${i} must never be touched`);
    expect(text).toContain('part 89 ');
    expect(text).not.toContain('part 61 ');
    expect(text.indexOf('file 5 ')).toBeLessThan(text.indexOf('file 85 '));
  });

  it('keeps of a long prompt also what binds at its end', () => {
    const known = new SummaryFacts(() => []);
    const prompt = `Look at this:\n${'a line of a log\n'.repeat(100)}\nNever change the lexer. Thanks.`;
    for (const event of numbered([session, user(prompt)])) known.add(event);
    expect(known.promptsBefore(99)[0]).toMatch(/^Look at this:.* \[…\] Never change the lexer\.$/s);
    expect(known.promptsBefore(99)[0]!.length).toBeLessThan(450);
  });

  it('knows its own part again', () => {
    expect(writtenIn(wholeSummary(GOOD, facts, 99, state))).toBe(GOOD);
    expect(writtenIn(wholeSummary(undefined, facts, 99, state))).toBeUndefined();
    expect(writtenIn('something else')).toBeUndefined();
  });

  it('leaves nothing out where there is room', () => {
    const text = wholeSummary(GOOD, facts, 99, state);
    for (const part of [GOOD, 'wish 19', 'wish 8 ', '- src/0.ts (one change)', '- [done] read'])
      expect(text.includes(part), part).toBe(true);
  });
});

describe('lacking', () => {
  it('wants every heading and some facts', () => {
    expect(lacking(GOOD)).toBeUndefined();
    expect(lacking(GOOD.replace('## Goal', '**Goal**'))).toBeUndefined();
    expect(lacking('## Goal\nx')).toContain('## Decisions');
    expect(lacking('## Goal\n## Decisions\n## Done\n## Next step')).toContain('too little');
  });
});
