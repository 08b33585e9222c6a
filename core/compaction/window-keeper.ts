/** Watches how full the window is: what a request takes, when room must be made, and whether the server cut it. */
import type { Budget } from './size.ts';

/** Where nothing was learned yet. */
const TOKENS_PER_CHARACTER = 1 / 4;
/** What a tokenizer makes of text lies between these; anything else counts something else. */
const [LEAST, MOST] = [0.08, 1.2];
const DEFAULT_SHARE = 0.75;
/** Where nobody knows the window. */
const DEFAULT_LIMIT = 100_000;
const UNKNOWN_WINDOW = 128_000;

export interface WindowOptions {
  /** Tokens that the model is served with; null when unknown. */
  contextTokens: number | null;
  /** Up to 1 a share of the window, above that tokens, 0 never; undefined for the default. */
  compactAt?: number;
  /** Characters of the schemas of the tools. */
  tools: number;
}

export class WindowKeeper {
  readonly #options: WindowOptions;
  #window: number | null;
  #tokensPerCharacter = TOKENS_PER_CHARACTER;
  /** Of the newest request: its characters, and what the server counted the last time. */
  #characters = 0;
  #counted: number | null = null;
  /** This server tells only what it had to read anew. */
  #isPartial = false;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#window = options.contextTokens;
  }

  /** Another model, another window and another tokenizer. */
  change(contextTokens: number | null): void {
    this.#window = contextTokens;
    this.#tokensPerCharacter = TOKENS_PER_CHARACTER;
    this.#isPartial = false;
    this.#counted = null;
  }

  /** False when the person turned compaction off. */
  get isOn(): boolean {
    return this.#options.compactAt !== 0;
  }

  get budget(): Budget {
    const { compactAt, tools } = this.#options;
    const window = this.#window ?? UNKNOWN_WINDOW;
    const common = { window, tokensPerCharacter: this.#tokensPerCharacter, tools };
    if (compactAt === undefined || compactAt === 0)
      return { ...common, limit: this.#window === null ? DEFAULT_LIMIT : Math.floor(window * DEFAULT_SHARE) };
    return { ...common, limit: Math.floor(compactAt <= 1 ? window * compactAt : Math.min(compactAt, window)) };
  }

  /** Whether a request whose messages have so many characters would be too long. */
  isFull(characters: number): boolean {
    if (!this.isOn) return false;
    const { limit, tokensPerCharacter, tools } = this.budget;
    return (characters + tools) * tokensPerCharacter > limit;
  }

  /** To be told of every request before it is sent. */
  sends(characters: number): void {
    this.#characters = this.#options.tools + characters;
  }

  /** The history was rewritten: smaller counts are no wonder. */
  rewritten(): void {
    this.#counted = null;
  }

  /**
   * Learns from what the server counted. Gives a sentence for a person when the server seems to have cut the prompt:
   * then the window is taken to be what it counted.
   */
  counted(promptTokens: number | null): string | undefined {
    if (promptTokens === null || promptTokens <= 0 || this.#characters === 0) return undefined;
    const before = this.#counted;
    this.#counted = promptTokens;
    // A request holds all of the one before it; a smaller count is one of uncached tokens only.
    if (before !== null && promptTokens < before * 0.9) this.#isPartial = true;
    if (this.#isPartial) {
      this.#tokensPerCharacter = TOKENS_PER_CHARACTER;
      return undefined;
    }
    const estimate = Math.ceil(this.#characters * this.#tokensPerCharacter);
    if (isCut(promptTokens, estimate)) {
      this.#window = promptTokens;
      return `The server counted ${promptTokens} tokens of a prompt of about ${estimate}: it seems to have cut it. Serve a larger window (ollama.contextTokens in the settings, or OLLAMA_CONTEXT_LENGTH of the server).`;
    }
    const ratio = promptTokens / this.#characters;
    if (ratio >= LEAST && ratio <= MOST) this.#tokensPerCharacter = ratio;
    return undefined;
  }
}

/** Half of the prompt is gone, and what is left is a round number of tokens, as windows are. */
const isCut = (counted: number, estimate: number): boolean => {
  const beside = counted % 1024;
  return estimate > counted * 1.7 && counted >= 2_000 && (beside <= 8 || beside >= 1024 - 64);
};
