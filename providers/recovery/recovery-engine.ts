import { CallsAtEnd } from './calls-at-end.ts';
import { ContentReader } from './content-reader.ts';
import type { RawCall } from './family.ts';
import { judgeCall } from './judge-call.ts';
import type { MessageEnd, Recovery, RecoveryOptions, RecoveryPiece } from './recovery.ts';
import { ThinkingScanner } from './thinking-scanner.ts';

/** Follows one message from delta to delta through its two channels, and judges its calls when it ends. */
export class RecoveryEngine implements Recovery {
  readonly options: RecoveryOptions;
  readonly seeks: boolean;
  out: RecoveryPiece[] = [];
  readonly atEnd = new CallsAtEnd();
  readonly answer: ContentReader;
  /** The provider's own thinking channel, while it is open. */
  native: ThinkingScanner | undefined;

  constructor(options: RecoveryOptions) {
    this.options = options;
    this.seeks = options.calls !== false;
    this.answer = new ContentReader(options, this.atEnd, (piece) => this.emit(piece));
  }

  content(delta: string, out: RecoveryPiece[]): void {
    if (delta === '') return;
    this.out = out;
    if (this.native === undefined && this.answer.passes(delta)) {
      out.push({ type: 'content', delta });
      return;
    }
    if (this.native && delta.trim() !== '') {
      this.native.settle();
      this.native = undefined;
    }
    this.answer.push(delta);
  }

  thinking(delta: string, out: RecoveryPiece[]): void {
    this.out = out;
    this.atEnd.settle();
    this.native ??= new ThinkingScanner((text) => this.answer.put('reasoning', text), this.seeks);
    this.native.push(delta);
  }

  settle(out: RecoveryPiece[]): void {
    this.out = out;
    this.answer.doubt.settle();
    this.atEnd.settle();
    this.native?.settle();
    this.native = undefined;
  }

  end(how: MessageEnd, out: RecoveryPiece[]): void {
    this.out = out;
    const { answer } = this;
    if (how === 'broken') {
      this.atEnd.settle();
      this.native?.settle();
      answer.breakOff();
      return;
    }
    const cut = how === 'cut';
    const calls = [...answer.finish(cut, (found) => this.areUsable(found, cut))];
    const { accepted } = answer.doubt;
    if (accepted.length || calls.length) this.atEnd.settle();
    for (const one of [this.atEnd, this.native]) {
      const last = one?.end() ?? [];
      if (!accepted.length) accepted.push(...last);
    }
    if (!calls.length && !accepted.length && answer.doubt.shown !== 'no')
      this.out.push({ type: 'shown', surely: answer.doubt.shown === 'surely' });
    for (const call of [...calls, ...accepted]) {
      const judged = judgeCall(call, this.options, cut);
      this.out.push('reason' in judged ? { type: 'invalid', ...judged } : { type: 'call', ...judged });
    }
  }

  /** Whether a message that is nothing but calls is meant so: each may run, or is broken but of a known tool. */
  areUsable(calls: readonly RawCall[], cut: boolean): boolean {
    return calls.every((call) => {
      const judged = judgeCall(call, this.options, cut);
      return !('reason' in judged) || (call.problem !== undefined && this.offers(call.name));
    });
  }

  offers(name: string): boolean {
    const { tools, accepts } = this.options;
    return tools === undefined || tools.some((tool) => tool.name === name) || accepts?.(name) === true;
  }

  /** Text behind text of the same channel is one piece. */
  emit(piece: RecoveryPiece): void {
    const last = this.out[this.out.length - 1];
    if ((piece.type === 'content' || piece.type === 'reasoning') && last?.type === piece.type)
      last.delta += piece.delta;
    else this.out.push(piece);
  }
}
