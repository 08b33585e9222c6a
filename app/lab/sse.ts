/** `ada lab sse`: `{ base64: [chunks] }` to `{ events }`. */
import { parseSse } from '../../providers/wire/sse.ts';

export function sse(row: Record<string, unknown>): unknown {
  const { base64 } = row;
  if (!Array.isArray(base64) || !base64.every((chunk) => typeof chunk === 'string')) {
    throw new Error('base64 must be a list of strings');
  }
  return { events: parseSse(base64.map((chunk) => Buffer.from(chunk, 'base64'))) };
}
