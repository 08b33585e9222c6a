/**
 * A text as the pieces that it is made of: spans of the original and new text between them. What stays a span of the
 * original keeps its very bytes, whatever the encoding.
 */
import type { DecodedText } from '../files/text-encoding.ts';
import type { Span, Splice } from './types.ts';

export type Piece = Span | { text: string };

const lengthOf = (piece: Piece): number => ('text' in piece ? piece.text.length : piece.end - piece.start);

/** The pieces after `changes`, whose offsets are those of the text that `pieces` make; in order and apart from each other. */
export function replacePieces(pieces: readonly Piece[], changes: readonly Splice[]): Piece[] {
  const out: Piece[] = [];
  let index = 0;
  let used = 0;
  let position = 0;
  const pass = (until: number, keep: boolean) => {
    while (position < until && index < pieces.length) {
      const piece = pieces[index]!;
      const size = Math.min(until - position, lengthOf(piece) - used);
      if (keep && size > 0) out.push(part(piece, used, used + size));
      position += size;
      used += size;
      if (used === lengthOf(piece)) {
        index++;
        used = 0;
      }
    }
  };
  for (const { start, end, text } of changes) {
    pass(start, true);
    pass(end, false);
    if (text) out.push({ text });
  }
  pass(Number.POSITIVE_INFINITY, true);
  return out;
}

const part = (piece: Piece, from: number, to: number): Piece =>
  'text' in piece ? { text: piece.text.slice(from, to) } : { start: piece.start + from, end: piece.start + to };

/** The bytes of the file: those of the original, and new text in its encoding. Spans of the original must ascend. */
export function toBytes(pieces: readonly Piece[], decoded: DecodedText): Buffer[] {
  const { text, codec, body, mark, rest } = decoded;
  const parts: Buffer[] = [mark];
  let offset = 0;
  let at = 0;
  const seek = (to: number): number => {
    // The last span reaches to the end of the bytes; it need not be measured.
    at = to === text.length ? body.length : at + codec.length(text, offset, to, body, at);
    offset = to;
    return at;
  };
  for (const piece of pieces) {
    if ('text' in piece) parts.push(codec.encode(piece.text));
    else parts.push(body.subarray(seek(piece.start), seek(piece.end)));
  }
  parts.push(rest);
  return parts.filter(({ length }) => length > 0);
}

/** The same change, wide enough that it cuts no surrogate pair: such a half could not be encoded. */
export function wholeCharacters(file: string, { start, end, text }: Splice): Splice {
  const inPair = (at: number) => isHigh(file.charCodeAt(at - 1)) && isLow(file.charCodeAt(at));
  const before = start > 0 && inPair(start) ? file[start - 1]! : '';
  const after = end > 0 && end < file.length && inPair(end) ? file[end]! : '';
  return { start: start - before.length, end: end + after.length, text: before + text + after };
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
