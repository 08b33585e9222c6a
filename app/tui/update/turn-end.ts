/** The line that ends a turn: how it ended, how long it took, what it used. */
import type { EventOf } from '../../../core/types.ts';
import { duration } from '../blocks/duration.ts';
import { amount } from '../view/figures.ts';

const ENDINGS = { stop: '', aborted: 'interrupted', limit: 'stopped at a limit', error: 'failed' } as const;

/** A log may be of another version, or mended by hand: what it does not say is left out. */
export function endText({ finish, usage, turns, denials, durationMs }: Partial<EventOf<'done'>>): string {
  const parts: string[] = [];
  const { input, output, cost } = usage ?? {};
  const ending = finish === undefined ? '' : ENDINGS[finish];
  if (ending) parts.push(ending);
  if (durationMs !== undefined) parts.push(duration(durationMs));
  if (turns !== undefined && turns > 1) parts.push(`${turns} messages`);
  if (input != null || output != null) parts.push(`${shown(input)} in, ${shown(output)} out`);
  if (cost != null && cost > 0) parts.push(`$${cost.toFixed(cost < 0.1 ? 4 : 2)}`);
  if (denials?.length) parts.push(`${denials.length} denied`);
  return parts.join(' · ');
}

const shown = (tokens: number | null | undefined): string => (tokens == null ? '?' : amount(tokens));
