/** Whether a call that waited for an answer is still the one that was shown: others change links and modes meanwhile. */
import { CLASSES } from './permission/modes.ts';
import type { Permissions } from './permission/permission.ts';
import type { Access, Mode, Tool, ToolContext, Verdict } from './types.ts';

interface Shown {
  tool: Tool;
  input: Record<string, unknown>;
  access: Access;
  verdict: Verdict;
}

/** What the model is told where the call must not run on the answer that it got; undefined where it may. */
export async function changedWhileWaiting(
  { tool, input, access, verdict }: Shown,
  context: ToolContext,
  { permissions, mode, cwd }: { permissions: Permissions; mode: Mode; cwd: string },
): Promise<string | undefined> {
  // Of a copy: where the gate saw the paths lead before is what the tool keeps to.
  const accessNow = tool.gate({ ...input }, context);
  const now = await permissions.judge({ tool: tool.name, access: accessNow, mode, cwd, leavesOut: true });
  if (now.verdict === 'deny') {
    const why = now.by === 'rule' ? `the rule ${now.rule} forbids it` : `the mode is ${mode}`;
    return `Not run: ${why} since it was asked for.`;
  }
  if (now.verdict === 'allow') return undefined;
  const isWorse = CLASSES.indexOf(now.class) > CLASSES.indexOf(verdict.class);
  const news = [...now.reasons.filter((reason) => !verdict.reasons.includes(reason)), ...elsewhere(access, accessNow)];
  if (!isWorse && news.length === 0) return undefined;
  const what = (news.length > 0 ? news : now.reasons).join('; ');
  return `Not run: this is no longer what was allowed. While it waited for an answer something else changed: ${what}. Look at what is there; if it is still wanted, call it again, and it is asked for anew.`;
}

function elsewhere(before: Access, now: Access): string[] {
  if (before.kind === 'command' && now.kind === 'command')
    return before.cwd === now.cwd ? [] : [`it would run in ${now.cwd}`];
  if (!('paths' in before) || !('paths' in now)) return [];
  return now.paths.filter((path) => !before.paths.includes(path)).map((path) => `it leads to ${path}`);
}
