/**
 * Whether a file of the work tree is another than the index says: by its times, its number and its size where they tell it
 * for sure, else by its content (git's documentation, "racy-git").
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isSecretName } from '../sensitive-names.ts';
import type { Tracked, TrackedFile } from './git-index.ts';

const MOST_COMPARED = 1 << 20;
/** Bytes of one index that are compared by content, but for those of secrets: beyond them a file counts as changed. */
const MOST_IN_ALL = 8 << 20;
const MODULUS = 2 ** 32;

/** By index, how much was compared already, and what it told. */
const compared = new WeakMap<Tracked, { bytes: number; same: Map<string, string> }>();

export function isChanged(file: TrackedFile, tracked: Tracked): boolean {
  const path = `${tracked.root}/${file.path}`;
  try {
    const now = statSync(path, { bigint: true });
    if (!now.isFile() || Number(now.size) % MODULUS !== file.size) return true;
    const isSecret = isSecretName(file.path);
    // What was written when the index was, or later, may have been written again within one tick of the clock.
    const isSame =
      now.mtimeNs === file.mtime &&
      now.ctimeNs === file.ctime &&
      Number(now.ino) % MODULUS === file.ino &&
      file.mtime < tracked.written;
    if (isSame && !isSecret) return false;
    if (now.size > MOST_COMPARED) return true;
    if (isSecret) return blobId(path) !== file.id;
    let known = compared.get(tracked);
    if (!known) compared.set(tracked, (known = { bytes: 0, same: new Map() }));
    const stamp = `${now.ino} ${now.mtimeNs} ${now.ctimeNs}`;
    const isOld = Date.now() - Number(now.ctimeNs / 1_000_000n) > 50;
    if (isOld && known.same.get(file.path) === stamp) return false;
    known.bytes += Number(now.size);
    if (known.bytes > MOST_IN_ALL || blobId(path) !== file.id) return true;
    known.same.set(file.path, stamp);
    return false;
  } catch {
    return true;
  }
}

/** The name that git gives to this content. */
function blobId(path: string): string {
  const content = readFileSync(path);
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}
