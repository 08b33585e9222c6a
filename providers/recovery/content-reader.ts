import { Block } from './block.ts';
import type { CallsAtEnd, Held } from './calls-at-end.ts';
import { CallsInDoubt } from './calls-in-doubt.ts';
import { CodeTracker } from './code-tracker.ts';
import { type RawCall, skipSpace, type ThinkingCloser } from './family.ts';
import { behindClosers, type Marker, markerAt } from './markers.ts';
import { MessageStart } from './message-start.ts';
import { behindCalls, isShown } from './quoting.ts';
import type { RecoveryOptions, RecoveryPiece } from './recovery.ts';
import { type Channel, NEXT_MESSAGE } from './swallowed-tokens.ts';
import { ThinkingPassage } from './thinking-passage.ts';
import { ToolTags } from './tool-tags.ts';

/** Models whose template never opens the thinking: a lone closing tag is a slip of theirs. */
const OPENS_ITSELF = /^lfm/i;
const THINK_CLOSERS: readonly ThinkingCloser[] = [
  { text: '</think>' },
  { text: '[/THINK]' },
  { text: '<|END_THINKING|>' },
];

type Mode = 'start' | 'text' | 'bare' | 'block' | 'after' | 'think';

/** Reads the content channel of one message: gives ordinary text and thinking on, and keeps the calls for its end. */
export class ContentReader {
  readonly options: RecoveryOptions;
  readonly seeks: boolean;
  readonly atEnd: CallsAtEnd;
  readonly emit: (piece: RecoveryPiece) => void;
  readonly opening: MessageStart;
  mode: Mode = 'start';
  /** Text that is not decided. */
  buffer = '';
  code: CodeTracker;
  block: Block | undefined;
  held: Held | undefined;
  family = '';
  /** The block stands where markup is only shown. */
  isShown = false;
  /** The last text was markup that is only shown. */
  hasShown = false;
  readonly doubt: CallsInDoubt;
  /** How much of the buffer is closers that wait for what follows. */
  past = 0;
  thinker: ThinkingPassage | undefined;
  /** Thinking has closed once, or there is none to close. */
  thought: boolean;
  /** The thinking began by a guess: if it never closes, it may have been the answer. */
  guessed = false;
  afterThinking = false;
  /** Everything of the content channel up to here, for a closing tag without an opening one. */
  seen: string[] = [];

  /** `atEnd`: what waits for the end of the message, which the thinking channel shares. */
  constructor(options: RecoveryOptions, atEnd: CallsAtEnd, emit: (piece: RecoveryPiece) => void) {
    this.options = options;
    this.seeks = options.calls !== false;
    this.atEnd = atEnd;
    this.emit = emit;
    this.code = new CodeTracker(this.seeks ? new ToolTags(options) : undefined);
    this.opening = new MessageStart(options, this.seeks);
    const { tools, accepts } = options;
    this.doubt = new CallsInDoubt(
      (delta) => emit({ type: 'content', delta }),
      (name) => tools === undefined || tools.some((tool) => tool.name === name) || accepts?.(name) === true,
    );
    this.thought = OPENS_ITSELF.test(options.family ?? '');
    this.guessed = options.startsThinking === true;
    if (options.startsThinking) this.beginThinking(THINK_CLOSERS, '<think>');
  }

  /** Nothing waits, and `delta` means nothing. */
  passes(delta: string): boolean {
    const isPlain = this.mode === 'text' && this.buffer === '';
    if (!isPlain || this.doubt.isWaiting || !this.atEnd.isEmpty || this.code.isTriggeredBy(delta)) return false;
    if (!this.thought) this.seen.push(delta);
    this.code.pass(delta);
    this.doubt.note(delta);
    return true;
  }

  push(delta: string): void {
    if (!this.thought) this.seen.push(delta);
    if (this.mode === 'bare') {
      this.buffer += delta;
      if (!this.opening.bare!.push(delta)) this.run('text', false);
      return;
    }
    if (this.mode === 'block') {
      this.grow(delta, false);
      if (this.block) return;
    } else this.buffer += delta;
    this.run(this.mode, false);
  }

  /** Half a message calls nothing; its text is kept, its unfinished markup is not. */
  breakOff(): void {
    this.thinker?.settle();
    if (this.mode !== 'block' && this.mode !== 'after') this.give(this.buffer);
    this.doubt.settle();
    this.buffer = '';
  }

  /**
   * The message ends here. `isUsable` is asked about the calls of a message that is nothing else; gives them when it
   * agrees, and leaves those with markup in `doubt.accepted`.
   */
  finish(cut: boolean, isUsable: (calls: readonly RawCall[]) => boolean): readonly RawCall[] {
    let bare: readonly RawCall[] = [];
    if (this.mode === 'block') this.grow('', true);
    if (this.mode === 'bare') {
      const found = this.opening.bare!.finish();
      if (found && !this.doubt.hasCalls && isUsable(found)) {
        bare = found;
        this.buffer = '';
      } else this.run('text', true);
    } else this.run(this.mode, true);
    this.doubt.settle();
    const { accepted } = this.doubt;
    if (this.thinker && this.mode === 'think') {
      accepted.push(...this.thinker.end());
      // Of a channel's own name it is known that a limit cut the thought off.
      const isThought = cut && !this.options.startsThinking;
      if (this.guessed && !this.thought && !accepted.length && !isThought) this.put('content', this.seen.join(''));
    }
    return bare;
  }

  /** Works through the buffer until nothing more can be decided. */
  run(mode: Mode, ended: boolean): void {
    this.mode = mode;
    for (;;) {
      const before = this.mode;
      const length = this.buffer.length;
      switch (this.mode) {
        case 'start':
          this.start(ended);
          break;
        case 'text':
          this.text(ended);
          break;
        case 'after':
          this.after(ended);
          break;
        case 'think':
          this.think(ended);
          break;
        default:
          return;
      }
      if (this.mode === before && (this.buffer.length === length || this.buffer === '')) return;
    }
  }

  /** The beginning of a message or of what follows thinking: only here may a call come without any markup. */
  start(ended: boolean): void {
    let at = skipSpace(this.buffer, 0);
    if (at >= this.buffer.length) {
      if (ended) this.mode = 'text';
      if (this.afterThinking) this.buffer = '';
      return;
    }
    const marker = markerAt(this.buffer, at);
    if (this.afterThinking || (marker && marker !== 'part' && marker.kind === 'think')) {
      this.buffer = this.buffer.slice(at);
      this.afterThinking = false;
      at = 0;
    }
    if (marker === 'part' && !ended) return;
    const beginning = this.opening.read(this.buffer, at, marker !== undefined && marker !== 'part', ended);
    if (beginning === 'wait') return;
    if (typeof beginning === 'object') this.beginChannel(beginning);
    else this.mode = beginning === 'bare' && !ended ? 'bare' : 'text';
  }

  /** A channel of gpt-oss whose tokens were swallowed. */
  beginChannel({ kind, end }: Channel): void {
    this.buffer = this.buffer.slice(end);
    if (kind === 'final') this.closeThinking();
    else if (kind === 'commentary') this.beginPassage('content', NEXT_MESSAGE);
    else {
      if (this.thought) this.put('reasoning', '\n\n');
      this.guessed = true;
      this.beginThinking(NEXT_MESSAGE);
    }
  }

  text(ended: boolean): void {
    const { code } = this;
    const stop = code.next(this.buffer, ended);
    if (stop.at > 0) {
      this.give(this.buffer.slice(0, stop.at), true);
      this.buffer = this.buffer.slice(stop.at);
    }
    if (!stop.marker) return;
    const { marker } = stop;
    const taken = this.take(marker, stop.before, ended);
    if (taken === 'wait') return;
    if (taken === 'text') {
      this.give(this.buffer[0]!, true);
      code.pass(this.buffer[0]!);
      this.buffer = this.buffer.slice(1);
    }
  }

  /** Decides about a marker that stands at the head of the buffer. */
  take(marker: Marker, before: string, ended: boolean): 'text' | 'wait' | 'taken' {
    const { buffer } = this;
    const behind = buffer.slice(marker.text.length);
    switch (marker.kind) {
      case 'call':
        if (!this.seeks && marker.family.name !== 'harmony') return 'text';
        this.block = new Block(marker.family);
        this.held = { raw: '', calls: [], before };
        this.isShown = isShown(before);
        this.buffer = '';
        this.past = 0;
        this.mode = 'block';
        this.grow(buffer, ended);
        return 'taken';
      case 'think':
        if (!marker.anywhere && before.trim() !== '') return 'text';
        this.thought = true;
        this.beginThinking(
          marker.closers.map((text) => ({ text })),
          marker.label,
        );
        this.buffer = behind;
        return 'taken';
      case 'thought': {
        if (this.thought) return 'text';
        if (behind === '' && !ended) return 'wait';
        // In the middle of a sentence it is only mentioned.
        if (/\S[ \t]$/.test(before) && /^[ \t]/.test(behind)) return 'text';
        this.rethink(marker, behind);
        return 'taken';
      }
      case 'token':
        this.doubt.drop(marker.text);
        this.buffer = behind;
        return 'taken';
      default: {
        if (marker.kind === 'stray' && !(this.doubt.hasCalls && before.trim() === '')) return 'text';
        const at = this.pastClosers(ended);
        if (at === 'part') return 'wait';
        if (at >= buffer.length) {
          if (!ended) return 'wait';
          this.past = 0;
          if (this.hasShown) this.give(buffer);
          else this.doubt.drop(buffer);
          this.buffer = '';
          return 'taken';
        }
        const next = markerAt(buffer, at);
        if (next === 'part' && !ended) return 'wait';
        this.past = 0;
        if (!next || next === 'part' || next.kind !== 'call') {
          // Something follows, so none of them ended anything.
          this.give(buffer.slice(0, at));
          this.buffer = buffer.slice(at);
        } else {
          this.doubt.drop(buffer.slice(0, at));
          this.buffer = buffer.slice(at);
        }
        return 'taken';
      }
    }
  }

  /** Everything before was thinking, calls too: only those with which the message ends were meant. */
  rethink(marker: Marker, behind: string): void {
    this.thought = true;
    const seen = this.seen.join('');
    const text = seen.slice(0, seen.length - behind.length - marker.text.length).trim();
    const thought = this.atEnd.rethink(text, (calls) => this.put('reasoning', calls));
    this.emit({ type: 'rethought', text: thought });
    this.doubt.clear();
    this.seen = [];
    this.buffer = behind;
    this.closeThinking();
  }

  grow(delta: string, ended: boolean): void {
    const block = this.block!;
    const reading = block.push(delta, ended);
    if (reading.state === 'more') return;
    this.block = undefined;
    if (reading.state === 'no') {
      this.buffer = block.text.slice(1);
      this.give(block.text[0]!, true);
      this.code.pass(block.text[0]!);
      this.mode = 'text';
      return;
    }
    this.buffer = block.text.slice(reading.end);
    if (this.isShown) {
      this.mode = 'text';
      this.show(block.text.slice(0, reading.end), reading.passage === undefined);
    } else if (reading.passage) {
      this.doubt.settle();
      this.code.pass('\n');
      if (reading.passage.kind === 'thinking') this.beginThinking(reading.passage.closers);
      else this.mode = 'text';
      this.thought = true;
    } else {
      this.past = 0;
      this.held = { raw: block.text.slice(0, reading.end), calls: reading.calls, before: this.held!.before };
      this.family = block.family.name;
      this.mode = 'after';
    }
  }

  /** Behind a call: what follows on the same line tells whether it was only shown. */
  after(ended: boolean): void {
    const held = this.held!;
    const next = behindCalls(held.before, this.buffer, this.pastClosers(ended), ended);
    if (next === 'wait') return;
    const between = this.buffer.slice(0, this.buffer.length - next.rest.length);
    this.past = 0;
    this.buffer = next.rest;
    this.mode = 'text';
    if (next.meant) this.accept(held, between);
    else this.show(held.raw, true);
  }

  /** Gives markup out as the text that it is. */
  show(raw: string, isCall: boolean): void {
    if (isCall) this.doubt.shows();
    this.give(raw);
    this.hasShown = true;
  }

  /** The offset behind closers at the head of the buffer; goes on where it stopped. */
  pastClosers(ended: boolean): number | 'part' {
    const { at, part } = behindClosers(this.buffer, this.past);
    this.past = at;
    return part && !ended ? 'part' : at;
  }

  /** `closers`: what stood behind them and is no text either. */
  accept(held: Held, closers: string): void {
    this.doubt.call(held.raw + closers, held.calls, this.family);
    this.atEnd.accept(held);
    this.held = undefined;
    this.code.pass('\n');
  }

  beginThinking(closers: readonly ThinkingCloser[], label?: string): void {
    this.beginPassage('reasoning', closers, label);
  }

  /** Text up to one of `closers`, given out as `type`. */
  beginPassage(type: 'content' | 'reasoning', closers: readonly ThinkingCloser[], label?: string): void {
    this.atEnd.settle();
    if (type === 'reasoning') this.doubt.restart();
    this.mode = 'think';
    this.thinker = new ThinkingPassage({ closers, label, seeks: this.seeks, emit: (text) => this.put(type, text) });
  }

  think(ended: boolean): void {
    const rest = this.thinker!.push(this.buffer, ended);
    this.buffer = rest ?? '';
    if (rest === undefined) return;
    this.atEnd.close(this.thinker!.scanner);
    this.thinker = undefined;
    this.closeThinking();
  }

  /** What follows is like the beginning of a message. */
  closeThinking(): void {
    this.thought = true;
    this.mode = 'start';
    this.afterThinking = true;
    this.code = new CodeTracker(this.code.tags);
  }

  /** `tracked`: the code tracker has passed it already. */
  give(text: string, tracked = false): void {
    if (text === '') return;
    if (!tracked) this.code.pass(text);
    this.hasShown = false;
    this.put('content', text);
  }

  put(type: 'content' | 'reasoning', delta: string): void {
    if (delta === '') return;
    if (type === 'content' && !this.atEnd.isEmpty && delta.trim() !== '') this.atEnd.settle();
    if (type === 'content') {
      this.doubt.text(delta);
      return;
    }
    this.doubt.settle();
    this.emit({ type, delta });
  }
}
