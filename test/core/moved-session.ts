/** A stored session that is opened again where its project lies now. */
import { join } from 'node:path';
import { createPermissions } from '../../core/permission/permission.ts';
import { openSession, type Session } from '../../core/session.ts';
import type { SessionOptions } from '../../core/session-options.ts';
import { logFile, openLog } from '../../core/store.ts';
import { coreTools } from '../../core/tools/index.ts';
import type { Event, RewindScope } from '../../core/types.ts';
import { model, type Said } from './scripted-session.ts';

/** The session `s` of the project at `project`, as `start` keeps it. */
export function openAt(project: string, script: readonly Said[], more: Partial<SessionOptions> = {}) {
  const { ask, requests } = model(script);
  const opened = openLog(logFile(project, 's'), join(project, 'state'));
  if ('held' in opened) throw new Error('held');
  const session = openSession({
    log: opened.log,
    ask,
    cost: () => null,
    model: 'm',
    parameters: { model: 'm' },
    tools: coreTools(),
    permissions: permissionsAt(project),
    project,
    directories: [],
    stateDir: join(project, 'state'),
    limits: {},
    headless: false,
    ...more,
  });
  return { session, requests };
}

export const permissionsAt = (project: string, directories: string[] = []) =>
  createPermissions({
    project,
    directories,
    allow: [],
    ask: [],
    deny: [],
    home: '/nonexistent',
    adaHome: join(project, 'home'),
  });

/** Goes back to before prompt `index`; gives what was stored for it. */
export async function goBack(session: Session, index: number, what: RewindScope): Promise<Event[]> {
  const events: Event[] = [];
  const stream = session.events();
  session.send({ type: 'rewind', to: session.state.prompts[index]!.seq, what });
  for await (const event of stream) {
    if (event.type === 'activity' && event.doing === null) break;
    events.push(event);
  }
  return events;
}
