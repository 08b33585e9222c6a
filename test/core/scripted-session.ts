/** A session in a folder of its own whose model says what a script says. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { createPermissions } from '../../core/permission/permission.ts';
import { openSession, type Session } from '../../core/session.ts';
import type { SessionOptions } from '../../core/session-options.ts';
import { logFile, openLog } from '../../core/store.ts';
import { coreTools } from '../../core/tools/index.ts';
import type { Event, EventOf, Mode } from '../../core/types.ts';
import type { IRChatRequest, IRChatStream, IRStreamChunk } from '../../providers/ir.ts';

export type Said = {
  /** Tokens of the prompt as the server counts them. */
  counted?: number;
  text?: string;
  calls?: readonly [string, Record<string, unknown>][];
  broken?: string;
  fail?: Error;
  hang?: true;
};

export let dir: string;
const sessions: Session[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ada-session-'));
  writeFileSync(join(dir, 'a.txt'), 'alpha\n');
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  rmSync(dir, { recursive: true, force: true });
});

/** A model that says these things in turn; ids begin at `c0` in every answer, as some servers number them. */
export function model(script: readonly Said[]): { ask: SessionOptions['ask']; requests: IRChatRequest[] } {
  const requests: IRChatRequest[] = [];
  async function* answer(said: Said, signal: AbortSignal): AsyncGenerator<IRStreamChunk> {
    const metadata = {
      requestId: 'r',
      timestamp: 0,
      provenance: { backend: 'scripted', servedModel: 'm', local: true },
      custom: { latencyMs: 1, attempts: 1 },
    };
    let sequence = 0;
    yield { sequence: sequence++, type: 'start', metadata };
    if (said.text) yield { sequence: sequence++, type: 'content', delta: said.text };
    if (said.hang) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      yield { sequence, type: 'error', error: new Error('aborted') };
      return;
    }
    if (said.fail) {
      yield { sequence, type: 'error', error: said.fail };
      return;
    }
    for (const [i, [name, input]] of (said.calls ?? []).entries()) {
      yield { sequence: sequence++, type: 'tool_use_start', id: `c${i}`, name };
      yield { sequence: sequence++, type: 'tool_use_end', id: `c${i}`, input };
    }
    if (said.broken !== undefined) {
      yield { sequence: sequence++, type: 'tool_use_start', id: 'b', name: 'bash' };
      yield { sequence: sequence++, type: 'tool_use_end', id: 'b', input: {}, raw: said.broken, invalid: 'cut off' };
    }
    const usage = {
      promptTokens: said.counted ?? 10,
      completionTokens: 2,
      totalTokens: null,
      cacheReadTokens: null,
      cacheWriteTokens: null,
      reasoningTokens: null,
    };
    yield { sequence, type: 'done', finishReason: said.calls ? 'tool_use' : 'stop', usage, metadata };
  }
  const ask = (request: IRChatRequest, signal: AbortSignal): IRChatStream => {
    const said = script[Math.min(requests.length, script.length - 1)]!;
    requests.push(structuredClone(request));
    return answer(said, signal);
  };
  return { ask, requests };
}

export function start(script: readonly Said[], more: Partial<SessionOptions> & { mode?: Mode; id?: string } = {}) {
  const { ask, requests } = model(script);
  const opened = openLog(logFile(dir, more.id ?? 's'), join(dir, 'state'));
  if ('held' in opened) throw new Error('held');
  const { log } = opened;
  const tools = coreTools();
  if (!log.openedAt)
    log.append({
      type: 'session',
      id: 's',
      version: 1,
      cwd: dir,
      project: dir,
      model: 'm',
      mode: more.mode ?? 'auto',
      contextTokens: null,
      system: 'You are a test.',
      tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    });
  const session = openSession({
    log,
    ask,
    cost: () => null,
    model: 'm',
    parameters: { model: 'm' },
    tools,
    permissions: createPermissions({
      project: dir,
      directories: [],
      allow: [],
      ask: [],
      deny: [],
      home: '/nonexistent',
      adaHome: join(dir, 'home'),
    }),
    directories: [],
    stateDir: join(dir, 'state'),
    limits: {},
    headless: false,
    ...more,
  });
  sessions.push(session);
  return { session, requests };
}

/** Sends a prompt and gives its events up to `done`; `react` may answer on the way. */
export async function turn(session: Session, text: string, react?: (event: Event) => void): Promise<Event[]> {
  const events: Event[] = [];
  const stream = session.events();
  expect(session.send({ type: 'prompt', text })).toEqual({ ok: true });
  for await (const event of stream) {
    events.push(event);
    react?.(event);
    if (event.type === 'done') break;
  }
  return events;
}
export const find = <T extends Event['type']>(events: readonly Event[], type: T) =>
  events.filter((event): event is EventOf<T> => event.type === type);
