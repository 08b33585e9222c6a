/**
 * Which files outside of the project a session may take back: those that its log shows as written by a call that a person
 * let through, or that may be written unasked, since it is where it is now. What the journal alone says is not enough.
 */
import type { Permissions } from '../permission/permission.ts';
import { emptyState, stateAfter } from '../state.ts';
import { canonical, locate } from '../tools/files/locate.ts';
import { parsePatch } from '../tools/patch/parse.ts';
import { pathsOf } from '../tools/patch/types.ts';
import type { EventOf, StoredEvent } from '../types.ts';

export type MayTouch = (file: string) => Promise<boolean>;

/** `events`: the whole log, read when a file outside is first asked for; nearly never. `permissions`: null where nobody judges. */
export function writtenOutside(
  events: () => readonly StoredEvent[],
  permissions: Pick<Permissions, 'judge'> | null | undefined,
): MayTouch {
  let calls: Calls | undefined;
  return async (file) => {
    calls ??= callsIn(events());
    if (calls.approved.has(file)) return true;
    if (!calls.unasked.has(file) || !permissions) return false;
    const access = { kind: 'write' as const, paths: [file] };
    const verdict = await permissions.judge({ tool: 'write_file', access, mode: 'ask', cwd: calls.project });
    return verdict.class === 'write' || verdict.verdict === 'allow';
  };
}

interface Calls {
  project: string;
  /** Files, absolute with links resolved, that a person said yes to. */
  approved: ReadonlySet<string>;
  /** Those that were written without a question. */
  unasked: ReadonlySet<string>;
}

function callsIn(events: readonly StoredEvent[]): Calls {
  const approved = new Set<string>();
  const unasked = new Set<string>();
  const open = new Map<string, string[]>();
  let state = emptyState();
  for (const event of events) {
    if (event.type === 'place') {
      // What was allowed elsewhere was not allowed here.
      approved.clear();
      unasked.clear();
      open.clear();
    } else if (event.type === 'tool_call') open.set(event.id, filesOf(event, state.cwd));
    else if (event.type === 'approval') {
      const files = open.get(event.id) ?? [];
      if (event.decision !== 'no' && event.by === 'user') for (const file of files) approved.add(file);
      open.delete(event.id);
    } else if (event.type === 'tool_result') for (const file of open.get(event.id) ?? []) unasked.add(file);
    state = stateAfter(state, [event]);
  }
  return { project: state.project, approved, unasked };
}

function filesOf({ name, input }: EventOf<'tool_call'>, cwd: string): string[] {
  return pathsIn(name, input).map((path) => canonical(locate(path, cwd)));
}

function pathsIn(name: string, { path, patch }: Record<string, unknown>): readonly string[] {
  if (name === 'write_file' || name === 'edit_file') return typeof path === 'string' ? [path] : [];
  if (name !== 'apply_patch' || typeof patch !== 'string') return [];
  const parsed = parsePatch(patch);
  return 'refused' in parsed ? [] : pathsOf(parsed.files);
}
