import { type BareWatch, watchBare } from './bare.ts';
import { Block } from './block.ts';
import { CallsAtEnd, type Held } from './calls-at-end.ts';
import { CodeTracker } from './code-tracker.ts';
import { type RawCall, skipSpace, type ThinkingCloser } from './family.ts';
import { judgeCall } from './judge-call.ts';
import { behindClosers, type Marker, markerAt } from './markers.ts';
import { isInsideSentence, isShown } from './quoting.ts';
import type { MessageEnd, Recovery, RecoveryOptions, RecoveryPiece } from './recovery.ts';
import { ThinkingPassage } from './thinking-passage.ts';
import { ThinkingScanner } from './thinking-scanner.ts';

/** Models whose template never opens the thinking: a lone closing tag is a slip of theirs. */
const OPENS_ITSELF = /^lfm/i;
const THINK_CLOSERS: readonly ThinkingCloser[] = [
  { text: '</think>' },
  { text: '[/THINK]' },
  { text: '<|END_THINKING|>' },
];

type Mode = 'start' | 'text' | 'bare' | 'block' | 'after' | 'think';

/** Follows one message from delta to delta. */
export class RecoveryEngine implements Recovery {
  readonly options: RecoveryOptions;
  readonly seeks: boolean;
  out: RecoveryPiece[] = [];
  mode: Mode = 'start';
  /** Text that is not decided. */
  buffer = '';
  code = new CodeTracker();
  bare: BareWatch | undefined;
  block: Block | undefined;
  held: Held | undefined;
  accepted: RawCall[] = [];
  /** How much of the buffer is closers that wait for what follows. */
  past = 0;
  thinker: ThinkingPassage | undefined;
  native: ThinkingScanner | undefined;
  readonly atEnd = new CallsAtEnd();
  /** Thinking has closed once, or there is none to close. */
  thought: boolean;
  afterThinking = false;
  /** Everything of the content channel up to here, for a closing tag without an opening one. */
  seen: string[] = [];

  constructor(options: RecoveryOptions) {
    this.options = options;
    this.seeks = options.calls !== false;
    this.thought = OPENS_ITSELF.test(options.family ?? '');
    if (options.startsThinking) this.beginThinking(THINK_CLOSERS, '<think>');
  }

  content(delta: string, out: RecoveryPiece[]): void {
    if (delta === '') return;
    this.out = out;
    const isPlain = this.mode === 'text' && this.buffer === '' && this.native === undefined;
    if (isPlain && this.atEnd.isEmpty && !this.code.isTriggeredBy(delta)) {
      if (!this.thought) this.seen.push(delta);
      this.code.pass(delta);
      out.push({ type: 'content', delta });
      return;
    }
    if (this.native && delta.trim() !== '') {
      this.native.settle();
      this.native = undefined;
    }
    if (!this.thought) this.seen.push(delta);
    if (this.mode === 'bare') {
      this.buffer += delta;
      if (!this.bare!.push(delta)) this.run('text', false);
      return;
    }
    if (this.mode === 'block') {
      this.grow(delta, false);
      if (this.block) return;
    } else this.buffer += delta;
    this.run(this.mode, false);
  }

  thinking(delta: string, out: RecoveryPiece[]): void {
    this.out = out;
    this.atEnd.settle();
    this.native ??= new ThinkingScanner((text) => this.put('reasoning', text), this.seeks);
    this.native.push(delta);
  }

  settle(out: RecoveryPiece[]): void {
    this.out = out;
    this.atEnd.settle();
    this.native?.settle();
    this.native = undefined;
  }

  end(how: MessageEnd, out: RecoveryPiece[]): void {
    this.out = out;
    if (how === 'broken') {
      // Half a message calls nothing; its text is kept, its unfinished markup is not.
      this.atEnd.settle();
      this.native?.settle();
      this.thinker?.settle();
      if (this.mode !== 'block' && this.mode !== 'after') this.give(this.buffer);
      this.buffer = '';
      return;
    }
    const calls: { call: RawCall; bare: boolean }[] = [];
    if (this.mode === 'block') this.grow('', true);
    if (this.mode === 'bare') {
      const found = this.bare!.finish();
      const judged = found?.map((call) => judgeCall(call, this.options, how === 'cut'));
      const usable = judged?.every(
        (one, i) => !('reason' in one) || (found![i]!.problem && this.offers(found![i]!.name)),
      );
      if (judged && usable && this.accepted.length === 0) {
        calls.push(...found!.map((call) => ({ call, bare: true })));
        this.buffer = '';
      } else this.run('text', true);
    } else this.run(this.mode, true);
    if (this.thinker && this.mode === 'think') {
      this.accepted.push(...this.thinker.end());
      if (this.options.startsThinking && !this.thought && !this.accepted.length)
        this.put('content', this.seen.join(''));
    }
    if (this.accepted.length || calls.length) this.atEnd.settle();
    for (const one of [this.atEnd, this.native]) {
      const last = one?.end() ?? [];
      if (!this.accepted.length) this.accepted.push(...last);
    }
    calls.push(...this.accepted.map((call) => ({ call, bare: false })));
    for (const { call } of calls) {
      const judged = judgeCall(call, this.options, how === 'cut');
      if ('reason' in judged) this.out.push({ type: 'invalid', ...judged });
      else this.out.push({ type: 'call', ...judged });
    }
  }

  offers(name: string): boolean {
    const { tools, accepts } = this.options;
    return tools === undefined || tools.some((tool) => tool.name === name) || accepts?.(name) === true;
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
    if (this.seeks && (marker === undefined || marker === 'part')) {
      this.bare = watchBare({
        tools: this.options.tools,
        family: this.options.family,
        knows: this.options.accepts && ((name) => this.options.accepts!(name)),
      });
      if (this.bare.push(this.buffer.slice(at))) {
        this.mode = 'bare';
        if (!ended) return;
      }
    }
    this.mode = 'text';
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
        if ((!this.seeks && marker.family.name !== 'harmony') || isShown(before)) return 'text';
        this.block = new Block(marker.family);
        this.held = { raw: '', calls: [], before };
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
        this.buffer = behind;
        return 'taken';
      default: {
        if (marker.kind === 'stray' && !(this.accepted.length && before.trim() === '')) return 'text';
        const at = this.pastClosers(ended);
        if (at === 'part') return 'wait';
        if (at >= buffer.length) {
          if (!ended) return 'wait';
          this.past = 0;
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
        } else this.buffer = buffer.slice(at);
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
    this.out.push({ type: 'rethought', text: thought });
    this.accepted = [];
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
    if (reading.passage) {
      this.code.pass('\n');
      if (reading.passage.kind === 'thinking') this.beginThinking(reading.passage.closers);
      else this.mode = 'text';
      this.thought = true;
    } else {
      this.past = 0;
      this.held = { raw: block.text.slice(0, reading.end), calls: reading.calls, before: this.held!.before };
      this.mode = 'after';
    }
  }

  /** Behind a call: what follows on the same line tells whether it was only shown. */
  after(ended: boolean): void {
    const { buffer } = this;
    const held = this.held!;
    const at = this.pastClosers(ended);
    if (at === 'part') return;
    if (at >= buffer.length) {
      if (!ended) return;
      this.accept(held);
      this.buffer = '';
      this.mode = 'text';
      return;
    }
    const marker = markerAt(buffer, at);
    if (marker === 'part' && !ended) return;
    this.past = 0;
    if (marker && marker !== 'part') {
      this.accept(held);
      this.buffer = buffer.slice(at);
      this.mode = 'text';
      return;
    }
    if (isInsideSentence(held.before, buffer[at]!, !buffer.slice(0, at).includes('\n'))) {
      this.give(held.raw, true);
      this.code.pass(held.raw);
    } else {
      this.accept(held);
      // The closers are gone, the space is kept.
      const space = /\s*$/.exec(buffer.slice(0, at))![0];
      this.buffer = space + buffer.slice(at);
    }
    this.mode = 'text';
  }

  /** The offset behind closers at the head of the buffer; goes on where it stopped. */
  pastClosers(ended: boolean): number | 'part' {
    const { at, part } = behindClosers(this.buffer, this.past);
    this.past = at;
    return part && !ended ? 'part' : at;
  }

  accept(held: Held): void {
    this.accepted.push(...held.calls);
    this.atEnd.accept(held);
    this.held = undefined;
    this.code.pass('\n');
  }

  beginThinking(closers: readonly ThinkingCloser[], label?: string): void {
    this.atEnd.settle();
    this.mode = 'think';
    this.thinker = new ThinkingPassage({
      closers,
      label,
      seeks: this.seeks,
      emit: (text) => this.put('reasoning', text),
    });
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
    this.code = new CodeTracker();
  }

  /** `tracked`: the code tracker has passed it already. */
  give(text: string, tracked = false): void {
    if (text === '') return;
    if (!tracked) this.code.pass(text);
    this.put('content', text);
  }

  put(type: 'content' | 'reasoning', delta: string): void {
    if (delta === '') return;
    if (type === 'content' && !this.atEnd.isEmpty && delta.trim() !== '') this.atEnd.settle();
    const last = this.out[this.out.length - 1];
    if (last?.type === type) last.delta += delta;
    else this.out.push({ type, delta });
  }
}
