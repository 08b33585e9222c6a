/** What stands over an exported session. */
import { costOf } from '../served.ts';
import { titleOf } from '../session-title.ts';
import type { StoredEvent } from '../types.ts';

export interface Head {
  id: string;
  title: string;
  model: string;
  /** Of the first event, ms since the epoch; undefined for an empty log. */
  begun?: number;
  /** US dollars of all turns; null when nothing is known. */
  cost: number | null;
}

export function headOf(events: Iterable<StoredEvent>): Head {
  const fold = new HeadFold((event) => event);
  for (const event of events) fold.add(event);
  return fold.head();
}

/** The head, from one event after another. */
export class HeadFold {
  #id: string | undefined;
  #title = '';
  #model = '';
  #begun: number | undefined;
  #isEmpty = true;
  #cost: number | null = null;
  readonly #safe: (event: StoredEvent) => StoredEvent;

  /** `safe`: makes of an event what may be told of it; asked only of those that the head tells of. */
  constructor(safe: (event: StoredEvent) => StoredEvent) {
    this.#safe = safe;
  }

  add(given: StoredEvent): void {
    if (this.#isEmpty) this.#begun = given.time;
    this.#isEmpty = false;
    const cost = costOf(given);
    if (cost !== null) this.#cost = Number(((this.#cost ?? 0) + cost).toFixed(8));
    const isFirst = given.type === 'session' && this.#id === undefined;
    const isPrompt = given.type === 'user' && this.#title === '';
    if (!isFirst && !isPrompt && given.type !== 'title' && given.type !== 'model') return;
    const event = this.#safe(given);
    if (event.type === 'session') [this.#id, this.#model] = [event.id, this.#model || event.model];
    else if (event.type === 'user') this.#title = titleOf(event.text);
    else if (event.type === 'title') this.#title = event.text;
    else if (event.type === 'model') this.#model = event.value;
  }

  head(): Head {
    const title = this.#title || '(empty)';
    return { id: this.#id ?? '', title, model: this.#model, begun: this.#begun, cost: this.#cost };
  }
}
