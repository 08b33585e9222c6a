/** Keeps a session's conversation within its window. */
import type { CompactionPort } from './compaction/compact.ts';
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
   * `force`: whatever was estimated. `keep`: what a summary must hold.
   */
  async make(signal: AbortSignal, options: { force: boolean; keep?: string }): Promise<string | undefined> {
    const { keeper } = this;
    if (options.force || keeper.isFull(this.#port.characters())) {
      const { budget } = keeper;
      const { compact, stuckMessage } = await import('./compaction/compact.ts');
      const result = await compact(this.#port, { signal, budget, ...options });
      if (result.kind === 'stuck') return stuckMessage(result, budget);
      if (result.kind === 'done') keeper.rewritten();
    }
    keeper.sends(this.#port.characters());
    return undefined;
  }
}
