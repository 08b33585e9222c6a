/** Does in a new session what the person did in a recorded one, and collects what comes of it. */
import type { Permissions } from '../permission/permission.ts';
import type { Session } from '../session.ts';
import type { Command, Event, EventOf, TurnFinish } from '../types.ts';
import type { RecordedModel } from './recorded-model.ts';
import type { RecordedRun } from './recorded-run.ts';
import type { RecordedCommand, RecordedRewind, RecordedTurn, RunCall } from './recorded-steps.ts';

export interface RerunCall extends RunCall {
  /** It would destroy something, or reach out of the copy: it was not run again, whatever was answered then. */
  heldBack?: true;
}

/** What came of a step. */
export interface RerunStep {
  calls: RerunCall[];
  /** How a turn ended, and what was said of it. */
  finish?: TurnFinish;
  why?: string;
  /** Recorded answers that the turn did not ask for, and whether it asked for one more than there are. */
  left: number;
  isShort: boolean;
}

export interface Rerun {
  session: Session;
  model: RecordedModel;
  permissions: Pick<Permissions, 'judge'>;
  signal: AbortSignal;
}

/** What may be done twice without harm. A yes of that day was for that day. */
const staysInside = ({ danger, class: found }: Pick<EventOf<'approval_request'>, 'danger' | 'class'>): boolean =>
  danger === undefined && (found === 'read' || found === 'write' || found === 'unknown');

/** What each step gave, in order. When `signal` aborts, the run ends with the step that goes on. */
export async function runAgain(run: RecordedRun, rerun: Rerun): Promise<RerunStep[]> {
  const { session, signal } = rerun;
  const done: RerunStep[] = [];
  /** Numbers of the prompts: as recorded, and now. */
  const prompts = new Map<number, number>();
  const abort = () => void session.send({ type: 'abort' });
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (const step of run.steps) {
      if (signal.aborted) break;
      if (step.kind === 'prompt') done.push(await promptAgain(step, rerun, prompts));
      else if (step.kind === 'command') done.push(await commandAgain(step, rerun));
      else done.push(await backAgain(step, rerun, prompts));
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
  return done;
}

const nothing = (): RerunStep => ({ calls: [], left: 0, isShort: false });

async function promptAgain(turn: RecordedTurn, rerun: Rerun, prompts: Map<number, number>): Promise<RerunStep> {
  const { session, model } = rerun;
  const calls = new Map<string, RerunCall>();
  const replies = [...turn.replies];
  if (session.state.mode !== turn.mode) session.send({ type: 'set', mode: turn.mode });
  model.begin(turn, {
    say: (message) => session.send({ type: 'prompt', ...message }),
    choose: (mode) => session.send({ type: 'set', mode }),
    stop: () => session.send({ type: 'abort' }),
  });
  const events = session.events();
  await take(session, { type: 'prompt', text: turn.prompt, images: turn.images });
  let why: string | undefined;
  for await (const event of events) {
    switch (event.type) {
      case 'user':
        if (!event.steered) prompts.set(turn.seq, event.seq);
        break;
      case 'tool_call':
      case 'tool_result':
        note(event, calls);
        break;
      case 'approval_request': {
        const recorded = turn.calls[[...calls.keys()].indexOf(event.id)];
        // Where nobody was asked then, a rule of that day allowed it, or refused.
        const answer = recorded?.approval ?? { decision: recorded && !recorded.denied ? 'yes' : 'no' };
        if (answer.decision !== 'no' && !staysInside(event)) {
          calls.get(event.id)!.heldBack = true;
          // With what it gave then: calls that gave the same were a circle, and others were none.
          const reason = `it is not run a second time. Then it gave: ${recorded?.output ?? ''}`;
          session.send({ type: 'approve', id: event.id, decision: 'no', reason });
        } else session.send({ type: 'approve', id: event.id, ...answer });
        break;
      }
      case 'approval': {
        const call = calls.get(event.id);
        if (call) call.denied = event.decision === 'no';
        break;
      }
      case 'question':
        session.send({ type: 'answer', id: event.id, text: replies.shift() ?? '' });
        break;
      case 'notice':
        if (event.level === 'warning') why = event.text;
        break;
      case 'error':
        why = event.message;
        break;
      case 'done':
        return { calls: [...calls.values()], finish: event.finish, why, left: model.left, isShort: model.isShort };
    }
  }
  return { ...nothing(), calls: [...calls.values()], why };
}

function note(event: EventOf<'tool_call' | 'tool_result'>, calls: Map<string, RerunCall>): void {
  if (event.type === 'tool_call') {
    const { name, input } = event;
    calls.set(event.id, { name, input, output: '', isError: true, denied: false });
  } else {
    const call = calls.get(event.id);
    if (call) Object.assign(call, { output: event.output, isError: event.isError });
  }
}

/** Nobody is asked about a command of the person: it is judged here. */
async function commandAgain({ command, apart, call }: RecordedCommand, rerun: Rerun): Promise<RerunStep> {
  const { session, permissions } = rerun;
  const { cwd } = session.state;
  const access = { kind: 'command' as const, command, cwd };
  const verdict = await permissions.judge({ tool: call.name, access, mode: 'ask', cwd });
  if (verdict.destructive || !staysInside(verdict)) return { ...nothing(), calls: [{ ...call, heldBack: true }] };
  const calls = new Map<string, RerunCall>();
  await aside(session, { type: 'shell', command, apart }, (event) => {
    if (event.type === 'tool_call' || event.type === 'tool_result') note(event, calls);
  });
  return { ...nothing(), calls: [...calls.values()] };
}

async function backAgain(step: RecordedRewind, { session }: Rerun, prompts: Map<number, number>): Promise<RerunStep> {
  const to = prompts.get(step.to);
  if (to !== undefined) await aside(session, { type: 'rewind', to, what: step.what });
  return nothing();
}

/** Does what is no turn, to its end. */
async function aside(session: Session, command: Command, tell?: (event: Event) => void): Promise<void> {
  const events = session.events();
  await take(session, command);
  let began = false;
  for await (const event of events) {
    tell?.(event);
    if (event.type === 'activity') began = true;
    // What could not even be begun is told in a notice.
    if (event.type === 'activity' ? event.doing === null : event.type === 'notice' && !began) return;
  }
}

/** A session that has told the end of the last thing is not at once ready for the next. */
async function take(session: Session, command: Command): Promise<void> {
  for (let tries = 0; ; tries++) {
    const sent = session.send(command);
    if (sent.ok) return;
    if (sent.reason !== 'busy' || tries > 1000)
      throw new Error(`the session did not take the ${command.type} (${sent.reason})`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
