/** `write_file`: a whole new content for a file. */
import { readFile, stat } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { Display, ToolContext } from '../types.ts';
import { defineTool } from './call/define-tool.ts';
import { lineDiff } from './files/line-diff.ts';
import { locate, shownPath } from './files/locate.ts';
import { compareSeen, forget, remember } from './files/seen-files.ts';
import { type DecodedText, decodeText, encodeText, nameCharacter, unencodable } from './files/text-encoding.ts';
import { inTurn, WriteError, writeBytes } from './files/write-bytes.ts';

const MOST_BYTES = 100 << 20;

interface Input {
  path: string;
  content: string;
}

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Create a file or replace all of it. To change parts, use edit_file.',
  input: z.object({ path: z.string(), content: z.string() }),
  kind: 'edit',
  gate: ({ path }, { cwd }) => ({ kind: 'write', paths: [locate(path, cwd)] }),
  title: ({ path }) => path,
  preview: async (input, context) => (await plan(input, context)).display,
  run: (input, context) =>
    inTurn(locate(input.path, context.cwd), async () => {
      const { file, name, existing, bytes, note, display, bad } = await plan(input, context);
      if (bad) return { output: bad, isError: true };
      const known = existing ? compareSeen(context.memory, file, existing) : 'unknown';
      if (known === 'changed') {
        forget(context.memory, file);
        const output = `${name} has changed on disk since you read it, so it was not written. Read it again first.`;
        return { output, isError: true };
      }
      try {
        await writeBytes(file, bytes);
      } catch (error) {
        if (error instanceof WriteError) return { output: error.message, isError: true };
        throw error;
      }
      remember(context.memory, file, bytes);
      const now = `${lines(input.content)} lines, ${bytes.length} bytes`;
      if (!existing) return { output: `Created ${name} (${now}).`, display };
      const unread = known === 'unknown' ? ', which you had not read' : '';
      const before = `${lines(decodeText(existing).text)} lines, ${existing.length} bytes`;
      return { output: `Wrote ${name} (${now}). It replaced ${before}${unread}.${note}`, display };
    }),
});

const lines = (text: string): number => (text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0));

/** The bytes that would be written, or why none can be (`bad`). */
async function plan({ path, content }: Input, { cwd }: ToolContext) {
  const file = locate(path, cwd);
  const name = shownPath(file, cwd);
  const info = await stat(file).catch(() => undefined);
  // Anything but a regular file is refused when it is written; reading a pipe here would wait for ever.
  const existing = info?.isFile() && info.size <= MOST_BYTES ? await readFile(file).catch(() => undefined) : undefined;
  const kept = existing && existing.length > 0 ? keepForm(content, decodeText(existing)) : undefined;
  const fresh: Formed = kept ?? { text: content, bytes: Buffer.from(content, 'utf8'), note: '' };
  const lone = unencodable(content, 'utf-8');
  const bad = lone === undefined ? fresh.bad : `\`content\` has ${nameCharacter(lone)}, which no file can hold.`;
  const diff = lineDiff(name, existing ? decodeText(existing).text : '', fresh.text, !info);
  const display: Display = { kind: 'diff', path: name, ...diff };
  return { file, name, existing, bytes: fresh.bytes, note: fresh.note, display, bad };
}

interface Formed {
  text: string;
  bytes: Buffer;
  note: string;
  bad?: string;
}

/** The new content in the form of the old: byte order mark, encoding and line ends, which a model does not see. */
function keepForm(content: string, old: DecodedText): Formed {
  let text = content.replace(/^\uFEFF/, '');
  let note = '';
  const ends = old.text.split('\n').length - 1;
  if (ends > 0 && !text.includes('\r') && old.text.split('\r\n').length - 1 === ends) {
    text = text.replaceAll('\n', '\r\n');
    note = ' Its CRLF line ends were kept.';
  }
  if (old.encoding === 'utf-8-damaged') {
    const bad =
      'The file has bytes that are not UTF-8 and are shown as \ufffd; change it with edit_file, which keeps them.';
    return { text, bytes: Buffer.from(text), note, ...(text.includes('\ufffd') ? { bad } : {}) };
  }
  if (unencodable(text, old.encoding) === undefined) {
    return { text, bytes: encodeText(text, { ...old, rest: Buffer.alloc(0) }), note };
  }
  return { text, bytes: Buffer.from(text), note: `${note} Its encoding is now UTF-8 (before: ${old.encoding}).` };
}
