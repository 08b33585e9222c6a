/** Plan mode changes nothing: what still waits for a yes when it comes on is answered no. */
import type { Command, EventOf } from '../../core/types.ts';

const REASON = 'plan mode is on: nothing is changed';
/** Tools that only look. */
const LOOKS: ReadonlySet<string> = new Set(['read_file', 'ls', 'glob', 'grep']);

export const planDenials = (waiting: readonly EventOf<'approval_request'>[]): Command[] =>
  waiting
    .filter(({ name }) => !LOOKS.has(name))
    .map(({ id }) => ({ type: 'approve', id, decision: 'no', reason: REASON }));
