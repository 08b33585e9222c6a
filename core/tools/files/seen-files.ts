/** What the model has seen of files, so that a change by somebody else is noticed. Kept in the session's memory. */
import { canonical } from './locate.ts';

const KEY = 'seen-files';

type Memory = Map<string, unknown>;

function seen(memory: Memory): Map<string, string> {
  let files = memory.get(KEY) as Map<string, string> | undefined;
  if (!files) memory.set(KEY, (files = new Map()));
  return files;
}

/** Records that the model knows `file` with these contents. */
export function remember(memory: Memory, file: string, bytes: Buffer): void {
  seen(memory).set(canonical(file), fingerprint(bytes));
}

/** Forgets the file: the next change of it is judged as if it had never been read. */
export function forget(memory: Memory, file: string): void {
  seen(memory).delete(canonical(file));
}

/** Whether the contents are those that the model knows; `unknown` when it never read the file. */
export function compareSeen(memory: Memory, file: string, bytes: Buffer): 'unknown' | 'same' | 'changed' {
  const known = seen(memory).get(canonical(file));
  if (known === undefined) return 'unknown';
  return known === fingerprint(bytes) ? 'same' : 'changed';
}

/**
 * Length and two 32-bit lanes of an FNV-1a over words: enough to notice a change, without loading a hash library. Not
 * proof against a forger.
 */
function fingerprint(bytes: Buffer): string {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes));
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  let a = 0x811c9dc5;
  let b = 0x1b873593;
  for (let i = 0; i < words.length; i++) {
    a = Math.imul(a ^ words[i]!, 0x01000193);
    a ^= a >>> 15;
    b = Math.imul(b ^ words[i]!, 0x85ebca6b);
    b ^= b >>> 13;
  }
  for (let i = words.length * 4; i < bytes.length; i++) {
    a = Math.imul(a ^ bytes[i]!, 0x01000193);
    b = Math.imul(b ^ bytes[i]!, 0x85ebca6b);
  }
  return `${bytes.length}:${a >>> 0}:${b >>> 0}`;
}
