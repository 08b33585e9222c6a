/** Sends the prompts of a recorded session to a new one, answers what it asks as the person did, and collects its calls. */
import type { Session } from '../session.ts';
import type { EventOf } from '../types.ts';
import type { RecordedRun, RecordedTurn, RunCall } from './recorded-run.ts';

export interface RerunCall extends RunCall {
  /** It would destroy something, or reach out of the copy: it was not run again, whatever was answered then. */
  heldBack?: true;
}

/** What may be done twice without harm. A yes of that day was for that day. */
const staysInside = ({ danger, class: found }: EventOf<'approval_request'>): boolean =>
  danger === undefined && (found === 'read' || found === 'write' || found === 'unknown');

/** The calls of every turn, in order. A turn that was aborted by `signal` ends the run. */
export async function runAgain(run: RecordedRun, session: Session, signal: AbortSignal): Promise<RerunCall[][]> {
  const turns: RerunCall[][] = [];
  const abort = () => void session.send({ type: 'abort' });
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (const turn of run.turns) {
      if (signal.aborted) break;
      if (session.state.mode !== turn.mode) session.send({ type: 'set', mode: turn.mode });
      turns.push(await oneTurn(turn, session));
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
  return turns;
}

async function oneTurn(turn: RecordedTurn, session: Session): Promise<RerunCall[]> {
  const calls = new Map<string, RerunCall>();
  const replies = [...turn.replies];
  const events = session.events();
  const sent = session.send({ type: 'prompt', text: turn.prompt, images: turn.images });
  if (!sent.ok) throw new Error(`the session did not take the prompt (${sent.reason})`);
  for await (const event of events) {
    switch (event.type) {
      case 'tool_call': {
        const { name, input } = event;
        calls.set(event.id, { name, input, output: '', isError: true, denied: false });
        break;
      }
      case 'approval_request': {
        const recorded = turn.calls[[...calls.keys()].indexOf(event.id)];
        // Where nobody was asked then, a rule of that day allowed it, or refused.
        const answer = recorded?.approval ?? { decision: recorded && !recorded.denied ? 'yes' : 'no' };
        if (answer.decision !== 'no' && !staysInside(event)) {
          calls.get(event.id)!.heldBack = true;
          session.send({ type: 'approve', id: event.id, decision: 'no', reason: 'it is not run a second time' });
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
      case 'tool_result': {
        const call = calls.get(event.id);
        if (call) Object.assign(call, { output: event.output, isError: event.isError });
        break;
      }
    }
    if (event.type === 'done') break;
  }
  return [...calls.values()];
}
