/** Bytes of images and documents in the forms that wire formats want. */
import type { DocumentContent, ImageContent, MediaSource, ToolResultContent } from '../ir.ts';

/** A `data:` URL as inline base64; other sources unchanged. */
export function inlined(source: MediaSource): MediaSource {
  if (source.type !== 'url') return source;
  const found = /^data:([^;,]*)((?:;[^;,]+)*),(.*)$/s.exec(source.url);
  if (!found) return source;
  const mediaType = found[1] || 'application/octet-stream';
  const data = /;base64$/i.test(found[2]!) ? found[3]! : Buffer.from(decodeURIComponent(found[3]!)).toString('base64');
  return { type: 'base64', mediaType, data };
}

/** One URL, `data:` for inline bytes. */
export const asUrl = (source: MediaSource): string =>
  source.type === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`;

/** What stands in the place of something that a model cannot take. */
export const placeholder = (part: ImageContent | DocumentContent): string =>
  part.type === 'image'
    ? '[image: this model cannot see it]'
    : `[document${part.name ? ` ${part.name}` : ''} left out]`;

/** What stands in the place of something that a message of that role cannot hold. */
export const misplaced = (part: ImageContent | DocumentContent, role: string): string =>
  `[${part.type}${part.type === 'document' && part.name ? ` ${part.name}` : ''} of this ${role} message left out]`;

/** The text of a document, when it is text. */
export function documentText(part: DocumentContent): string | undefined {
  const source = inlined(part.source);
  if (source.type !== 'base64' || !/^text\/|json|xml|yaml/.test(source.mediaType)) return undefined;
  return Buffer.from(source.data, 'base64').toString('utf8');
}

/**
 * A tool result as one text. Media are named where they stood; an image that is `shown` follows behind the results.
 */
export function resultText(result: ToolResultContent, shown: (image: ImageContent) => boolean): string {
  const texts = result.content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'document') return documentText(part) ?? placeholder(part);
    return shown(part) ? '[image: shown below]' : placeholder(part);
  });
  const text = texts.filter((piece) => piece !== '').join('\n');
  // Some formats have no field for failure, and some servers refuse an empty result.
  if (result.isError) return /^\s*error\b/i.test(text) ? text : `Error: ${text}`;
  return text.trim() === '' ? '(no output)' : text;
}
