/** Recovery whose parsers are loaded when a message first holds what might be markup: most answers hold none. */
import type { MessageEnd, Recovery, RecoveryOptions, RecoveryPiece } from './recovery.ts';

// The expressions here are escaped: the bundler keeps them as they are, and one character beyond ASCII makes the engine
// hold the whole file, which every start reads, in two bytes a character.
/** What may begin a tag, a token or code, in the answer and in thinking. */
const TRIGGERS = /[<[`~\u25c1{]/;
/** Names of gpt-oss' channels, which run into the text where a server swallows the tokens. */
const CHANNELS = ['analysis', 'commentary', 'assistant'];
/** With these some families begin a call that has no markup. */
const WORDS = [...CHANNELS, 'functools[', 'call:', 'to=functions.'];
/** A message that begins with two words is no bare call, unless the first is one of those. */
const PLAIN = /^\s*(?!(?:call|function)\b|analysis|commentary|assistant)[A-Za-z][\w'\u2019]*[,.:;!?]?\s+[A-Za-z]/;
/** Neither a name nor a bracket nor a mark: no call begins like that. */
const NO_CALL = /^\s*[^\sA-Za-z_<[`~\u25c1{>]/;
const FIRST_WORD = /^\s*([A-Za-z_][\w.-]*)/;
/** DeepSeek's word where its first token was swallowed. */
const FUNCTION = 'function';

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
      const next = this.#begins(text);
      if (next === 'wait') {
        this.#head = text;
        return undefined;
      }
      if (next === 'ask') return this.#load((engine) => engine.content(text, out));
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

  /** What a beginning without brackets is: text, nothing that can be told yet, or something for the parsers. */
  #begins(text: string): 'text' | 'wait' | 'ask' {
    const head = text.trimStart();
    // Spaces before thinking are dropped with its tag.
    if (head === '') return 'wait';
    const seeks = this.#options.calls !== false;
    const words = seeks ? WORDS : CHANNELS;
    if (words.some((one) => one.startsWith(head))) return 'wait';
    if (words.some((one) => head.startsWith(one))) return 'ask';
    if (!seeks || NO_CALL.test(text) || PLAIN.test(text)) return 'text';
    const word = FIRST_WORD.exec(text)?.[1];
    if (word === undefined) return 'ask';
    const { tools, accepts } = this.#options;
    if (head === word) {
      // The beginning of a name that only the caller knows cannot be told.
      const isOpen = !tools || accepts !== undefined || FUNCTION.startsWith(word);
      return isOpen || tools.some(({ name }) => name.startsWith(word)) ? 'wait' : 'text';
    }
    const isName = !tools || word === FUNCTION || tools.some(({ name }) => name === word) || accepts?.(word) === true;
    if (!isName) return 'text';
    return /^[ \t]*$/.test(head.slice(word.length)) ? 'wait' : 'ask';
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
