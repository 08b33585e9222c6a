/**
 * Runs the calls of one message: resolve and validate, ask the permission engine, perhaps a person, run, append the
 * result. Reads run side by side, changes one after another; every call ends with exactly one result.
 */
import type { ToolUseContent } from '../providers/ir.ts';
import { interruption } from './interruption.ts';
import { howToAllow } from './permission/how-to-allow.ts';
import type { Permissions } from './permission/permission.ts';
import { ruleInWords } from './permission/rule-in-words.ts';
import { redact } from './redact.ts';
import { withoutSecrets } from './redact-result.ts';
import type { SessionState } from './state.ts';
import { resolveCall } from './tools/index.ts';
import type { Access, Decision, Event, SeenFile, StoredBody, Tool, ToolContext, ToolOutput, Verdict } from './types.ts';

export interface ApprovalAnswer {
  decision: Decision;
  /** `headless`: nobody answered; with a reason, why the wait ended. */
  by: 'user' | 'headless';
  remember?: 'session' | 'project';
  reason?: string;
}

/** What running a call needs of its session. */
export interface CallPort {
  readonly tools: readonly Tool[];
  readonly permissions: Permissions;
  readonly signal: AbortSignal;
  /** Somebody sees approvals. */
  readonly watched: boolean;
  readonly state: SessionState;
  emit(event: Event | StoredBody): void;
  /** Waits for an answer to the `approval_request` that was just appended. */
  approval(id: string): Promise<ApprovalAnswer>;
  context(id: string): ToolContext;
}

interface Judged {
  call: ToolUseContent;
  tool: Tool;
  input: Record<string, unknown>;
  access: Access;
  verdict: Verdict;
  /** A person said yes to this very call, which was asked for because of what it reads: then the real text is given. */
  approved?: boolean;
}

/** Gives how many of the calls had a tool and arguments that fit it, whatever became of them. */
export async function runCalls(calls: readonly ToolUseContent[], port: CallPort): Promise<number> {
  let wellFormed = 0;
  for (let i = 0; i < calls.length; ) {
    const judged = await begin(calls[i]!, port);
    i++;
    if (!judged) continue;
    wellFormed++;
    const batch = [judged];
    if (sideBySide(judged)) {
      while (i < calls.length) {
        const next = await begin(calls[i]!, port);
        if (next) wellFormed++;
        if (next && !sideBySide(next)) {
          await finish(batch, port);
          batch.length = 0;
          batch.push(next);
        } else if (next) batch.push(next);
        i++;
        if (next && !sideBySide(next)) break;
      }
    }
    await finish(batch, port);
  }
  return wellFormed;
}

const sideBySide = ({ tool, verdict }: Judged): boolean =>
  verdict.verdict === 'allow' && (tool.kind === 'read' || tool.kind === 'search');

async function finish(batch: readonly Judged[], port: CallPort): Promise<void> {
  // Started together, appended in the order of the calls.
  const running = batch.map((judged) => settle(judged, port));
  for (const [i, output] of running.entries()) appendResult(batch[i]!, await output, port);
}

/** Appends `tool_call`; a call that cannot run gets its result at once and gives undefined. */
async function begin(call: ToolUseContent, port: CallPort): Promise<Judged | undefined> {
  const refuse = (name: string, error: string): undefined => {
    port.emit({ type: 'tool_call', id: call.id, name, detail: '', input: call.input });
    port.emit({ type: 'tool_result', id: call.id, name, output: redact(error), isError: true });
  };
  if (call.invalid !== undefined) {
    const got = call.raw ? ` Received: ${call.raw.slice(0, 200)}` : '';
    return refuse(call.name, `The call was not run: ${call.invalid}${/[.!?]$/.test(call.invalid) ? '' : '.'}${got}`);
  }
  const resolved = resolveCall(call.name, call.input, port.tools);
  if ('error' in resolved) return refuse(call.name, resolved.error);
  const { tool, input } = resolved;
  port.emit({ type: 'tool_call', id: call.id, name: tool.name, detail: redact(tool.title(input)), input });
  try {
    const access = tool.gate(input, port.context(call.id));
    const { mode, cwd } = port.state;
    const verdict = await port.permissions.judge({ tool: tool.name, access, mode, cwd, leavesOut: true });
    return { call, tool, input, access, verdict };
  } catch (error) {
    appendResult(
      { call, tool },
      { output: `The call could not be judged: ${(error as Error).message}`, isError: true },
      port,
    );
    return undefined;
  }
}

const stoppedBefore = ({ signal }: CallPort): string => `${interruption(signal)} before the call ran.`;

/** What a call gave, and which files it made known on the way. */
type Settled = ToolOutput & { seen?: readonly SeenFile[] };

/** Asks where it must be asked, then runs; never throws. */
async function settle(judged: Judged, port: CallPort): Promise<Settled> {
  const context = port.context(judged.call.id);
  const output = await permitAndRun(judged, context, port);
  return { ...output, seen: context.seen };
}

async function permitAndRun(judged: Judged, context: ToolContext, port: CallPort): Promise<ToolOutput> {
  const { tool, input } = judged;
  if (port.signal.aborted) return { output: stoppedBefore(port), isError: true };
  try {
    const denied = await permit(judged, context, port);
    if (denied) return { output: denied, isError: true };
    return await tool.run(input, context);
  } catch (error) {
    if (port.signal.aborted) return { output: `${interruption(port.signal)}.`, isError: true };
    return { output: `${tool.name} failed: ${(error as Error).message}`, isError: true };
  }
}

/** Undefined when the call may run, else what the model is told. */
async function permit(judged: Judged, context: ToolContext, port: CallPort): Promise<string | undefined> {
  const { call, tool, input, verdict } = judged;
  const why = verdict.reasons.join('; ') || (verdict.by === 'rule' ? 'the rule says so' : 'it must be asked for');
  if (verdict.verdict === 'allow') return undefined;
  const { mode, cwd } = port.state;
  const way = (headless: boolean) =>
    redact(howToAllow({ tool: tool.name, access: judged.access, cwd, mode, verdict, headless }));
  if (verdict.verdict === 'deny') {
    const reason = `${why} (${way(!port.watched)})`;
    port.emit({ type: 'approval', id: call.id, decision: 'no', by: verdict.by, rule: verdict.rule, reason });
    const what = verdict.by === 'rule' ? `the rule ${verdict.rule}` : `${mode} mode`;
    return `Denied by ${what}: ${reason}. Do not try the same in another way.`;
  }
  const shown = port.watched ? await tool.preview?.(input, context) : undefined;
  // Nobody is asked about what cannot be done; what lies elsewhere is not told of unasked.
  if (shown && 'refused' in shown && verdict.class === 'write') return shown.refused;
  const preview = shown && 'refused' in shown ? undefined : shown;
  port.emit({
    type: 'approval_request',
    id: call.id,
    name: tool.name,
    summary: redact(`${tool.title(input)}${why ? ` (${why})` : ''}`),
    input,
    ...(verdict.destructive ? { danger: why } : {}),
    class: verdict.class,
    // A rule that asks is no rule that an "always" could save.
    ...(verdict.rule && verdict.by === 'mode' ? { rule: verdict.rule, ruleInWords: ruleInWords(verdict.rule) } : {}),
    ...(preview ? { preview } : {}),
  });
  const answer = await port.approval(call.id);
  const changed = answer.decision === 'no' ? undefined : await changedSince(judged, answer.decision, context, port);
  const remembered = !changed && answer.decision === 'yes' && answer.remember && verdict.by === 'mode' && verdict.rule;
  const unasked = answer.by === 'headless' && answer.reason === undefined;
  const reason = unasked ? `nobody is there to ask: ${why} (${way(true)})` : answer.reason;
  port.emit({
    type: 'approval',
    id: call.id,
    decision: answer.decision,
    by: answer.by,
    ...(remembered ? { rule: verdict.rule, scope: answer.remember } : {}),
    ...(reason ? { reason } : {}),
  });
  if (answer.decision === 'no') {
    if (port.signal.aborted) return stoppedBefore(port);
    if (answer.by === 'headless')
      return `Denied: ${why}; nobody is there to allow it (${way(true)}). Go on without it, or say what you need.`;
    return `The user said no${answer.reason ? `: ${answer.reason}` : ''}. Do not try the same in another way.`;
  }
  // A yes to a build is none to the secrets that it may print.
  judged.approved = answer.by === 'user' && verdict.class === 'outside';
  if (remembered) remember(verdict.rule!, answer.remember!, port);
  if (answer.decision === 'all' && port.state.mode !== 'auto') port.emit({ type: 'mode', value: 'auto' });
  return changed && redact(changed);
}

/** Loaded with the first answer: a run without one does not pay for it. */
async function changedSince(
  judged: Judged,
  decision: Decision,
  context: ToolContext,
  port: CallPort,
): Promise<string | undefined> {
  const { changedWhileWaiting } = await import('./still-as-shown.ts');
  const { mode, cwd } = port.state;
  const next = decision === 'all' ? 'auto' : mode;
  return changedWhileWaiting(judged, context, { permissions: port.permissions, mode: next, cwd });
}

/** Takes back an "always" answer; false when there is none of this text. */
export function forget(rule: string, permissions: Permissions, emit: (body: StoredBody) => void): boolean {
  try {
    if (!permissions.forget(rule)) return false;
  } catch (error) {
    const text = `that rule is taken back for this session alone, it cannot be saved: ${(error as Error).message}`;
    emit({ type: 'notice', level: 'warning', text });
  }
  emit({ type: 'rule', action: 'forget', rule });
  return true;
}

/** An answer that cannot be saved counts all the same, as long as the session lasts. */
function remember(rule: string, scope: 'session' | 'project', { permissions, emit }: CallPort): void {
  try {
    permissions.remember(rule, scope);
  } catch (error) {
    const text = `that answer holds for this session alone, it cannot be saved: ${(error as Error).message}`;
    emit({ type: 'notice', level: 'warning', text });
  }
}

/** Appends what a call gave; gives the text as it was stored. */
export function appendResult(
  { call, tool, approved }: Pick<Judged, 'call' | 'tool' | 'approved'>,
  result: Settled,
  port: CallPort,
): string {
  const { cwd } = port.context(call.id);
  const output = approved ? result : withoutSecrets(result, port.state.project);
  port.emit({
    type: 'tool_result',
    id: call.id,
    name: tool.name,
    output: output.output,
    isError: output.isError ?? false,
    ...(output.display ? { display: output.display } : {}),
    ...(output.images?.length ? { images: output.images } : {}),
    ...(cwd !== port.state.cwd ? { cwd } : {}),
    ...(result.seen?.length ? { seen: newestOf(result.seen) } : {}),
  });
  for (const event of output.events ?? []) port.emit(event);
  return output.output;
}

/** Each file once, as it was known last. */
const newestOf = (seen: readonly SeenFile[]): SeenFile[] => [
  ...new Map(seen.map((file) => [file.path, file])).values(),
];
