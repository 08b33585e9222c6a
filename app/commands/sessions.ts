/** `ada sessions`: the stored conversations of this project. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findProject, sessionsDir } from '../../core/project.ts';
import { listSessions, type SessionSummary } from '../../core/session-list.ts';
import { readLog } from '../../core/store.ts';
import type { StoredEvent } from '../../core/types.ts';
import { workingDirectory } from '../compose-options.ts';
import type { Parsed } from '../flags.ts';
import { complain, openStandardOutput } from '../output.ts';
import { oneLine, plainText } from '../plain-text.ts';
import { StartError } from '../start-error.ts';

export async function run({ flags, rest }: Parsed): Promise<number> {
  const [action = 'list', id, ...more] = rest;
  if (more.length) throw new StartError(`ada sessions ${action}: too many arguments`);
  const home = process.env.HOME || homedir();
  const adaHome = process.env.ADA_HOME || join(home, '.ada');
  const project = findProject(workingDirectory(flags), home);
  const { dirs } = sessionsDir({ project, home, adaHome });
  const sessions = dirs.flatMap(listSessions).sort((a, b) => b.mtime - a.mtime);
  const output = openStandardOutput();
  if (action === 'list') {
    if (id !== undefined) throw new StartError('ada sessions list takes no argument');
    output.write(flags.json ? `${JSON.stringify({ sessions })}\n` : listText(sessions, project));
  } else if (action === 'show') {
    const { file } = choose(sessions, id, project);
    const { events, problem } = readLog(file);
    if (problem) complain(`ada: ${file}: ${problem}`);
    output.write(flags.json ? events.map((event) => `${JSON.stringify(event)}\n`).join('') : transcript(events));
  } else throw new StartError(`unknown action ${action}; ada sessions knows list and show`);
  await output.flush();
  return 0;
}

function listText(sessions: readonly SessionSummary[], project: string): string {
  if (sessions.length === 0) return `no sessions in ${project} yet\n`;
  return sessions.map(({ id, title, mtime }) => `${id}  ${when(mtime)}  ${oneLine(title, 80)}\n`).join('');
}

/** Local time to the minute, sortable. */
function when(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace('T', ' ');
}

/** The session with this id or the only one whose id begins so; the newest without an id. */
function choose(sessions: readonly SessionSummary[], id: string | undefined, project: string): SessionSummary {
  if (id === undefined) {
    if (!sessions[0]) throw new StartError(`no sessions in ${project} yet`);
    return sessions[0];
  }
  const exact = sessions.find((session) => session.id === id);
  if (exact) return exact;
  const begun = sessions.filter((session) => session.id.startsWith(id));
  if (begun.length === 1) return begun[0]!;
  throw new StartError(begun.length ? `${begun.length} sessions begin with ${id}` : `no session ${id} in ${project}`);
}

/** The conversation as plain text: prompts, answers, and a line for each tool call. */
export function transcript(events: readonly StoredEvent[]): string {
  let text = '';
  for (const event of events) {
    switch (event.type) {
      case 'user':
        text += `> ${plainText(event.text).trim().replace(/\n/g, '\n> ')}\n\n`;
        break;
      case 'assistant':
        for (const part of event.content) {
          if (part.type === 'text' && part.text.trim()) text += `${plainText(part.text).trim()}\n\n`;
        }
        break;
      case 'tool_call':
        text += `[${oneLine(`${event.name} ${event.detail}`)}]\n\n`;
        break;
      case 'tool_result':
        if (event.isError) text += `[${event.name} failed: ${oneLine(event.output)}]\n\n`;
        break;
      case 'error':
        text += `[the turn failed: ${oneLine(event.message, 500)}]\n\n`;
        break;
      case 'done':
        if (event.finish !== 'stop' && event.finish !== 'error') text += `[ended: ${event.finish}]\n\n`;
        break;
    }
  }
  return text.trimEnd() === '' ? 'nothing was said\n' : `${text.trimEnd()}\n`;
}
