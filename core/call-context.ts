/** What one call of a tool may use of its session. */
import { join } from 'node:path';
import type { Audience } from './audience.ts';
import type { AskPerson } from './question.ts';
import type { SessionOptions } from './session-options.ts';
import type { SessionState } from './state.ts';
import type { ToolContext } from './types.ts';

/** What of a session its calls share. */
export interface CallSurroundings {
  readonly options: Pick<SessionOptions, 'directories' | 'permissions' | 'stateDir'>;
  readonly audience: Pick<Audience, 'tell'>;
  readonly memory: Map<string, unknown>;
  readonly question: AskPerson;
  /** The working directory; calls move it. */
  readonly place: { cwd: string };
  state(): SessionState;
}

/** The context of the call with this id, until `signal` ends its turn. */
export function callContext(id: string, signal: AbortSignal, session: CallSurroundings): ToolContext {
  const { options, audience, memory, question, place } = session;
  const { id: name, project } = session.state();
  return {
    id,
    signal,
    get cwd() {
      return place.cwd;
    },
    project,
    directories: options.directories,
    stateDir: join(options.stateDir, name),
    get todos() {
      return session.state().todos;
    },
    setCwd: (dir) => {
      place.cwd = dir;
    },
    question,
    mayRead: (file) => !options.permissions.forbidsReading(file),
    progress: (output) => audience.tell({ type: 'tool_progress', id, output }),
    memory,
    seen: [],
  };
}
