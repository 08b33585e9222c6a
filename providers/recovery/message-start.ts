import { type BareWatch, watchBare } from './bare.ts';
import type { RecoveryOptions } from './recovery.ts';
import { type Channel, channelAt, isGptOss, SwallowedWatch } from './swallowed-tokens.ts';

/** What a message begins with: `wait` while that cannot be told, `bare` for what may be calls and nothing else. */
export type Beginning = 'wait' | 'text' | 'bare' | Channel;

/** Reads the beginning of a message, or of what follows its thinking: only there a call or a channel has no markup. */
export class MessageStart {
  readonly options: RecoveryOptions;
  readonly seeks: boolean;
  /** Follows what may be calls and nothing else. */
  bare: BareWatch | undefined;
  /** Looks whether what begins like a channel without its tokens is one. */
  swallowed: SwallowedWatch | undefined;
  /** A channel was found in this message: those behind it are ones too. */
  hasChannels = false;

  constructor(options: RecoveryOptions, seeks: boolean) {
    this.options = options;
    this.seeks = seeks;
  }

  /** `at`: where the first character stands that is no space. `marked`: markup begins there. */
  read(text: string, at: number, marked: boolean, ended: boolean): Beginning {
    const channel = channelAt(text, at, ended);
    if (channel === 'maybe') return 'wait';
    if (channel !== 'no') {
      const known = this.judge(channel, text, ended);
      if (known !== 'text') return known;
    }
    if (!this.seeks || marked) return 'text';
    const { tools, family, accepts } = this.options;
    this.bare = watchBare({ tools, family, knows: accepts && ((name) => accepts(name)) });
    return this.bare.push(text.slice(at)) ? 'bare' : 'text';
  }

  /** An identifier may begin like a channel: what follows makes it certain, or that the model has such channels. */
  judge(channel: Channel, text: string, ended: boolean): 'wait' | 'text' | Channel {
    const { kind, isCertain, isWord, end } = channel;
    const isLikely = kind === 'analysis' && !isWord && isGptOss(this.options.family);
    if (!isCertain && !isLikely && !this.hasChannels) {
      this.swallowed ??= new SwallowedWatch(end);
      if (!this.swallowed.finds(text, ended)) return ended ? 'text' : 'wait';
    }
    this.swallowed = undefined;
    this.hasChannels = true;
    return channel;
  }
}
