import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageForm } from '../../../../core/tools/files/image-form.ts';

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const chunk = (type: string, data: Buffer) =>
  Buffer.concat([u32(data.length), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const header = (width: number, height: number) =>
  chunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from([8, 0, 0, 0, 0])]));
const png = (width: number, height: number) =>
  Buffer.concat([
    SIGNATURE,
    header(width, height),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);

const jpeg = Buffer.from(
  [
    'ffd8ffe000104a46494600010100000100010000',
    // A frame of 20 × 10 pixels, a scan, one byte of it, the end.
    'ffc0000b08000a0014010111 00ffda0008010100003f00 55 ffd9',
  ]
    .join('')
    .replaceAll(' ', ''),
  'hex',
);
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const webp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

const whole: [name: string, bytes: Buffer, width: number, height: number][] = [
  ['image/png', png(30, 20), 30, 20],
  ['image/jpeg', jpeg, 20, 10],
  ['image/gif', gif, 1, 1],
  ['image/webp', webp, 1, 1],
];

describe('imageForm', () => {
  it.each(whole)('%s: the size in pixels of a whole one', (mediaType, bytes, width, height) => {
    expect(imageForm(bytes)).toEqual({ mediaType, width, height });
    // Something behind the end does no harm.
    expect(imageForm(Buffer.concat([bytes, Buffer.alloc(9)]))).toEqual({ mediaType, width, height });
  });

  it.each(whole)('%s: one that is cut short is broken', (mediaType, bytes) => {
    // The last bytes of JPEG and GIF only say that it ends.
    const least = mediaType === 'image/jpeg' ? 3 : 1;
    for (let length = 12; length < bytes.length - least; length++)
      expect(imageForm(bytes.subarray(0, length)), `${length}`).toMatchObject({
        mediaType,
        broken: expect.any(String),
      });
  });

  it('says why a signature alone, or one without picture or pixels, cannot be looked at', () => {
    expect(imageForm(SIGNATURE)).toEqual({ mediaType: 'image/png', broken: 'ends before its picture does' });
    expect(imageForm(Buffer.concat([SIGNATURE, header(1, 1), chunk('IEND', Buffer.alloc(0))]))).toMatchObject({
      broken: 'holds no picture',
    });
    expect(imageForm(png(0, 3))).toMatchObject({ broken: 'has no pixels' });
  });

  it('is at a loss with what is none, and comes to an end with any bytes', () => {
    expect(imageForm(Buffer.from('text'))).toBeUndefined();
    const heads = whole.map(([, bytes]) => bytes.subarray(0, 12));
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 200 }), (head, rest) => {
        expect(imageForm(Buffer.concat([head, rest]))).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });
});
