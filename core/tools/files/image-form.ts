/**
 * Tells images by their bytes, and whether they are whole: a vendor refuses a request with a broken one, and the image
 * would be in every request after it. Only what frames the picture is read, no pixel is decoded.
 */

export type ImageForm =
  | { mediaType: string; width: number; height: number }
  /** Why it cannot be looked at, to stand behind "it". */
  | { mediaType: string; broken: string };

/** Undefined when the bytes are no image of a form that models take. */
export function imageForm(bytes: Buffer): ImageForm | undefined {
  const kind = KINDS.find(({ begins }) => begins.test(bytes.toString('latin1', 0, 12)));
  if (!kind) return undefined;
  const { mediaType, read } = kind;
  let found: Size | string;
  try {
    found = read(bytes);
  } catch (error) {
    // Reading behind the end of the bytes.
    if (!(error instanceof RangeError)) throw error;
    found = CUT;
  }
  if (typeof found === 'string') return { mediaType, broken: found };
  const { width, height } = found;
  if (width === 0 || height === 0) return { mediaType, broken: 'has no pixels' };
  return { mediaType, width, height };
}

interface Size {
  width: number;
  height: number;
}

const CUT = 'ends before its picture does';
const NO_PICTURE = 'holds no picture';

/** First bytes of the forms (latin-1). */
const KINDS: readonly { begins: RegExp; mediaType: string; read: (bytes: Buffer) => Size | string }[] = [
  { begins: /^\x89PNG\r\n\x1a\n/, mediaType: 'image/png', read: png },
  { begins: /^\xff\xd8\xff/, mediaType: 'image/jpeg', read: jpeg },
  { begins: /^GIF8[79]a/, mediaType: 'image/gif', read: gif },
  { begins: /^RIFF.{4}WEBP/s, mediaType: 'image/webp', read: webp },
];

const tag = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4);

/** PNG (ISO/IEC 15948), section 5: a signature, then chunks from IHDR to IEND. */
function png(bytes: Buffer): Size | string {
  if (bytes.length < 33) return CUT;
  if (tag(bytes, 12) !== 'IHDR' || bytes.readUInt32BE(8) !== 13) return 'does not begin as a PNG does';
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  let hasPicture = false;
  for (let at = 8; ; ) {
    const length = bytes.readUInt32BE(at);
    const type = tag(bytes, at + 4);
    at += 12 + length;
    if (at > bytes.length) return CUT;
    if (type === 'IDAT' && length > 0) hasPicture = true;
    if (type === 'IEND') return hasPicture ? size : NO_PICTURE;
  }
}

/** JPEG (ITU-T T.81), annex B: segments up to the first scan. An end that is missing is forgiven, as viewers do. */
function jpeg(bytes: Buffer): Size | string {
  let size: Size | undefined;
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return 'is no sequence of JPEG segments';
    const marker = bytes.readUInt8(at + 1);
    // Fill bytes, and markers that stand alone.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2;
      continue;
    }
    if (marker === 0xd9) return NO_PICTURE;
    const length = bytes.readUInt16BE(at + 2);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + length;
    // Behind the header of a scan stands the picture.
    if (marker === 0xda) return at >= bytes.length ? CUT : (size ?? NO_PICTURE);
  }
}

/** GIF89a: blocks up to the end of the first picture. */
function gif(bytes: Buffer): Size | string {
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  const table = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  let at = 13 + table(bytes.readUInt8(10));
  const skipBlocks = () => {
    while (bytes.readUInt8(at) !== 0) at += 1 + bytes.readUInt8(at);
    at++;
  };
  for (;;) {
    const kind = bytes.readUInt8(at);
    if (kind === 0x3b) return NO_PICTURE;
    if (kind === 0x21) at += 2;
    else if (kind === 0x2c) at += 11 + table(bytes.readUInt8(at + 9));
    else return 'is no sequence of GIF blocks';
    skipBlocks();
    if (kind === 0x2c) return size;
  }
}

/** WebP (RFC 9649): RIFF chunks; the first one tells the size. */
function webp(bytes: Buffer): Size | string {
  if (8 + bytes.readUInt32LE(4) > bytes.length) return CUT;
  const uint24 = (at: number) => bytes.readUIntLE(at, 3);
  switch (tag(bytes, 12)) {
    case 'VP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return NO_PICTURE;
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      if (bytes.readUInt8(20) !== 0x2f) return NO_PICTURE;
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X': {
      let hasPicture = false;
      for (let at = 12; at + 8 <= bytes.length; ) {
        hasPicture ||= /^(?:VP8[ L]|ANMF)$/.test(tag(bytes, at));
        const length = bytes.readUInt32LE(at + 4);
        at += 8 + length + (length & 1);
      }
      return hasPicture ? { width: uint24(24) + 1, height: uint24(27) + 1 } : NO_PICTURE;
    }
    default:
      return NO_PICTURE;
  }
}
