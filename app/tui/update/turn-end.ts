/** The line that ends a turn: how it ended, how long it took, what it used. */
import type { EventOf } from '../../../core/types.ts';
import { duration } from '../blocks/duration.ts';
import { amount } from '../view/figures.ts';

const ENDINGS = { stop: '', aborted: 'interrupted', limit: 'stopped at a limit', error: 'failed' } as const;

export function endText({ finish, usage, turns, denials, durationMs }: EventOf<'done'>): string {
  const parts: string[] = [];
  if (ENDINGS[finish]) parts.push(ENDINGS[finish]);
  parts.push(duration(durationMs));
  if (turns > 1) parts.push(`${turns} messages`);
  if (usage.input !== null || usage.output !== null) {
    parts.push(
      `${usage.input === null ? '?' : amount(usage.input)} in, ${usage.output === null ? '?' : amount(usage.output)} out`,
    );
  }
  if (usage.cost !== null && usage.cost > 0) parts.push(`$${usage.cost.toFixed(usage.cost < 0.1 ? 4 : 2)}`);
  if (denials.length > 0) parts.push(`${denials.length} denied`);
  return parts.join(' · ');
}
