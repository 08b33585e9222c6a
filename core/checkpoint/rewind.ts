/** Goes back to before a prompt: the conversation, the files that ada changed since, or both. */
import type { Permissions } from '../permission/permission.ts';
import { redact } from '../redact.ts';
import type { SessionState } from '../state.ts';
import { shownPath } from '../tools/files/locate.ts';
import type { RewindScope, StoredBody, StoredEvent } from '../types.ts';
import { visibleControls } from '../visible-controls.ts';
import { beginningOf } from '../well-formed.ts';
import { openCheckpoints } from './checkpoints.ts';
import { commandsSince, untoldCommands } from './commands-since.ts';
import { planRestore, type RestoreStep, restore } from './restore.ts';
import { writtenOutside } from './written-outside.ts';

/** What going back needs of its session. */
export interface RewindPort {
  /** As it was when the command came. */
  state: SessionState;
  /** Of the session. */
  stateDir: string;
  permissions: Pick<Permissions, 'judge'>;
  /** All events from this number on, as they were when the command came. */
  since(seq: number): readonly StoredEvent[];
  append(body: StoredBody): void;
  doing(what: 'going back' | null): void;
  /** The conversation is another one from here on. */
  wentBack(): void;
}

/** Files first: where they cannot be had, the conversation still tells of them. Gives undefined, or why it failed. */
export async function rewind(port: RewindPort, { to, what }: { to: number; what: RewindScope }): Promise<undefined> {
  const { project } = port.state;
  port.doing('going back');
  try {
    const checkpoints = openCheckpoints(port.stateDir, port.state);
    const mayTouch = writtenOutside(() => port.since(1), port.permissions);
    const since = port.since(to);
    const commands = await commandsSince(since, port.state.cwd, port.permissions);
    const untold = untoldCommands(since);
    const steps: readonly (RestoreStep & { problem?: string })[] =
      what === 'conversation'
        ? await planRestore(checkpoints, to, mayTouch)
        : await restore(checkpoints, to, port.state.lastSeq + 1, mayTouch);
    if (what !== 'files') {
      port.append({ type: 'rewind', to });
      port.wentBack();
    }
    const name = ({ file }: RestoreStep) => shownPath(file, project);
    const went = steps.filter(({ problem }) => !problem).filter(isMoving);
    const gone = went.filter(({ action }) => action === 'remove');
    const back = went.filter(({ action }) => action !== 'remove');
    const left = steps.filter(({ action, problem }) => problem || isLeft(action));
    // The model no longer knows of these changes, and they are there.
    const stay = what === 'conversation' ? steps.filter(({ action }) => action !== 'same') : left;
    const files = stay.length
      ? [
          `These files were changed after it and stay as they are now: ${listed(stay.map(name))}. Read them before you change them.`,
        ]
      : [];
    if (what !== 'files' && (stay.length || commands.length))
      tellModel(port, [WENT_BACK, ...files, ...ranSince(commands, untold)]);
    if (what === 'conversation') return undefined;
    if (what === 'files' && went.length)
      tellModel(port, [
        `The person took back your changes of these files: ${listed(went.map(name))}. Read them again before you change them.`,
        ...(commands.length ? ['What commands changed was not taken back.'] : []),
      ]);
    const count = (of: readonly RestoreStep[]) => `${of.length} file${of.length === 1 ? '' : 's'}`;
    const named = (step: RestoreStep) => (step.action === 'merge' ? `${name(step)} (${KEEPS})` : name(step));
    const parts = [
      ...(back.length ? [`${count(back)} went back: ${listed(back.map(named))}`] : []),
      ...(gone.length ? [`${count(gone)} removed: ${listed(gone.map(name))}`] : []),
    ];
    port.append({ type: 'notice', level: 'info', text: parts.join('; ') || 'no file went back', rewound: to });
    if (commands.length) port.append({ type: 'notice', level: 'info', text: staysOf(commands) });
    if (left.length)
      port.append({
        type: 'notice',
        level: 'warning',
        text: `left as they are: ${left.map((step) => `${name(step)} (${step.problem ?? REASONS[step.action]})`).join(', ')}`,
      });
    return undefined;
  } finally {
    port.doing(null);
  }
}

const WENT_BACK = 'The person went back to this point of the conversation.';

const tellModel = (port: RewindPort, sentences: readonly string[]): void =>
  port.append({ type: 'note', about: 'tools', text: sentences.join(' ') });

/** What the person did not tell the model it is not told now either. */
function ranSince(commands: readonly string[], untold: ReadonlySet<string>): string[] {
  const told = commands.filter((command) => !untold.has(command));
  return [
    ...(told.length
      ? [`Commands that ran after it may have changed files, and that is still so: ${shown(told)}.`]
      : []),
    ...(told.length < commands.length ? ['Commands of the person may have changed files since.'] : []),
  ];
}

/** What a person should know of commands that may have changed files, in one line. */
export const staysOf = (commands: readonly string[]): string =>
  `stays as it is: what commands changed since (${shown(commands)})`;

const MOST_COMMANDS = 3;
const LONGEST_COMMAND = 60;

function shown(commands: readonly string[]): string {
  const some = commands.slice(0, MOST_COMMANDS).map((command) => {
    const line = visibleControls(command.trim().replace(/[ \t\n]+/g, ' '));
    return redact(line.length > LONGEST_COMMAND ? `${beginningOf(line, LONGEST_COMMAND - 1)}…` : line);
  });
  const more = commands.length - some.length;
  return `${some.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The file becomes another one, or goes. */
export const isMoving = ({ action }: RestoreStep): boolean =>
  action === 'back' || action === 'merge' || action === 'remove';

export const KEEPS = 'but for the lines that others changed';

const isLeft = (action: RestoreStep['action']): boolean =>
  action === 'changed' || action === 'lost' || action === 'outside';

/** Why a file is left alone. */
export const REASONS: Readonly<Record<RestoreStep['action'], string>> = {
  back: '',
  merge: '',
  remove: '',
  same: 'it holds that already',
  changed: 'something else changed it since',
  lost: 'what it held before is not kept',
  outside: 'it lies outside of the project, and this session was not allowed to write it here',
};

const MOST_NAMES = 20;
const listed = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`;
