/** Keeps a session's conversation within its window. */
import type { CompactionPort } from './compaction/compact.ts';
import { charactersOf, FULL, reasoningOf } from './compaction/size.ts';
import { WindowKeeper, type WindowOptions } from './compaction/window-keeper.ts';

export class WindowRoom {
  readonly keeper: WindowKeeper;
  readonly #port: CompactionPort;
  readonly #tools: number;
  /** A person knows that fixed parts leave little of the window. */
  #toldScarce = false;
  /** The turn in which a person was told what does not reach the model. */
  #toldIn?: AbortSignal;
  /** The turn in which no summary could be asked for: it goes on whole as long as it fits. */
  #failedIn?: AbortSignal;

  constructor(options: WindowOptions, port: CompactionPort) {
    this.keeper = new WindowKeeper({ ...known(options, port), ...options });
    this.#port = port;
    this.#tools = options.tools;
  }

  /** The conversation is an earlier one again. */
  wentBack(): void {
    this.keeper.wentBack(known({ model: this.#port.state.model, tools: this.#tools }, this.#port).before);
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
    let why: string | undefined;
    const mayWait = this.#failedIn === signal && this.#tokens <= keeper.budget.window * FULL;
    if (options.force || (keeper.isFull(this.#port.characters()) && !mayWait)) {
      let { budget } = keeper;
      // It was told with the summary that stands there.
      this.#toldScarce ||= this.#port.entries().some(({ from }) => from === 'summary');
      const { compact, scarceMessage, stuckMessage } = await import('./compaction/compact.ts');
      let result = await compact(this.#port, { signal, budget, ...options });
      if (result.kind === 'stuck' && options.asked && result.before <= budget.window)
        return `Nothing was left out: of about ${result.before} tokens all is recent or has to stay.`;
      // A window that was only guessed refuses nothing: what is cut is told, and may be served whole by now.
      if (result.kind === 'stuck' && keeper.isCut) {
        why = stuckMessage(result, budget);
        budget = keeper.askedBudget;
        result = await compact(this.#port, { signal, budget, ...options });
      }
      if (result.kind === 'stuck') return stuckMessage(result, budget);
      if (result.kind === 'failed' && options.asked) return `Nothing was left out: ${result.why}`;
      if (result.kind === 'failed') {
        this.#failedIn = signal;
        const text = `no room could be made (${result.why}): the conversation goes on whole, and room is made later`;
        this.#port.append({ type: 'notice', level: 'warning', text });
      }
      if (result.kind === 'none' && options.asked) return 'There is nothing to leave out yet.';
      if (result.kind === 'done') {
        keeper.rewritten();
        const scarce = this.#toldScarce || options.asked ? undefined : scarceMessage(this.#port.entries(), budget);
        if (scarce !== undefined) this.#port.append({ type: 'notice', level: 'warning', text: scarce });
        this.#toldScarce ||= scarce !== undefined;
      }
    }
    this.#tellLoss(signal, why);
    keeper.sends(this.#port.characters(), () => reasoningOf(this.#port.entries()));
    return undefined;
  }

  /** Of the next request, as far as is known. */
  get #tokens(): number {
    const { tools, tokensPerCharacter } = this.keeper.budget;
    return Math.ceil((this.#port.characters() + tools) * tokensPerCharacter);
  }

  /** A window that is known to be cut gets nothing larger without a word, once a turn. `why`: no room could be made. */
  #tellLoss(signal: AbortSignal, why: string | undefined): void {
    const { isCut, isOn, budget } = this.keeper;
    if (!isCut || this.#toldIn === signal) return;
    const tokens = this.#tokens;
    if (tokens <= budget.window) return;
    this.#toldIn = signal;
    const text = [
      why ?? `The conversation needs about ${tokens} tokens and the window holds ${budget.window}.`,
      `It is sent all the same: about ${tokens - budget.window} tokens of it, usually the oldest, do not reach the model.`,
      ...(isOn ? [] : [`Making room is turned off: ${TURNED_OFF}`]),
    ].join(' ');
    this.#port.append({ type: 'notice', level: 'warning', text });
  }
}

const TURNED_OFF = '/compact leaves out what is old now, compactAt in the settings (0.75, say) whenever it is needed.';

/** What the log tells of earlier requests to this model. */
function known(
  { model, tools }: Pick<WindowOptions, 'model' | 'tools'>,
  port: CompactionPort,
): Pick<WindowOptions, 'before' | 'cut'> {
  const { cut, countedWith, promptTokens, model: last } = port.state;
  const ofModel = { cut: cut?.model === model ? { tokens: cut!.tokens, asked: cut!.asked } : null };
  if (!countedWith || !promptTokens || last !== model) return ofModel;
  let characters = tools + port.characters();
  const entries = port.entries();
  for (let i = entries.length - 1; i >= 0 && entries[i]!.seq >= countedWith; i--)
    characters -= charactersOf(entries[i]!.message);
  return { ...ofModel, before: { characters, counted: promptTokens } };
}
