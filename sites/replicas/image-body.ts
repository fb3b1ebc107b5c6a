import { crc32, deflateSync } from 'node:zlib';
import { seededBytes } from './seeded-bytes.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const bitsPerPixel = 2;
const pixelsPerByte = 8 / bitsPerPixel;
const aspect = 4 / 3;
/** A chunk's length, type and checksum. */
const chunkOverheadBytes = 12;

/**
 * A PNG of exactly `sizeBytes` (from 67 on; up to 11 bytes less where no chunk fits the rest) that decodes and paints:
 * four shades of one colour without structure, stored uncompressed, so that it arrives and paints row by row.
 * Two bits a pixel is what a photograph takes as JPEG, so the picture has the dimensions of one of that size.
 * Format: https://www.w3.org/TR/png-3/.
 */
export function pngBody(sizeBytes: number, seed: string): Buffer {
  const { width, height } = dimensions(sizeBytes);
  const rowBytes = 1 + Math.ceil(width / pixelsPerByte);
  const pixels = seededBytes(seed, rowBytes * height);
  for (let row = 0; row < height; row++) pixels[row * rowBytes] = 0;
  const indexed = width > 1;
  const header = Buffer.from([...Buffer.alloc(8), indexed ? bitsPerPixel : 1, indexed ? 3 : 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const before = [signature, chunk('IHDR', header), ...(indexed ? [chunk('PLTE', shades(seed))] : [])];
  const data = chunk('IDAT', deflateSync(pixels, { level: indexed ? 0 : 9 }));
  const end = chunk('IEND', Buffer.alloc(0));
  const used = [...before, data, end].reduce((sum, part) => sum + part.length, 0);
  const restBytes = sizeBytes - used - chunkOverheadBytes;
  // A private, ancillary chunk: decoders skip it.
  const rest = restBytes >= 0 ? [chunk('rePl', seededBytes(`${seed} rest`, restBytes))] : [];
  return Buffer.concat([...before, data, ...rest, end]);
}

/** The largest 4:3 picture whose stored pixels leave room for everything else; one pixel where there is hardly any. */
function dimensions(sizeBytes: number): { width: number; height: number } {
  const storedBlockBytes = 16_000;
  const overheadBytes = 57 + 24 + 6 + chunkOverheadBytes;
  const available = (sizeBytes - overheadBytes) * (1 - 5 / storedBlockBytes) - 5;
  if (available < 24) return { width: 1, height: 1 };
  const width = Math.max(4, Math.floor(Math.sqrt(available * pixelsPerByte * aspect) / 4) * 4);
  return { width, height: Math.max(1, Math.floor(available / (1 + width / pixelsPerByte))) };
}

/** Four shades around one colour. */
function shades(seed: string): Buffer {
  const [red = 0, green = 0, blue = 0] = seededBytes(`${seed} colour`, 3);
  return Buffer.from(
    [-24, -8, 8, 24].flatMap((step) =>
      [red, green, blue].map((value) => Math.min(255, Math.max(0, 40 + Math.round(value * 0.7) + step))),
    ),
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** The smallest picture there is: one grey pixel (https://www.w3.org/Graphics/GIF/spec-gif89a.txt), 35 bytes. */
export function gifBody(): Buffer {
  const screen = [1, 0, 1, 0, 0x80, 0, 0, 0x99, 0x99, 0x99, 0, 0, 0];
  const picture = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b];
  return Buffer.concat([Buffer.from('GIF89a', 'latin1'), Buffer.from(screen), Buffer.from(picture)]);
}
