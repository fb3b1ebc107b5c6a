import type { ObjectType, ShapeRequest } from './site-shape.ts';

/** Medians of the known sizes of the hundred shipped shapes; stand in where neither size was recorded. */
const medianBytes: Readonly<Record<ObjectType, number>> = {
  html: 1560,
  css: 1948,
  js: 7515,
  image: 2978,
  font: 34_186,
  json: 480,
  video: 89_138,
  audio: 44_796,
  other: 471,
};

/**
 * Encoded bytes to decoded ones of the hundred shipped shapes' bodies of 1 kB and more, by the sum of either: what a
 * decoded size says where the encoded one was not recorded. Other types are sent as they are.
 */
const encodedShare: Readonly<Partial<Record<ObjectType, number>>> = {
  html: 0.187,
  css: 0.151,
  js: 0.277,
  json: 0.304,
};
/** Below it servers do not encode. */
const minEncodedBytes = 1_000;

/** The decoded body may not be much smaller than the encoded one for compression to be real. */
const minSaving = 0.97;

export interface ObjectSize {
  /** Encoded body bytes to be sent. */
  readonly wireBytes: number;
  /** Decoded bytes; equal to `wireBytes` where the body is sent as it is. */
  readonly rawBytes: number;
}

/**
 * Size of an object: the recorded encoded size; where that is unknown or zero, what a body of its decoded size and type
 * is encoded to; the median of its type where both are unknown. Sent without encoding where encoding saved nothing.
 */
export function sizeOfObject({ type, wireBytes, rawBytes }: ShapeRequest): ObjectSize {
  if (wireBytes !== null && wireBytes > 0) {
    const saves = rawBytes !== null && wireBytes < rawBytes * minSaving;
    return { wireBytes, rawBytes: saves ? rawBytes : wireBytes };
  }
  if (rawBytes === null) {
    const bytes = wireBytes ?? medianBytes[type];
    return { wireBytes: bytes, rawBytes: bytes };
  }
  const share = rawBytes < minEncodedBytes ? 1 : (encodedShare[type] ?? 1);
  return { wireBytes: Math.round(rawBytes * share), rawBytes };
}

/** How far an encoded body may be from its target. */
export function toleranceBytes(wireBytes: number): number {
  return Math.max(64, Math.floor(wireBytes / 100));
}
