/** Records a session whose model is scripted, and runs it again on the project as it was. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportSession } from '../../../core/export/export-session.ts';
import { createPermissions } from '../../../core/permission/permission.ts';
import { type Comparison, compareRuns } from '../../../core/replay/compare.ts';
import { recordedModel } from '../../../core/replay/recorded-model.ts';
import { recordedRun } from '../../../core/replay/recorded-run.ts';
import { runAgain } from '../../../core/replay/run-again.ts';
import type { Session } from '../../../core/session.ts';
import type { SessionOptions } from '../../../core/session-options.ts';
import { coreTools, lateTools } from '../../../core/tools/index.ts';
import type { Event, StoredEvent } from '../../../core/types.ts';
import { ReplayBackendAdapter } from '../../../providers/backends/replay.ts';
import type { FinishReason, IRChatRequest, IRStreamChunk } from '../../../providers/ir.ts';
import { composeMiddleware } from '../../../providers/middleware/compose-middleware.ts';
import { createToolRecoveryMiddleware } from '../../../providers/middleware/tool-recovery.ts';
import { Router } from '../../../providers/router.ts';
import { dir, start } from '../scripted-session.ts';

/** One answer of the model. */
export interface Answer {
  text?: string;
  reasoning?: string;
  calls?: readonly [name: string, input: Record<string, unknown>][];
  finish?: FinishReason;
  fail?: Error;
  /** Tries before it that came to nothing. */
  retries?: readonly { reason: string; attempt: number; delayMs: number; discard: boolean }[];
  custom?: Record<string, unknown>;
  /** Nothing more comes. */
  hangs?: true;
  /** Characters in a piece. */
  size?: number;
}

let ids = 0;
function askOf(answers: readonly Answer[]): SessionOptions['ask'] {
  let next = 0;
  return async function* (request: IRChatRequest, signal): AsyncGenerator<IRStreamChunk> {
    const answer = answers[next++];
    if (!answer) throw new Error('the script is used up');
    let sequence = 0;
    const provenance = { backend: 'scripted', servedModel: 'm', local: true };
    const custom = { latencyMs: 1, attempts: 1, ...answer.custom };
    yield { sequence: sequence++, type: 'start', metadata: { ...request.metadata, provenance } };
    for (const retry of answer.retries ?? []) yield { sequence: sequence++, type: 'retry', ...retry };
    for (const [type, text] of [
      ['reasoning', answer.reasoning],
      ['content', answer.text],
    ] as const)
      for (let at = 0; at < (text?.length ?? 0); at += answer.size ?? 4)
        yield { sequence: sequence++, type, delta: text!.slice(at, at + (answer.size ?? 4)) };
    if (answer.hangs) {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      throw new Error('aborted');
    }
    if (answer.fail) {
      yield { sequence, type: 'error', error: answer.fail };
      return;
    }
    for (const [name, input] of answer.calls ?? []) {
      const id = `call_${++ids}`;
      yield { sequence: sequence++, type: 'tool_use_start', id, name };
      yield { sequence: sequence++, type: 'tool_use_end', id, input };
    }
    const finishReason = answer.finish ?? (answer.calls ? 'tool_use' : 'stop');
    yield { sequence, type: 'done', finishReason, metadata: { ...request.metadata, provenance, custom } };
  };
}

/** What of a session is to come out the same: how its turns went on and ended. */
export const courseOf = (events: readonly StoredEvent[]): string[] =>
  events.flatMap((event) => {
    if (event.type === 'retry') return [`retry: ${event.reason}`];
    if (event.type === 'note' && event.about === 'tools') return [`note: ${event.text}`];
    if (event.type === 'done') return [`done: ${event.finish}`];
    return event.type === 'tool_call' || event.type === 'rewind' ? [event.type] : [];
  });

const tools = [...coreTools(), ...lateTools({})];

function openIn(id: string, ask: SessionOptions['ask'], more: Partial<SessionOptions>) {
  const permissions = createPermissions({
    project: dir,
    directories: [],
    allow: [],
    ask: [],
    deny: ['read_file(secret.txt)'],
    home: '/nonexistent',
    adaHome: join(dir, '..', 'nowhere'),
  });
  return { ...start([], { id, ask, tools, permissions, mode: 'auto', ...more }), permissions };
}

function asItWas(): void {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  writeFileSync(join(dir, 'a.txt'), 'alpha\n');
}

/** A session of these answers; `act` is the person. */
export async function record(
  answers: readonly Answer[],
  act: (session: Session) => Promise<unknown>,
  more: Parameters<typeof openIn>[2] = {},
): Promise<readonly StoredEvent[]> {
  asItWas();
  const { session } = openIn('then', askOf(answers), more);
  await act(session);
  await session.close();
  return session.stored();
}

/** A session whose model is the recording that a log is exported as. */
export async function played(
  then: readonly StoredEvent[],
  act: (session: Session) => Promise<unknown>,
): Promise<{ events: readonly StoredEvent[]; remaining: number }> {
  asItWas();
  const backend = new ReplayBackendAdapter({ text: exportSession(then, 'replay', (text) => text) });
  const router = new Router({ routingStrategy: 'explicit' });
  router.register('replay', backend);
  router.config.defaultBackend = 'replay';
  const send = composeMiddleware([createToolRecoveryMiddleware({ unsays: true })], ({ request, signal }) =>
    router.executeStream(request, signal),
  );
  const ask: SessionOptions['ask'] = (request, signal) =>
    send({ request, isStreaming: true, state: {}, config: {}, signal });
  const { session } = openIn('played', ask, { compactAt: 0 });
  await act(session);
  await session.close();
  return { events: session.stored(), remaining: backend.remaining };
}

/** `change`: makes the project another one first. */
export async function again(
  events: readonly StoredEvent[],
  change?: () => void,
): Promise<Comparison & { events: readonly StoredEvent[] }> {
  asItWas();
  change?.();
  const run = recordedRun(events)!;
  const model = recordedModel();
  const { session, permissions } = openIn('now', model.ask, { compactAt: 0 });
  const steps = await runAgain(run, { session, model, permissions, signal: new AbortController().signal });
  const comparison = compareRuns(run, steps, { project: dir, id: session.id });
  await session.close();
  return { ...comparison, events: session.stored() };
}

/** Sends a prompt and waits for the end of its turn; `react` may act on the way. */
export async function prompt(session: Session, text: string, react?: (event: Event) => void): Promise<void> {
  const events = session.events();
  session.send({ type: 'prompt', text });
  for await (const event of events) {
    react?.(event);
    if (event.type === 'done') return;
  }
}

/** Does what is no turn, to its end. */
export async function aside(session: Session, command: Parameters<Session['send']>[0]): Promise<void> {
  const events = session.events();
  while (!session.send(command).ok) await new Promise((resolve) => setImmediate(resolve));
  for await (const event of events) if (event.type === 'activity' && event.doing === null) return;
}
