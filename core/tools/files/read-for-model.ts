/** Reads a file as a model should see it. Memory and output are bounded, whatever the file is. */
import { readlinkSync, type Stats, statSync } from 'node:fs';
import type { ToolContext, ToolOutput } from '../../types.ts';
import { imageOf } from './image.ts';
import { countLines } from './line-table.ts';
import { badPath, canonical, shownPath } from './locate.ts';
import { missingFile } from './missing-file.ts';
import { readLargeFile } from './read-large-file.ts';
import { readWhole, withOpen } from './read-whole.ts';
import { forget, remember } from './seen-files.ts';
import { decodeText, encodingNote, wideOrder, withoutHalves } from './text-encoding.ts';
import { looksBinary, Window, type WindowOptions } from './window.ts';

/** Files up to this size are read whole: their lines can be counted and their encoding be known. */
const WHOLE = 8 << 20;

const refuse = (output: string): ToolOutput => ({ output, isError: true });

type Context = Pick<ToolContext, 'cwd' | 'memory' | 'project' | 'seen' | 'signal'>;

/** `judged`: where `file` led when it was allowed. */
export async function readForModel(
  file: string,
  options: WindowOptions,
  context: Context,
  judged?: string,
): Promise<ToolOutput> {
  const name = shownPath(file, context.cwd);
  const bad = badPath(name);
  if (bad) return refuse(bad);
  try {
    const info = statSync(file, { throwIfNoEntry: false });
    if (!info) return refuse(danglingLink(file, name) ?? missingFile(file, context.cwd));
    const unfit = notReadable(file, name, info);
    if (unfit) return refuse(unfit);
    return await withOpen(
      file,
      async ({ fd, info: opened }) => {
        if (!opened.isFile()) return refuse(`${name} is not a regular file.`);
        if (opened.size > WHOLE) {
          // It is not kept to compare with, and what was known of it is no longer what the model was shown.
          forget(context, file);
          return readLargeFile(fd, opened.size, name, options, context.signal);
        }
        const bytes = readWhole(fd, opened.size);
        remember(context, file, bytes);
        return show(bytes, file, name, options);
      },
      judged,
    );
  } catch (error) {
    if (context.signal.aborted) throw error;
    return refuse(`${name} cannot be read: ${(error as Error).message}`);
  }
}

/** What to say of a link that leads nowhere; undefined when the path is none. */
function danglingLink(file: string, name: string): string | undefined {
  try {
    return `${name} is a symbolic link to ${readlinkSync(file)}, which does not exist or cannot be reached.`;
  } catch {
    return undefined;
  }
}

/** Why a path is not opened at all. */
function notReadable(file: string, name: string, info: Stats): string | undefined {
  if (info.isDirectory()) return `${name} is a directory. Use ls to see what is in it.`;
  if (info.isFIFO()) return `${name} is a named pipe (FIFO); reading it would wait for a writer. It was not opened.`;
  if (info.isSocket()) return `${name} is a socket, not a file. It was not opened.`;
  if (!info.isFile()) return `${name} is a device, not a regular file. It was not opened.`;
  if (/^\/(proc|sys)\//.test(canonical(file))) {
    return `${name} belongs to the kernel's process or device tables, which read_file does not open.`;
  }
  return undefined;
}

const KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[\s\S]){0,20000}/g;

/** What to show: of a private key the one it begins with, without which its lines are not known as a secret. */
function outsideKey(text: string, options: WindowOptions): WindowOptions {
  const { offset = 1, limit } = options;
  if (offset <= 1 || !text.includes('PRIVATE KEY')) return options;
  for (const { index, 0: key } of text.matchAll(KEY)) {
    const first = countLines(text, index) + 1;
    if (offset <= first || offset > first + countLines(key, key.length)) continue;
    return { offset: first, limit: limit && Math.max(1, limit) + offset - first };
  }
  return options;
}

async function show(bytes: Buffer, file: string, name: string, options: WindowOptions): Promise<ToolOutput> {
  if (bytes.length === 0) return { output: `(${name} is empty)` };
  const image = imageOf(bytes, name);
  if (image) return image;
  if (!wideOrder(bytes) && looksBinary(bytes.subarray(0, 8192))) {
    return refuse(`${name} is a binary file of ${bytes.length} bytes. Its content is not text.`);
  }
  const decoded = await decodeText(bytes, file);
  const { text, codec } = decoded;
  const window = new Window(outsideKey(text, options));
  let total = 0;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    total++;
    window.line(total, text, at, end);
    at = end + 1;
  }
  const body = window.text(name, total);
  const damaged = codec.name === 'utf-8-damaged';
  return { output: encodingNote(decoded) + (damaged ? withoutHalves(body) : body) };
}
