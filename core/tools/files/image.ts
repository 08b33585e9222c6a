/** Images for models with eyes. */
import type { ToolOutput } from '../../types.ts';
import { imageForm } from './image-form.ts';

const MOST_BYTES = 5 << 20;

/** The image; what is broken or too large is told in words. Undefined for bytes that are no image that models take. */
export function imageOf(bytes: Buffer, name: string): ToolOutput | undefined {
  const form = imageForm(bytes);
  if (!form) return undefined;
  const { mediaType } = form;
  const size = 'broken' in form ? '' : `${form.width} × ${form.height} pixels, `;
  const what = `${name} is an image (${mediaType}, ${size}${bytes.length} bytes)`;
  if ('broken' in form) return { output: `${what}, but it ${form.broken}. It cannot be looked at.`, isError: true };
  if (bytes.length > MOST_BYTES) return { output: `${what}, too large to look at.`, isError: true };
  const image = { type: 'image', source: { type: 'base64', mediaType, data: bytes.toString('base64') } } as const;
  return { output: `${what}.`, images: [image] };
}
