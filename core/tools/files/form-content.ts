/** Gives a whole new content the form that its file has or should have, which a model does not see. */
import { lineEndFor } from './new-line-end.ts';
import { decodeText, encodeText, nameCharacter } from './text-encoding.ts';

export interface FormedContent {
  /** What the file held, as text; empty when there was none. */
  before: string;
  text: string;
  bytes: Buffer;
  /** A sentence, after a space, on what was kept; empty when there is nothing to say. */
  note: string;
}

/**
 * The bytes for `content` in `file`: byte order mark, encoding and line ends are those of `existing`; a new file gets the
 * line ends that its project wants. `bad` says why no file can hold it so.
 */
export async function formContent(
  content: string,
  file: string,
  existing: Buffer | undefined,
): Promise<FormedContent | { bad: string }> {
  const lone = /\p{Surrogate}/u.exec(content);
  if (lone) return { bad: `\`content\` has ${nameCharacter(lone[0])}, which no file can hold.` };
  if (existing === undefined || existing.length === 0) {
    const wanted = existing === undefined && hasPlainEnds(content) ? await lineEndFor(file) : undefined;
    const text = wanted ? content.replaceAll('\n', '\r\n') : content;
    const note = wanted ? ` Its line ends are CRLF, as ${wanted} has it.` : '';
    return { before: '', text, bytes: Buffer.from(text, 'utf8'), note };
  }
  const old = await decodeText(existing, file);
  const { name } = old.codec;
  let text = content.replace(/^\uFEFF/, '');
  let note = '';
  const ends = old.text.includes('\n');
  if (ends && hasPlainEnds(text) && !/(?<!\r)\n/.test(old.text)) {
    text = text.replaceAll('\n', '\r\n');
    note = ' Its CRLF line ends were kept.';
  }
  if (ends && !old.text.includes('\r\n') && /\r\n/.test(text)) note = ' Its line ends were LF and now are CRLF.';
  if (name === 'utf-8-damaged' && text.includes('\ufffd')) {
    return {
      bad: 'it has bytes that are not UTF-8 and are shown as \ufffd; change it with edit_file, which keeps them.',
    };
  }
  if (old.doubtful && /[^\x00-\x7f]/.test(text)) {
    return {
      bad: `its encoding is not certain (perhaps ${name}), and \`content\` has characters outside ASCII. Convert the file first (iconv), or delete it to have it in UTF-8.`,
    };
  }
  const missing = old.codec.missing(text);
  if (missing !== undefined) {
    const why = `\`content\` has ${nameCharacter(missing)}, which its encoding (${name}) cannot hold.`;
    return { bad: `${why} Leave the character out, or delete the file first to have it in UTF-8.` };
  }
  if (name !== 'utf-8' && name !== 'utf-8-damaged' && /[^\x00-\x7f]/.test(old.text))
    note += ` Its encoding (${name}) was kept.`;
  return { before: old.text, text, bytes: encodeText(text, old), note };
}

const hasPlainEnds = (text: string): boolean => text.includes('\n') && !text.includes('\r');
