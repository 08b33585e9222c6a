/** Keeps a session's conversation within its window. */
import type { CompactionPort } from './compaction/compact.ts';
import { reasoningOf } from './compaction/size.ts';
import { WindowKeeper, type WindowOptions } from './compaction/window-keeper.ts';

export class WindowRoom {
  readonly keeper: WindowKeeper;
  readonly #port: CompactionPort;

  constructor(options: WindowOptions, port: CompactionPort) {
    this.keeper = new WindowKeeper(options);
    this.#port = port;
  }

  /**
   * Leaves out what is old where the window gets too full; gives why that was not enough, in one line for a person.
   * `force`: whatever was estimated; `asked`: by a person. `keep`: what a summary must hold.
   */
  async make(
    signal: AbortSignal,
    options: { force: boolean; asked?: boolean; keep?: string },
  ): Promise<string | undefined> {
    const { keeper } = this;
    if (options.force || keeper.isFull(this.#port.characters())) {
      const { budget } = keeper;
      const { compact, stuckMessage } = await import('./compaction/compact.ts');
      const result = await compact(this.#port, { signal, budget, ...options });
      if (result.kind === 'stuck' && options.asked && result.before <= budget.limit)
        return `Nothing was left out: of about ${result.before} tokens all is recent or has to stay.`;
      if (result.kind === 'stuck') return stuckMessage(result, budget);
      if (result.kind === 'none' && options.asked) return 'There is nothing to leave out yet.';
      if (result.kind === 'done') keeper.rewritten();
    }
    keeper.sends(this.#port.characters(), () => reasoningOf(this.#port.entries()));
    return undefined;
  }
}
