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
/** Of servers that choose it themselves; with less no agent works. */
const SMALLEST_WINDOW = 2_000;

export interface WindowOptions {
  /** Tokens that the model is served with; null when unknown. */
  contextTokens: number | null;
  /** Up to 1 a share of the window, above that tokens, 0 never; undefined for the default. */
  compactAt?: number;
  /** Characters of the schemas of the tools. */
  tools: number;
  /** Whom it is asked of; what was learned of a model holds when the session comes back to it. */
  model?: string;
}

/** What is known of how a model's server counts. */
interface Counting {
  tokensPerCharacter: number;
  /** It tells only what it had to read anew. */
  isPartial: boolean;
}

export class WindowKeeper {
  readonly #options: WindowOptions;
  #window: number | null;
  #counting: Counting = { tokensPerCharacter: TOKENS_PER_CHARACTER, isPartial: false };
  readonly #learned = new Map<string, Counting>();
  /** Of the newest request: its characters; of the one before it: the same, and what the server counted. */
  #characters = 0;
  #reasoning = () => 0;
  #before: { characters: number; counted: number } | null = null;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#window = options.contextTokens;
    if (options.model !== undefined) this.#learned.set(options.model, this.#counting);
  }

  /** Another model, another window and another tokenizer. */
  change(contextTokens: number | null, model?: string): void {
    this.#window = contextTokens;
    this.#counting = (model !== undefined && this.#learned.get(model)) || {
      tokensPerCharacter: TOKENS_PER_CHARACTER,
      isPartial: false,
    };
    if (model !== undefined) this.#learned.set(model, this.#counting);
    this.#before = null;
  }

  /** Tokens that the model is served with; null when unknown. */
  get window(): number | null {
    return this.#window;
  }

  /** False when the person turned compaction off. */
  get isOn(): boolean {
    return this.#options.compactAt !== 0;
  }

  get budget(): Budget {
    const { compactAt, tools } = this.#options;
    const window = this.#window ?? UNKNOWN_WINDOW;
    const common = { window, tokensPerCharacter: this.#counting.tokensPerCharacter, tools };
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
   * Learns from what the server counted. Gives a sentence for a person when the server seems to have cut the prompt:
   * then the window is taken to be what it counted.
   */
  counted(promptTokens: number | null): string | undefined {
    if (promptTokens === null || promptTokens <= 0 || this.#characters === 0) return undefined;
    const characters = this.#characters;
    const before = this.#before;
    this.#before = { characters, counted: promptTokens };
    const counting = this.#counting;
    const tokens = (length: number) => Math.ceil(length * counting.tokensPerCharacter);
    const added = before ? tokens(characters - before.characters) : 0;
    const follows = !before || promptTokens - before.counted >= added / 2;
    // A request holds all of the one before it; what such a server tells is about what is new in it.
    if (before && promptTokens < before.counted / 2 && promptTokens <= 2 * added + 200) counting.isPartial = true;
    if (counting.isPartial) {
      counting.tokensPerCharacter = TOKENS_PER_CHARACTER;
      return undefined;
    }
    const estimate = tokens(characters);
    const isSmaller = !follows && promptTokens >= SMALLEST_WINDOW && promptTokens > 2 * added + 200;
    if (
      (estimate > promptTokens * 1.7 && isRound(promptTokens)) ||
      (isSmaller && tokens(characters - this.#reasoning()) > promptTokens * 1.25)
    ) {
      this.#window = promptTokens;
      return `The server counted ${promptTokens} tokens of a prompt of about ${estimate}: it seems to have cut it. Serve a larger window (ollama.contextTokens in the settings, or OLLAMA_CONTEXT_LENGTH of the server).`;
    }
    const ratio = promptTokens / characters;
    // A count that stays behind tells nothing of the text: thinking was left out, or the cutting begins.
    if ((follows || added < 100) && ratio >= LEAST && ratio <= MOST) counting.tokensPerCharacter = ratio;
    return undefined;
  }
}

/** A number of tokens as windows are. */
function isRound(counted: number): boolean {
  const beside = counted % 1024;
  return counted >= 2_000 && (beside <= 8 || beside >= 1024 - 64);
}
