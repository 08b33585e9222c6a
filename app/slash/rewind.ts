import { isAbsolute } from 'node:path';
import type { RestoreStep } from '../../core/checkpoint/restore.ts';
import { withoutRewound } from '../../core/rewound.ts';
import type { Session } from '../../core/session.ts';
import { shownPath } from '../../core/tools/files/locate.ts';
import type { EventOf, RewindScope, StoredEvent } from '../../core/types.ts';
import { oneLine } from '../plain-text.ts';
import type { SlashCommand, SlashContext } from './command.ts';

type Prompt = EventOf<'user'> & StoredEvent;

/** `/rewind` lists the prompts, `/rewind N` says what going back to before prompt N means, `/rewind N WHAT` does it. */
export const rewind: SlashCommand = {
  name: 'rewind',
  help: 'go back to before an earlier prompt: conversation, files or both',
  argument: '[PROMPT]',
  async run(context, argument) {
    const { session } = context;
    if (session?.state.running) return context.say('error', 'a turn is running; it must end, or be interrupted, first');
    const prompts = session ? promptsOf(session) : [];
    if (!session || prompts.length === 0) return context.say('info', 'there is no prompt to go back to yet');
    const [word = '', what = ''] = argument.trim().split(/\s+/);
    if (word === '') return pickPrompt(context, prompts);
    const prompt = prompts.find(({ seq }) => String(seq) === word);
    if (!prompt) return context.say('error', `there is no prompt ${oneLine(word, 40)}; /rewind lists them`);
    if (what === '') return pickScope(context, session, prompt);
    if (!isScope(what)) return context.say('error', `${oneLine(what, 40)}? It is conversation, files or both`);
    if (context.send({ type: 'rewind', to: prompt.seq, what }) && what !== 'files')
      context.draft(prompt.text, prompt.images);
  },
};

const SCOPES: readonly RewindScope[] = ['both', 'conversation', 'files'];
const isScope = (word: string): word is RewindScope => (SCOPES as readonly string[]).includes(word);

function promptsOf(session: Session): Prompt[] {
  const standing = new Set(session.state.prompts.map(({ seq }) => seq));
  return session.stored().filter((event): event is Prompt => event.type === 'user' && standing.has(event.seq));
}

function pickPrompt(context: SlashContext, prompts: readonly Prompt[]): void {
  const items = [...prompts].reverse().map(({ seq, text }, i) => ({
    label: oneLine(text, 60),
    detail: i === 0 ? 'the last prompt' : `${i + 1} prompts back`,
    value: String(seq),
  }));
  context.show({ kind: 'pick', title: 'Go back to before', items, filter: '', selected: 0, command: 'rewind' });
}

async function pickScope(context: SlashContext, session: Session, prompt: Prompt): Promise<void> {
  const after = session.stored().filter(({ seq }) => seq >= prompt.seq);
  const standing = withoutRewound(session.stored()).filter(({ seq }) => seq >= prompt.seq);
  const count = (type: StoredEvent['type']) => standing.filter((event) => event.type === type).length;
  const [
    { openCheckpoints },
    { planRestore },
    { isMoving, KEEPS, REASONS, staysOf },
    { commandsSince },
    { writtenOutside },
  ] = await Promise.all([
    import('../../core/checkpoint/checkpoints.ts'),
    import('../../core/checkpoint/restore.ts'),
    import('../../core/checkpoint/rewind.ts'),
    import('../../core/checkpoint/commands-since.ts'),
    import('../../core/checkpoint/written-outside.ts'),
  ]);
  const mayTouch = writtenOutside(() => session.stored(), context.rules);
  const steps =
    context.stateDir === null
      ? []
      : await planRestore(openCheckpoints(context.stateDir, session.state), prompt.seq, mayTouch);
  const commands = context.rules ? await commandsSince(after, session.state.cwd, context.rules) : [];
  const moving = steps.filter(isMoving);
  const gone = moving.filter(({ action }) => action === 'remove').length;
  const back = moving.length - gone;
  const left = steps.filter((step) => !isMoving(step) && step.action !== 'same').length;
  const details: Record<RewindScope, string> = {
    conversation: `leaves out ${plural(count('user'), 'prompt')}, ${plural(count('assistant'), 'answer')}, ${plural(count('tool_call'), 'call')}`,
    files: [
      ...(back || !gone ? [`${back === 0 ? 'no file' : plural(back, 'file')} ${back > 1 ? 'go' : 'goes'} back`] : []),
      ...(gone ? [`${plural(gone, 'file')} ${gone > 1 ? 'go' : 'goes'} away`] : []),
      ...(left ? [`${plural(left, 'file')} ${left > 1 ? 'stay' : 'stays'} as ${left > 1 ? 'they are' : 'it is'}`] : []),
    ].join(', '),
    both: 'both of these',
  };
  const items = SCOPES.filter((scope) => scope === 'conversation' || moving.length > 0).map((scope) => ({
    label: scope,
    detail: details[scope],
    value: `${prompt.seq} ${scope}`,
  }));
  context.show({
    kind: 'pick',
    title: `Back to before “${oneLine(prompt.text, 40)}”`,
    text: [
      filesText(steps, session.state.project, KEEPS, REASONS),
      ...(commands.length ? [oneLine(staysOf(commands), 300)] : []),
    ].join('\n'),
    items,
    filter: '',
    selected: 0,
    command: 'rewind',
  });
}

const plural = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;
const MOST_FILES = 12;

function filesText(
  steps: readonly RestoreStep[],
  project: string,
  keeps: string,
  reasons: Readonly<Record<RestoreStep['action'], string>>,
): string {
  const named = steps
    .filter(({ action }) => action !== 'same')
    .map(({ file, action }) => ({ action, path: shownPath(file, project) }));
  // What lies outside of the project is named whatever else there is.
  const rows = [...named.filter(({ path }) => isAbsolute(path)), ...named.filter(({ path }) => !isAbsolute(path))].map(
    ({ path, action }) => {
      const name = oneLine(path, 100);
      if (action === 'back') return `goes back: ${name}`;
      if (action === 'merge') return `goes back, ${keeps}: ${name}`;
      if (action === 'remove') return `goes away: ${name} (was created)`;
      return `stays as it is: ${name} (${reasons[action]})`;
    },
  );
  if (rows.length === 0) return 'No file was changed by ada since.';
  const most = Math.max(MOST_FILES, named.filter(({ path }) => isAbsolute(path)).length);
  const more = rows.length - most;
  return [...rows.slice(0, most), ...(more > 0 ? [`… and ${more} more files`] : [])].join('\n');
}
