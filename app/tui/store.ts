/**
 * Holds the state of the screen and drives it: actions in, effects and frames out. Keys are shown at once; what streams
 * is gathered into at most one action and one frame every 33 ms. Nothing ticks while nothing runs.
 */
import { isStored, type LiveEvent } from '../../core/types.ts';
import type { Action, Effect, Input, State } from './types.ts';
import { HOLD_MS } from './update/input.ts';
import { update } from './update.ts';

export const FRAME_MS = 33;
const TICK_MS = 250;
/** While a person is asked nothing moves but the time. */
const WAITING_TICK_MS = 1000;
/** The hint that a second Ctrl+C leaves goes away after this long, with a little more than the reducer counts. */
const LEAVING_MS = 2050;

export interface StoreOptions {
  state: State;
  /** Shows a state. */
  paint(state: State): void;
  /** Does what the reducer asked for. */
  run(effect: Effect): void;
}

export class Store {
  readonly #options: StoreOptions;
  #state: State;
  #painted: State | undefined;
  #paintedAt = 0;
  #cancel: (() => void) | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #tickMs = 0;
  #leaving: NodeJS.Timeout | undefined;
  #holding: NodeJS.Timeout | undefined;
  #closed = false;
  /** What was streamed since the last frame, as one event. */
  #live: { event: LiveEvent; parts: string[] } | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#state = options.state;
  }

  get state(): State {
    return this.#state;
  }

  /** Keys and pastes, all that came with one read. */
  input(inputs: readonly Input[]): void {
    for (const input of inputs) this.#take({ type: 'input', input, now: Date.now() });
    this.paint();
  }

  dispatch(action: Action): void {
    if (action.type === 'event' && !isStored(action.event) && action.event.type !== 'activity')
      this.#gather(action.event);
    else this.#take(action);
    this.#schedule();
  }

  /** Another state altogether: another session, another theme. */
  replace(state: State): void {
    this.#live = undefined;
    this.#state = state;
    this.#keepTime();
    this.#schedule();
  }

  /** Shows the state now, if it changed since it was last shown. */
  paint(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#takeLive();
    if (this.#closed || this.#painted === this.#state) return;
    this.#painted = this.#state;
    this.#options.paint(this.#state);
    this.#paintedAt = performance.now();
  }

  /** Shows the state again although it did not change: the screen did, or what is laid out from the same state. */
  repaint(): void {
    this.#painted = undefined;
    this.#schedule();
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
    clearInterval(this.#ticker);
    clearTimeout(this.#leaving);
    clearTimeout(this.#holding);
  }

  /** Deltas of the same text are one delta. */
  #gather(event: LiveEvent): void {
    const before = this.#live?.event;
    if (before && before.type === event.type && !startsAnew(event, before)) {
      this.#live!.parts.push(textOf(event));
    } else {
      this.#takeLive();
      this.#live = { event, parts: [textOf(event)] };
    }
  }

  #takeLive(): void {
    const live = this.#live;
    if (!live) return;
    this.#live = undefined;
    const text = live.parts.join('');
    const event: LiveEvent =
      live.event.type === 'tool_progress' ? { ...live.event, output: text } : { ...live.event, delta: text };
    this.#take({ type: 'event', event, now: Date.now() });
  }

  #take(action: Action): void {
    if (this.#closed) return;
    this.#takeLive();
    const { state, effects } = update(this.#state, action);
    this.#state = state;
    this.#keepTime();
    for (const effect of effects) this.#options.run(effect);
  }

  #schedule(): void {
    if (this.#cancel || this.#closed) return;
    const delay = this.#paintedAt + FRAME_MS - performance.now();
    if (delay <= 0) {
      // Behind what else came with this turn of the event loop.
      const immediate = setImmediate(() => this.paint());
      this.#cancel = () => clearImmediate(immediate);
    } else {
      const timer = setTimeout(() => this.paint(), delay);
      this.#cancel = () => clearTimeout(timer);
    }
  }

  /** Clocks run only while something on the screen depends on the time. */
  #keepTime(): void {
    const { running, leaving, held, approvals, questions } = this.#state;
    const tickMs = !running ? 0 : approvals.length + questions.length > 0 ? WAITING_TICK_MS : TICK_MS;
    if (tickMs !== this.#tickMs) {
      clearInterval(this.#ticker);
      const tick = () => this.dispatch({ type: 'tick', now: Date.now() });
      this.#ticker = tickMs > 0 ? setInterval(tick, tickMs) : undefined;
      this.#tickMs = tickMs;
    }
    if (leaving !== null && !this.#leaving) {
      this.#leaving = setTimeout(() => {
        this.#leaving = undefined;
        this.dispatch({ type: 'tick', now: Date.now() });
      }, LEAVING_MS);
    } else if (leaving === null && this.#leaving) {
      clearTimeout(this.#leaving);
      this.#leaving = undefined;
    }
    if (held && !this.#holding) {
      this.#holding = setTimeout(() => {
        this.#holding = undefined;
        this.dispatch({ type: 'tick', now: Date.now() });
      }, HOLD_MS);
    } else if (!held && this.#holding) {
      clearTimeout(this.#holding);
      this.#holding = undefined;
    }
  }
}

const textOf = (event: LiveEvent): string => (event.type === 'tool_progress' ? event.output : event.delta);

/** Whether an event does not go on with the text of the one before it, which is of the same type. */
const startsAnew = (event: LiveEvent, before: LiveEvent): boolean =>
  event.type === 'tool_progress' ? event.id !== (before as typeof event).id : event.at === 0;
