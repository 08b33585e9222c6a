/** What another session than the one that the command line named is composed of. */
import type { Mode } from '../../core/types.ts';
import type { ComposeOptions } from '../compose.ts';

/** `current`: model and mode that a new conversation keeps. */
export function otherSession(
  given: ComposeOptions,
  which: 'new' | { resume: string; fork?: boolean },
  current: { model: string; mode: Mode } | undefined,
): ComposeOptions {
  const other: ComposeOptions = { ...given, fork: false, sessionId: undefined, resume: undefined };
  return which === 'new'
    ? { ...other, model: current?.model ?? given.model, mode: current?.mode ?? given.mode }
    : { ...other, model: undefined, mode: undefined, resume: which.resume, fork: which.fork };
}
