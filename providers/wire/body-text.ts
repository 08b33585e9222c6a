/** The JSON of a request body whose messages grow from request to request. */
import { growing } from './growing.ts';

interface Written {
  bytes: Buffer;
  length: number;
}

const FIRST_SIZE = 16_384;

const written = growing<object, Written>({
  start: () => ({ bytes: Buffer.allocUnsafe(FIRST_SIZE), length: 0 }),
  step(state, message, index) {
    const text = `${index ? ',' : ''}${JSON.stringify(message)}`;
    const size = Buffer.byteLength(text);
    if (state.length + size > state.bytes.length) {
      // Requests that are under way keep the old bytes.
      const larger = Buffer.allocUnsafe(2 * (state.length + size));
      state.bytes.copy(larger, 0, 0, state.length);
      state.bytes = larger;
    }
    state.length += state.bytes.write(text, state.length);
  },
});

const EMPTY = '"messages":[]';

/**
 * `JSON.stringify(body)` in pieces. Messages that are the same objects as in an earlier request are not written again:
 * they are the larger part of every request but the first.
 */
export function bodyText(body: { messages: readonly object[] }): readonly Uint8Array[] {
  const frame = JSON.stringify({ ...body, messages: [] });
  const at = frame.indexOf(EMPTY) + EMPTY.length - 1;
  const { bytes, length } = written(body.messages);
  return [Buffer.from(frame.slice(0, at)), bytes.subarray(0, length), Buffer.from(frame.slice(at))];
}
