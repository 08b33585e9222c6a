/** Watches how full the window is: what a request takes, when room must be made, and whether the server cut it. */
import { couldBeNew, isWhole, judgeCount, LEAST, NOTICEABLE } from './cut-prompt.ts';
import { type Budget, USUAL_LIMIT } from './size.ts';

/** Where nothing was learned yet. */
const TOKENS_PER_CHARACTER = 1 / 4;
/** What a tokenizer makes of text lies between `LEAST` and this; anything else counts something else. */
const MOST = 1.2;
/** Of a count whose circumstances are not known any more. */
const LEAST_OF_EARLIER = 0.15;
/** Where nobody knows the window. */
const DEFAULT_LIMIT = 100_000;
const UNKNOWN_WINDOW = 128_000;
/** A prompt that leaves no more of the window than this left no room for an answer: it was cut to fit. */
const BRIM = 8;

export interface WindowOptions {
  /** Tokens that the model is served with; null when unknown. */
  contextTokens: number | null;
  /** The same where that was learned since. */
  learnedTokens?(): number | null;
  /** Up to 1 a share of the window, above that tokens, 0 never; undefined for the default. */
  compactAt?: number;
  /** Characters of the schemas of the tools. */
  tools: number;
  /** How the window is made larger, as half a sentence (`serve a larger window (…)`). */
  widen?: string;
  /** Whom it is asked of; what was learned of a model holds when the session comes back to it. */
  model?: string;
  /** What an earlier process of this session was told last. */
  before?: { characters: number; counted: number };
  /** What an earlier process learned of how this model is served. */
  cut?: Cut | null;
}

/** A server gave less than it was asked for: `tokens` of `asked`, null where the window was unknown. */
export interface Cut {
  tokens: number;
  asked: number | null;
}

/** For a person; `cut` is null when the server takes all of a prompt again, and left out where the window is no smaller. */
export interface WindowNews {
  text: string;
  cut?: Cut | null;
}

/** What is known of how a model's server counts. */
interface Counting {
  tokensPerCharacter: number;
  /** The figure comes from what the server counted. */
  isLearned: boolean;
  /** It tells only what it had to read anew. */
  isPartial: boolean;
  /** Counts that held what was known from earlier requests, and followed what was added. */
  whole: number;
  cut: Cut | null;
}

const nothingKnown = (cut: Cut | null = null): Counting => ({
  tokensPerCharacter: TOKENS_PER_CHARACTER,
  isLearned: false,
  isPartial: false,
  whole: 0,
  cut,
});

export class WindowKeeper {
  readonly #options: WindowOptions;
  #widen: string | undefined;
  #chosen: number | null;
  #counting: Counting;
  readonly #learned = new Map<string, Counting>();
  /** Of the newest request: its characters; of the one before it: the same, and what the server counted. */
  #characters = 0;
  #reasoning = () => 0;
  #before: { characters: number; counted: number; addedCharacters: number; isBehind: boolean } | null;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#chosen = options.contextTokens;
    this.#widen = options.widen;
    this.#counting = nothingKnown(options.cut);
    this.#before = options.before ? { ...options.before, addedCharacters: 0, isBehind: false } : null;
    // A count of what was read anew alone would make the estimate too small, and nothing would be compacted in time.
    if (options.before) this.#learn(options.before.counted / options.before.characters, LEAST_OF_EARLIER);
    if (options.model !== undefined) this.#learned.set(options.model, this.#counting);
  }

  /** Another model, another window and another tokenizer. */
  change(contextTokens: number | null, model?: string, widen?: string): void {
    this.#chosen = contextTokens;
    this.#widen = widen;
    this.#counting = (model !== undefined && this.#learned.get(model)) || nothingKnown();
    if (model !== undefined) this.#learned.set(model, this.#counting);
    this.#before = null;
  }

  /** Tokens that are asked for; where nobody knew, somebody may have told by now. */
  get #asked(): number | null {
    return this.#chosen ?? this.#options.learnedTokens?.() ?? null;
  }

  /** Tokens that the model is served with, as far as they arrive; null when unknown. */
  get window(): number | null {
    return this.#cut?.tokens ?? this.#asked;
  }

  /** The window is one that was found by what the server counted. */
  get isCut(): boolean {
    return this.#cut !== null;
  }

  /** A window that is larger than the one which was cut, or known where none was, may be served whole. */
  get #cut(): Cut | null {
    const { cut } = this.#counting;
    const asked = this.#asked;
    return cut && (asked === null || (cut.asked !== null && asked <= cut.asked)) ? cut : null;
  }

  /** False when the person turned compaction off. */
  get isOn(): boolean {
    return this.#options.compactAt !== 0;
  }

  get budget(): Budget {
    return this.#budgetIn(this.window);
  }

  /** As if nothing had been cut. */
  get askedBudget(): Budget {
    return this.#budgetIn(this.#asked);
  }

  #budgetIn(known: number | null): Budget {
    const { compactAt, tools } = this.#options;
    const window = known ?? UNKNOWN_WINDOW;
    const common = { window, tokensPerCharacter: this.#counting.tokensPerCharacter, tools, widen: this.#widen };
    if (compactAt === undefined || compactAt === 0)
      return { ...common, limit: known === null ? DEFAULT_LIMIT : Math.floor(window * USUAL_LIMIT) };
    return { ...common, limit: Math.floor(compactAt <= 1 ? window * compactAt : Math.min(compactAt, window)) };
  }

  /** Whether a request whose messages have so many characters would be too long. */
  isFull(characters: number): boolean {
    if (!this.isOn) return false;
    const { limit, tokensPerCharacter, tools } = this.budget;
    return (characters + tools) * tokensPerCharacter > limit;
  }

  /**
   * To be told of every request before it is sent. `reasoning`: characters of thinking in it, which templates leave out
   * in later turns.
   */
  sends(characters: number, reasoning: () => number = () => 0): void {
    this.#characters = this.#options.tools + characters;
    this.#reasoning = reasoning;
  }

  /** The history was rewritten: smaller counts are no wonder. */
  rewritten(): void {
    this.#before = null;
  }

  /**
   * The history is an earlier one again, of which the log tells what the server counted: what was learned of a shorter
   * one since, with another share of prose, would find it too small.
   */
  wentBack(before: WindowOptions['before']): void {
    this.#before = null;
    if (!before || this.#counting.isPartial) return;
    this.#before = { ...before, addedCharacters: 0, isBehind: false };
    this.#learn(before.counted / before.characters, LEAST_OF_EARLIER);
  }

  /**
   * Learns from what the server counted. Gives news when the server seems to have cut the prompt: then the window is
   * taken to be what it counted.
   */
  counted(promptTokens: number | null): WindowNews | undefined {
    if (promptTokens === null || promptTokens <= 0 || this.#characters === 0) return undefined;
    const characters = this.#characters;
    const before = this.#before;
    const counting = this.#counting;
    const tokens = (length: number) => Math.ceil(length * counting.tokensPerCharacter);
    const added = before ? tokens(characters - before.characters) : 0;
    const addedCharacters = characters - (before?.characters ?? 0);
    this.#before = { characters, counted: promptTokens, addedCharacters, isBehind: false };
    if (this.#asked !== null && Math.abs(promptTokens - this.#asked) <= BRIM) return this.#isBrimful(promptTokens);
    const grown = before ? promptTokens - before.counted : 0;
    // A request holds all of the one before it; what such a server tells is about what is new in it.
    if (before && promptTokens < before.counted / 2 && promptTokens <= 2 * added + 200) counting.isPartial = true;
    if (counting.isPartial) {
      counting.tokensPerCharacter = TOKENS_PER_CHARACTER;
      counting.isLearned = false;
      return undefined;
    }
    // All thinking of the conversation is looked through for it: only where the count decides nothing by itself.
    const lean = () => tokens(characters - this.#reasoning());
    const cut = this.#cut;
    // What is known to be cut is no news; a prompt that arrives whole where it did not before is.
    if (cut && promptTokens <= cut.tokens) return undefined;
    // Windows come in coarse steps: a little more is the same one.
    if (cut && promptTokens > cut.tokens * 1.25 && lean() <= promptTokens * 1.1) return this.#isWhole(promptTokens);
    if (cut) return this.#isCutAt(promptTokens);
    const follows = !before || grown >= added / 2;
    const { isCut, isBehind } = judgeCount({
      counted: promptTokens,
      lean,
      isLearned: counting.isLearned,
      news: before && {
        grown,
        added,
        addedCharacters,
        leanCharacters: () => characters - this.#reasoning() - before.characters,
        tokensPerCharacter: counting.tokensPerCharacter,
      },
      before,
      whole: counting.whole,
    });
    this.#before.isBehind = isBehind;
    if (isCut) {
      this.#isCutAt(promptTokens);
      const sent = Math.max(tokens(characters), (before?.counted ?? promptTokens) + added);
      return {
        text: `The server counted ${promptTokens} tokens of a prompt of about ${sent}: it seems to have cut it. This conversation is kept that short from now on.${this.#widen ? ` To have more, ${this.#widen}.` : ''}`,
        cut: counting.cut,
      };
    }
    const isNew = before !== null && couldBeNew(promptTokens, added) && !isWhole(promptTokens, before.counted, added);
    if (before && follows && !isNew) counting.whole++;
    // A count that stays behind tells nothing of the text: thinking was left out, or the cutting begins; nor does one of
    // what is new alone.
    if ((follows && !(isNew && counting.whole === 0)) || added < NOTICEABLE)
      this.#learn(promptTokens / characters, before ? LEAST : LEAST_OF_EARLIER);
    return undefined;
  }

  /** The text takes more tokens than was thought; how many more nobody said. */
  #isBrimful(promptTokens: number): WindowNews {
    const least = promptTokens / this.#characters;
    if (least > this.#counting.tokensPerCharacter) this.#learn(least, LEAST);
    const text = `The prompt filled the window of ${this.#asked} tokens to the brim: the server seems to have cut it, and the model has not read all of it. Room is made before the next request.`;
    return { text: this.#widen ? `${text} To have more, ${this.#widen}.` : text };
  }

  #learn(ratio: number, least: number): void {
    if (ratio < least || ratio > MOST) return;
    this.#counting.tokensPerCharacter = ratio;
    this.#counting.isLearned = true;
  }

  #isCutAt(tokens: number): undefined {
    this.#counting.cut = { tokens, asked: this.#asked };
  }

  #isWhole(promptTokens: number): WindowNews {
    this.#counting.cut = null;
    const text = `The server counted ${promptTokens} tokens: it takes longer prompts now than it did before.`;
    return { text, cut: null };
  }
}
