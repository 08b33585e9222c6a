/** Stands for answers that were void: what was wrong with them is recorded, their words are not. */
import type { MessageContent } from '../../providers/ir.ts';
import { RepeatedText } from '../guards/repeated-text.ts';

const LOOP = 'The same once more. ';
/** Long enough to be noticed where no code and no bracket is open, and where one is. */
const USUAL = LOOP.repeat(60);
const LONG = `\n\n${LOOP.repeat(450)}`;

/** `loop`: it says the same over and over; `torn`: the name of its call is debris. */
export function standIn(kind: 'loop' | 'empty' | 'torn'): readonly MessageContent[] {
  if (kind === 'empty') return [];
  if (kind === 'loop') return [{ type: 'text', text: USUAL }];
  return [{ type: 'tool_use', id: 'torn', name: '<', input: {} }];
}

/** What was cut because it ran in a circle, and so far that this is noticed: logs may hold a little less, or more. */
export function inLoop(content: readonly MessageContent[]): readonly MessageContent[] {
  const isNoticed = (['text', 'reasoning'] as const).some((type) => {
    const watcher = new RepeatedText();
    return content.some((part) => part.type === type && watcher.add(part.text) !== undefined);
  });
  return isNoticed ? content : [...content, { type: 'text', text: LONG }];
}
