/** Recovery whose parsers are loaded when a message first holds what might be markup: most answers hold none. */
import type { MessageEnd, Recovery, RecoveryOptions, RecoveryPiece } from './recovery.ts';

/** What may begin a tag, a token or code, in the answer and in thinking. */
const TRIGGERS = /[<[`~◁{]/;
/** A message that begins with two words is no bare call, unless the first is one of those that some families begin with. */
const PLAIN = /^\s*(?!(?:call|commentary|assistant|analysis|function)\b)[A-Za-z][\w'’]*[,.:;!?]?\s+[A-Za-z]/;
/** It may still begin with two words. */
const ONE_WORD = /^\s*(?:[A-Za-z][\w'’]*[,.:;!?]?\s*)?$/;

/** The same as `createRecovery`; a method gives a promise where it has to load the parsers first. */
export class LateRecovery {
  readonly #options: RecoveryOptions;
  #engine: Recovery | undefined;
  /** What was given out as it is, in order. */
  readonly #given: { type: 'content' | 'reasoning'; text: string }[] = [];
  /** The beginning of the answer, until it is known to be plain. */
  #head: string | undefined = '';

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  content(delta: string, out: RecoveryPiece[]): Promise<void> | undefined {
    if (this.#engine) {
      this.#engine.content(delta, out);
      return undefined;
    }
    const text = (this.#head ?? '') + delta;
    if (this.#options.startsThinking || TRIGGERS.test(delta)) return this.#load((engine) => engine.content(text, out));
    if (this.#head !== undefined) {
      if (ONE_WORD.test(text)) {
        this.#head = text;
        return undefined;
      }
      if (!PLAIN.test(text)) return this.#load((engine) => engine.content(text, out));
    }
    this.#head = undefined;
    this.#give('content', text, out);
    return undefined;
  }

  thinking(delta: string, out: RecoveryPiece[]): Promise<void> | undefined {
    if (this.#engine) {
      this.#engine.thinking(delta, out);
      return undefined;
    }
    if (TRIGGERS.test(delta)) return this.#load((engine) => engine.thinking(delta, out));
    this.#give('reasoning', delta, out);
    return undefined;
  }

  /** The thinking is over, or a call of the format itself begins: what waits is given out. */
  settle(out: RecoveryPiece[]): void {
    if (this.#engine) this.#engine.settle(out);
    else if (this.#head) {
      this.#give('content', this.#head, out);
      this.#head = undefined;
    }
  }

  end(how: MessageEnd, out: RecoveryPiece[]): void {
    if (this.#engine) this.#engine.end(how, out);
    // One word is no call.
    else if (this.#head) this.#give('content', this.#head, out);
  }

  #give(type: 'content' | 'reasoning', delta: string, out: RecoveryPiece[]): void {
    if (delta === '') return;
    const last = this.#given.at(-1);
    if (last?.type === type) last.text += delta;
    else this.#given.push({ type, text: delta });
    out.push({ type, delta });
  }

  async #load(then: (engine: Recovery) => void): Promise<void> {
    const { createRecovery } = await import('./recovery.ts');
    const engine = createRecovery(this.#options);
    // It gives the same out for what came before, which is out already.
    const before: RecoveryPiece[] = [];
    for (const { type, text } of this.#given) engine[type === 'content' ? 'content' : 'thinking'](text, before);
    this.#engine = engine;
    this.#head = undefined;
    then(engine);
  }
}
