/** A session as the recorded model reads it (CONTRACT, "The recorded model"): one model answer a line. */
import { callsIn, type RecordedAnswer, recordedSteps } from '../replay/recorded-steps.ts';
import type { StoredEvent } from '../types.ts';
import type { Outline } from './outline.ts';

/**
 * A line for each request whose answer the loop heard, so that the same prompts meet the same answers: what was void and
 * asked for anew has one, too, and what ended a turn from outside. Requests that made room have none, nor those that
 * were refused for want of it. Line by line, of events that are all held for it: what ended a request stands behind it.
 */
export function* toReplay(events: Iterable<StoredEvent>, { standing }: Outline): Generator<string> {
  const kept = Array.from(standing(events), ([, event]) => event);
  for (const step of recordedSteps(kept, 'auto').steps) {
    if (step.kind !== 'prompt') continue;
    for (const answer of step.answers) yield lineOf(answer);
    const last = step.answers.at(-1);
    const goesOn = !last || (last.finish !== 'error' && callsIn(last.content).length > 0);
    if (step.finish === 'cut' && goesOn) yield `${JSON.stringify({ finish: 'aborted' })}\n`;
  }
}

function lineOf({ content, finish, error, isLooping, isLost, constrains, shown }: RecordedAnswer): string {
  const joined = (type: 'text' | 'reasoning') => content.map((part) => (part.type === type ? part.text : '')).join('');
  const [text, reasoning] = [joined('text'), joined('reasoning')];
  const calls = finish === 'error' || finish === 'aborted' ? [] : callsIn(content);
  const isSilent = !text && !reasoning && calls.length === 0;
  // The guard cuts it once more.
  const told = isLooping ? undefined : finish;
  const metadata = {
    ...(isLost && { streamed: true }),
    ...(constrains && { constrains: true }),
    ...(shown && (shown === 'perhaps' || callsMayBeShown(text)) && { callsShown: shown }),
  };
  const line = {
    ...(reasoning && { reasoning }),
    ...(text && { text }),
    ...(calls.length && {
      toolCalls: calls.map(({ name, input, raw, invalid }) => ({
        name,
        input,
        ...(invalid !== undefined && { invalid, ...(raw !== undefined && { raw }) }),
      })),
    }),
    ...(told === 'error' && {
      error: {
        status: 400,
        message: error?.message ?? 'the recorded answer failed',
        afterChunks: Number(text !== '') + Number(reasoning !== ''),
        final: true,
      },
    }),
    ...((told === 'length' || told === 'filter' || told === 'aborted' || (told === 'stop' && isSilent)) && {
      finish: told,
    }),
    ...(Object.keys(metadata).length && { metadata }),
  };
  return `${JSON.stringify(line)}\n`;
}

/** Most answers hold nothing that could be taken for a call. */
const callsMayBeShown = (text: string): boolean => /[}\])>`"']\s*$|Action Input:|(?:^|\n)[ \t]*<[A-Za-z]/.test(text);
