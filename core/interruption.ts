/** Why a turn was ended before its time, in words that are true: the reason of its signal. */
export type Interruption = 'abort' | 'timeout' | 'close';

const REASONS: Readonly<Record<Interruption, string>> = {
  abort: 'Interrupted by the user',
  timeout: 'Stopped by the time limit of the turn',
  close: 'Interrupted because ada was closed',
};

/** For the model, as the beginning of a sentence. */
export const interruption = ({ reason }: AbortSignal): string => REASONS[reason as Interruption] ?? REASONS.abort;

/** For whoever reads why an approval that waited was denied. */
export const UNANSWERED: Readonly<Record<Interruption, string>> = {
  abort: 'the turn was interrupted',
  timeout: 'the time limit ended the turn',
  close: 'ada was closed',
};

/** Of a call that had begun when its process died. */
export const INTERRUPTED = 'The call was interrupted before it gave a result.';

/** Of a call whose turn had not come when its process died. */
export const NOT_BEGUN = 'ada ended before the call ran.';

/** Words with which a result begins: of calls that had not begun, of tools that just stopped, of a question. */
const CUT_OFF: readonly string[] = [INTERRUPTED, NOT_BEGUN, ...Object.values(REASONS), 'Interrupted before the user'];
/** What a command says of its own end, behind its output. */
const COMMAND_ENDED = new RegExp(`^\\((?:${Object.values(REASONS).join('|')}) after [\\d.]+ s; `, 'im');

/** Whether a failed call was cut off with its turn, by its output: how far it got was chance. */
export const wasCutOff = (output: string): boolean =>
  CUT_OFF.some((words) => output.startsWith(words)) || COMMAND_ENDED.test(output);
