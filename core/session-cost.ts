/** What a conversation has cost, in one sentence. Of one's own servers nobody charges: their answers have no figure. */
import { costOf } from './served.ts';
import type { StoredEvent } from './types.ts';

export interface SessionCost {
  /** US dollars of what has a price; null where nothing has. */
  dollars: number | null;
  /** Hosted models (`backend/model`) that answered for an unknown price. */
  unpriced: readonly string[];
  /** A server of one's own answered. */
  own: boolean;
}

export function sessionCost(events: readonly StoredEvent[]): SessionCost {
  let dollars: number | null = null;
  let own = false;
  const unpriced = new Set<string>();
  for (const event of events) {
    const added = costOf(event);
    if (added !== null) dollars = Number(((dollars ?? 0) + added).toFixed(8));
    if (event.type !== 'assistant' || event.finish === 'error' || event.finish === 'aborted') continue;
    const { backend, model, local } = event.served;
    if (local) own = true;
    // Logs are older than some figures.
    else if ((event.usage?.cost ?? null) === null) unpriced.add(`${backend}/${model}`);
  }
  return { dollars, unpriced: [...unpriced], own };
}

/** Empty where nothing was answered yet. */
export function costText({ dollars, unpriced, own }: SessionCost): string {
  const models = unpriced.join(', ');
  if (dollars !== null) {
    const beside = models && `, without the answers of ${models}, whose price is unknown`;
    return `this conversation has cost $${dollars}${beside}`;
  }
  if (models) return `what this conversation has cost is unknown: there is no price for ${models}`;
  return own ? 'this conversation has cost nothing: your own servers answered' : '';
}
