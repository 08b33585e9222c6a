/**
 * Commits and trees out of the object store of a repository, read where they lie: loose objects and packs (git's
 * documentation, "repository layout" and "pack format"). What is not plain (alternates, grafts, replaced objects, other
 * hashes than SHA-1) is not read: nothing is known of it then.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { inflateSync } from 'node:zlib';

export interface GitObject {
  type: string;
  body: Buffer;
}

/** One repository while one command is judged; undefined stands for what cannot be told. */
export interface GitObjects {
  read(id: string): GitObject | undefined;
  /** The commit that a name stands for: a branch, a tag, a hash, `HEAD~2`. */
  commit(name: string): string | undefined;
}

const ID = /^[0-9a-f]{40}$/;
const MOST_BYTES = 4 << 20;
const MAX_DELTAS = 50;
const TYPES: Readonly<Record<number, string>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };

/** `most`: how many objects may be read. */
export function openObjects(gitDir: string, most: number): GitObjects | undefined {
  let common = gitDir;
  const pointer = textOf(`${gitDir}/commondir`);
  if (pointer !== undefined) common = resolve(gitDir, pointer.trim());
  const store = `${common}/objects`;
  if (
    existsSync(`${store}/info/alternates`) ||
    existsSync(`${common}/info/grafts`) ||
    existsSync(`${common}/refs/replace`) ||
    /objectformat|refstorage/i.test(textOf(`${common}/config`) ?? 'objectformat') ||
    textOf(`${common}/packed-refs`)?.includes(' refs/replace/')
  )
    return undefined;
  const known = new Map<string, GitObject | undefined>();
  let left = most;
  let packs: readonly string[] | undefined;

  const read = (id: string): GitObject | undefined => {
    if (known.has(id)) return known.get(id);
    if (!ID.test(id) || --left < 0) return undefined;
    packs ??= packsOf(store);
    const found = readLoose(store, id) ?? readPacked(packs, id, read);
    known.set(id, found);
    return found;
  };
  const commitOf = (id: string | undefined): string | undefined => {
    const object = id === undefined ? undefined : read(id);
    if (object?.type === 'tag') return commitOf(/^object ([0-9a-f]{40})$/m.exec(object.body.toString('latin1'))?.[1]);
    return object?.type === 'commit' ? id : undefined;
  };
  const commit = (name: string): string | undefined => {
    const [, base = '', steps = ''] = /^([^~^]+)((?:[~^]\d*)*)$/.exec(name) ?? [];
    if (base === '' || /@\{|:/.test(base)) return undefined;
    let id = commitOf(nameOf(base === '@' ? 'HEAD' : base, gitDir, common, store));
    for (const [, kind, digits] of steps.matchAll(/([~^])(\d*)/g)) {
      const count = digits === '' ? 1 : Number(digits);
      if (count > 100) return undefined;
      if (kind === '^') id = count === 0 || id === undefined ? id : parentsOf(read(id))?.[count - 1];
      else for (let step = 0; step < count && id !== undefined; step++) id = parentsOf(read(id))?.[0];
    }
    return commitOf(id);
  };
  return { read, commit };
}

/** In the order of the commit; undefined for what is none. */
export function parentsOf(object: GitObject | undefined): readonly string[] | undefined {
  if (object?.type !== 'commit') return undefined;
  return [...headOf(object).matchAll(/^parent ([0-9a-f]{40})$/gm)].map((match) => match[1]!);
}

export const treeOf = (object: GitObject | undefined): string | undefined =>
  object?.type === 'commit' ? /^tree ([0-9a-f]{40})$/m.exec(headOf(object))?.[1] : undefined;

export const dateOf = (object: GitObject | undefined): number =>
  object?.type === 'commit' ? Number(/^committer .* (\d+) [-+]\d+$/m.exec(headOf(object))?.[1] ?? 0) : 0;

const headOf = ({ body }: GitObject): string => {
  const end = body.indexOf('\n\n');
  return body.toString('latin1', 0, end < 0 ? body.length : end);
};

export interface TreeEntry {
  name: string;
  id: string;
  isTree: boolean;
}

export function entriesOf(object: GitObject | undefined): readonly TreeEntry[] | undefined {
  if (object?.type !== 'tree') return undefined;
  const entries: TreeEntry[] = [];
  const { body } = object;
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const end = body.indexOf(0, space);
    if (space < 0 || end < 0) return undefined;
    entries.push({
      name: body.toString('utf8', space + 1, end),
      id: body.toString('hex', end + 1, end + 21),
      isTree: body.toString('latin1', at, space) === '40000',
    });
    at = end + 21;
  }
  return entries;
}

/** The object that a name stands for; undefined where more than one could be meant. */
function nameOf(name: string, gitDir: string, common: string, store: string): string | undefined {
  if (ID.test(name)) return name;
  if (!/^[\w][\w./+-]*$/.test(name) || name.includes('..')) return undefined;
  const rules = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'].map((rule) => `${rule}${name}`);
  const found = [...rules, `refs/remotes/${name}/HEAD`].flatMap((ref) =>
    // Only the names of git's own files stand in its folder itself.
    ref === name && !/^(refs\/.+|[A-Z_]+)$/.test(ref) ? [] : (followed(ref, gitDir, common, 0) ?? []),
  );
  if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  return /^[0-9a-f]{4,39}$/.test(name) ? abbreviated(name, store) : undefined;
}

function followed(ref: string, gitDir: string, common: string, depth: number): string | undefined {
  if (depth > 5) return undefined;
  const text = (textOf(`${gitDir}/${ref}`) ?? textOf(`${common}/${ref}`))?.trim();
  if (text?.startsWith('ref: ')) return followed(text.slice(5), gitDir, common, depth + 1);
  if (text !== undefined) return ID.test(text) ? text : undefined;
  const line = textOf(`${common}/packed-refs`)
    ?.split('\n')
    .find((one) => one.slice(41) === ref);
  return line?.slice(0, 40);
}

function abbreviated(start: string, store: string): string | undefined {
  const found = new Set<string>();
  try {
    for (const rest of readdirSync(`${store}/${start.slice(0, 2)}`))
      if (`${start.slice(0, 2)}${rest}`.startsWith(start)) found.add(`${start.slice(0, 2)}${rest}`);
  } catch {}
  for (const pack of packsOf(store))
    withFile(`${pack}.idx`, (index) => {
      for (let at = placeIn(index, start.padEnd(40, '0')); at < index.count; at++) {
        const id = index.id(at);
        if (!id.startsWith(start)) break;
        found.add(id);
      }
      return undefined;
    });
  return found.size === 1 ? [...found][0] : undefined;
}

function packsOf(store: string): readonly string[] {
  try {
    return readdirSync(`${store}/pack`)
      .filter((name) => name.endsWith('.idx'))
      .map((name) => `${store}/pack/${name.slice(0, -4)}`);
  } catch {
    return [];
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function readLoose(store: string, id: string): GitObject | undefined {
  try {
    const bytes = inflateSync(readFileSync(`${store}/${id.slice(0, 2)}/${id.slice(2)}`), {
      maxOutputLength: MOST_BYTES,
    });
    const end = bytes.indexOf(0);
    return { type: bytes.toString('latin1', 0, end).split(' ')[0]!, body: bytes.subarray(end + 1) };
  } catch {
    return undefined;
  }
}

interface Index {
  count: number;
  bytes(at: number, length: number): Buffer;
  id(index: number): string;
}

function withFile<T>(path: string, use: (index: Index) => T | undefined): T | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(path, 'r');
    const open = handle;
    const bytes = (at: number, length: number) => {
      const buffer = Buffer.alloc(length);
      return buffer.subarray(0, readSync(open, buffer, 0, length, at));
    };
    const isIndex = path.endsWith('.idx');
    if (isIndex && bytes(0, 8).toString('hex') !== 'ff744f6300000002') return undefined;
    const count = isIndex ? bytes(8 + 255 * 4, 4).readUInt32BE(0) : fstatSync(open).size;
    return use({ count, bytes, id: (index) => bytes(8 + 1024 + index * 20, 20).toString('hex') });
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The first place whose object is not before `id`. */
function placeIn(index: Index, id: string): number {
  const first = Number.parseInt(id.slice(0, 2), 16);
  let low = first === 0 ? 0 : index.bytes(8 + (first - 1) * 4, 4).readUInt32BE(0);
  let high = index.bytes(8 + first * 4, 4).readUInt32BE(0);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (index.id(middle) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function readPacked(
  packs: readonly string[],
  id: string,
  read: (id: string) => GitObject | undefined,
): GitObject | undefined {
  for (const pack of packs) {
    const offset = withFile(`${pack}.idx`, (index) => {
      const place = placeIn(index, id);
      if (place >= index.count || index.id(place) !== id) return undefined;
      const small = index.bytes(8 + 1024 + index.count * 24 + place * 4, 4).readUInt32BE(0);
      if (small < 2 ** 31) return small;
      const large = index.bytes(8 + 1024 + index.count * 28 + (small - 2 ** 31) * 8, 8).readBigUInt64BE(0);
      return Number(large);
    });
    if (offset !== undefined) return withFile(`${pack}.pack`, (file) => objectAt(file, offset, read, 0));
  }
  return undefined;
}

function objectAt(
  file: Index,
  offset: number,
  read: (id: string) => GitObject | undefined,
  depth: number,
): GitObject | undefined {
  const head = file.bytes(offset, 64);
  let at = 0;
  let byte = head[at++]!;
  const kind = (byte >> 4) & 7;
  let size = byte & 15;
  for (let shift = 4; (byte & 128) !== 0; shift += 7) size += ((byte = head[at++]!) & 127) * 2 ** shift;
  if (size > MOST_BYTES || depth > MAX_DELTAS) return undefined;
  let base: GitObject | undefined;
  if (kind === 6) {
    byte = head[at++]!;
    let back = byte & 127;
    while ((byte & 128) !== 0) back = (back + 1) * 128 + ((byte = head[at++]!) & 127);
    base = objectAt(file, offset - back, read, depth + 1);
  } else if (kind === 7) {
    base = read(head.toString('hex', at, at + 20));
    at += 20;
  }
  // What is stored is never much longer than what it holds; what follows it is not looked at.
  const body = inflateSync(file.bytes(offset + at, size + (size >> 8) + 128), { maxOutputLength: MOST_BYTES });
  if (kind !== 6 && kind !== 7) return TYPES[kind] === undefined ? undefined : { type: TYPES[kind]!, body };
  return base && { type: base.type, body: patched(base.body, body) };
}

/** Applies a delta: pieces of the base, and new bytes. */
function patched(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const skip = () => {
    while ((delta[at++]! & 128) !== 0);
  };
  skip();
  skip();
  const pieces: Buffer[] = [];
  while (at < delta.length) {
    const op = delta[at++]!;
    if ((op & 128) === 0) {
      pieces.push(delta.subarray(at, (at += op)));
      continue;
    }
    let from = 0;
    let size = 0;
    for (let bit = 0; bit < 4; bit++) if ((op & (1 << bit)) !== 0) from += delta[at++]! * 2 ** (8 * bit);
    for (let bit = 0; bit < 3; bit++) if ((op & (16 << bit)) !== 0) size += delta[at++]! * 2 ** (8 * bit);
    pieces.push(base.subarray(from, from + (size || 0x10000)));
  }
  return Buffer.concat(pieces);
}
