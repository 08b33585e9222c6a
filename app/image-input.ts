/** Images that the command line names, as parts of a prompt. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { imageForm } from '../core/tools/files/image-form.ts';
import type { ImageContent } from '../providers/ir.ts';
import { StartError } from './start-error.ts';

/** What hosted vendors take; a larger one would stay in the conversation and fail every later turn. */
const MAX_BYTES = 5 * 1024 * 1024;
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
  const form = imageForm(bytes);
  if (!form) throw new StartError(`--image ${path}: not a PNG, JPEG, GIF or WebP image`);
  const { mediaType } = form;
  if ('broken' in form) throw new StartError(`--image ${path}: a broken image (${mediaType}): it ${form.broken}`);
  return { type: 'image', source: { type: 'base64', mediaType, data: bytes.toString('base64') } };
}
