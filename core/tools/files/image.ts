/** Recognises images by their first bytes. */
import type { ToolOutput } from '../../types.ts';

const MOST_BYTES = 5 << 20;

/** The image for a model with eyes; undefined when the bytes are no image of a form that models take. */
export function imageOf(bytes: Buffer, name: string): ToolOutput | undefined {
  const mediaType = typeOf(bytes);
  if (!mediaType) return undefined;
  const what = `${name} is an image (${mediaType}, ${bytes.length} bytes)`;
  if (bytes.length > MOST_BYTES) return { output: `${what}, too large to look at.`, isError: true };
  const image = { type: 'image', source: { type: 'base64', mediaType, data: bytes.toString('base64') } } as const;
  return { output: `${what}.`, images: [image] };
}

function typeOf(bytes: Buffer): string | undefined {
  const ascii = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (bytes.length > 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (/^GIF8[79]a$/.test(ascii(0, 6))) return 'image/gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}
