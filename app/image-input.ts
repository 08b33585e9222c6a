/** Images that the command line names, as parts of a prompt. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ImageContent } from '../providers/ir.ts';
import { StartError } from './start-error.ts';

/** What hosted vendors take; a larger one would stay in the conversation and fail every later turn. */
const MAX_BYTES = 5 * 1024 * 1024;
/** Smaller than any picture: a signature without one. */
const MIN_BYTES = 32;

/** First bytes of the formats that models take (latin-1). */
const KINDS: readonly [RegExp, string][] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
];

/** Reads one image; the type comes from its bytes, not from its name. */
export function imageInput(path: string, cwd: string): ImageContent {
  const file = resolve(cwd, path);
  let bytes: Buffer;
  try {
    const stat = statSync(file);
    if (!stat.isFile()) throw new Error('not a regular file');
    if (stat.size > MAX_BYTES) throw new Error('larger than 5 MB');
    bytes = readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(`--image ${path}: ${code === 'ENOENT' ? 'no such file' : message}`);
  }
  const head = bytes.toString('latin1', 0, 16);
  const mediaType = KINDS.find(([pattern]) => pattern.test(head))?.[1];
  if (!mediaType || bytes.length < MIN_BYTES)
    throw new StartError(`--image ${path}: not a PNG, JPEG, GIF or WebP image`);
  return { type: 'image', source: { type: 'base64', mediaType, data: bytes.toString('base64') } };
}
