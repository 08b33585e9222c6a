/** What the model has seen of files, so that a change by somebody else is noticed. Kept in the session's memory. */
import { statSync } from 'node:fs';
import { canonical } from './locate.ts';
import { decodeText } from './text-encoding.ts';

const KEY = 'seen-files';
/** Of all contents together that are kept to compare lines with; the oldest make room. */
const MOST_KEPT = 32 << 20;
/** From this size on, what ada itself wrote is known by its place on disk and its times; reading all of it would cost. */
const LARGE = 1 << 20;

type Memory = Map<string, unknown>;

interface Seen {
  size: number;
  /** Of the content. */
  fingerprint?: string;
  /** Of the file as it was left. */
  identity?: string;
  /** While there is room for it. */
  content?: Buffer;
}

function seen(memory: Memory): Map<string, Seen> {
  let files = memory.get(KEY) as Map<string, Seen> | undefined;
  if (!files) memory.set(KEY, (files = new Map()));
  return files;
}

/** A memory of its own with what this one holds of files, for a trial run. */
export const copySeen = (memory: Memory): Memory => new Map([[KEY, new Map(seen(memory))]]);

/** Records that the model knows `file` with these contents. */
export function remember(memory: Memory, file: string, bytes: Buffer): void {
  const files = seen(memory);
  const key = canonical(file);
  files.delete(key);
  files.set(key, { size: bytes.length, fingerprint: fingerprint(bytes), content: bytes });
  let kept = 0;
  for (const known of [...files.values()].reverse()) {
    if (!known.content) continue;
    kept += known.content.length;
    if (kept > MOST_KEPT) known.content = undefined;
  }
}

/** True when all these lines stood in the file as the model knows it; each may be several, with plain ends between. */
export async function wasSeen(memory: Memory, file: string, lines: readonly string[]): Promise<boolean> {
  const content = seen(memory).get(canonical(file))?.content;
  if (!content) return false;
  const { text } = await decodeText(content, file);
  const known = `\n${text.replaceAll('\r\n', '\n')}\n`;
  return lines.every((part) => known.includes(`\n${part}\n`));
}

/** Records that the model knows `file` with the contents that were just written to it. */
export function rememberWritten(memory: Memory, file: string, parts: readonly Buffer[]): void {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  if (size < LARGE) remember(memory, file, Buffer.concat(parts));
  else seen(memory).set(canonical(file), { size, identity: identityOf(file) });
}

/** Forgets the file: the next change of it is judged as if it had never been read. */
export function forget(memory: Memory, file: string): void {
  seen(memory).delete(canonical(file));
}

/** Whether the contents are those that the model knows; `unknown` when it never read the file. */
export function compareSeen(memory: Memory, file: string, bytes: Buffer): 'unknown' | 'same' | 'changed' {
  const known = seen(memory).get(canonical(file));
  if (known === undefined) return 'unknown';
  if (known.size !== bytes.length) return 'changed';
  if (known.fingerprint !== undefined) return known.fingerprint === fingerprint(bytes) ? 'same' : 'changed';
  // A time alone says nothing of the content.
  return known.identity !== undefined && known.identity === identityOf(file) ? 'same' : 'unknown';
}

function identityOf(file: string): string | undefined {
  const info = statSync(file, { bigint: true, throwIfNoEntry: false });
  return info && [info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(':');
}

/**
 * Length and four 32-bit lanes of an FNV-1a over words (side by side, since each step of one waits for the step before):
 * enough to notice a change, without loading a hash library. Not proof against a forger.
 */
function fingerprint(bytes: Buffer): string {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes));
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  let a = 0x811c9dc5 | 0;
  let b = 0x1b873593;
  let c = 0x85ebca6b | 0;
  let d = 0x27d4eb2f;
  const even = words.length & ~3;
  for (let i = 0; i < even; i += 4) {
    a = Math.imul(a ^ words[i]!, 0x01000193);
    b = Math.imul(b ^ words[i + 1]!, 0x01000193);
    c = Math.imul(c ^ words[i + 2]!, 0x01000193);
    d = Math.imul(d ^ words[i + 3]!, 0x01000193);
    a ^= a >>> 15;
    b ^= b >>> 15;
    c ^= c >>> 15;
    d ^= d >>> 15;
  }
  for (let i = even * 4; i < bytes.length; i++) {
    a = Math.imul(a ^ bytes[i]!, 0x01000193);
    a ^= a >>> 15;
  }
  return [bytes.length, a, b, c, d].join(':');
}
