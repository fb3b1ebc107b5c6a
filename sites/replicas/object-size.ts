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

/** The decoded body may not be much smaller than the encoded one for compression to be real. */
const leastSaving = 0.97;

export interface ObjectSize {
  /** Encoded body bytes to be sent. */
  readonly wireBytes: number;
  /** Decoded bytes; equal to `wireBytes` where the body is sent as it is. */
  readonly rawBytes: number;
}

/**
 * Size of an object: the recorded encoded size, the decoded one where that is unknown or zero, the median of its type
 * where both are unknown. Sent without encoding where encoding saved nothing.
 */
export function sizeOfObject(request: ShapeRequest): ObjectSize {
  const { wireBytes, rawBytes } = request;
  const known = wireBytes === null || wireBytes === 0 ? (rawBytes ?? wireBytes) : wireBytes;
  const wire = known ?? medianBytes[request.type];
  const saves =
    wireBytes !== null && wireBytes > 0 && rawBytes !== null && wireBytes < rawBytes * leastSaving;
  return { wireBytes: wire, rawBytes: saves ? rawBytes : wire };
}

/** How far an encoded body may be from its target. */
export function toleranceBytes(wireBytes: number): number {
  return Math.max(64, Math.floor(wireBytes / 100));
}
