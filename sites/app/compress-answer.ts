import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { Header } from './map-addresses.ts';

/** Smaller bodies grow by it, or fit the same packet. */
const minBytes = 1_000;
/** What servers compress on the fly with; more takes longer than it saves. */
const brotliQuality = 4;
const gzipLevel = 6;
const isText =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*(?:json|javascript|xml|wasm)|manifest)|image\/(?:svg\+xml|x-icon|bmp)|font\/(?:ttf|otf))/i;

/** An answer whose body is compressed on its way: its headers, and what does it. */
export interface CompressedAnswer {
  readonly headers: readonly Header[];
  readonly coder: Transform;
}

const valueOf = (headers: readonly Header[], wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** Undefined where the answer goes out as it is: it is coded already, too small, no text, or the browser takes no coding. */
export function compressedAnswer(
  status: number,
  headers: readonly Header[],
  accepted: string,
): CompressedAnswer | undefined {
  const coding = (['br', 'gzip'] as const).find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
  const length = Number(valueOf(headers, 'content-length') ?? Number.POSITIVE_INFINITY);
  const isAsItIs =
    coding === undefined ||
    status === 204 ||
    status === 206 ||
    status === 304 ||
    length < minBytes ||
    valueOf(headers, 'content-encoding') !== undefined ||
    /\bno-transform\b/i.test(valueOf(headers, 'cache-control') ?? '') ||
    !isText.test(valueOf(headers, 'content-type') ?? '');
  if (isAsItIs) return undefined;
  const kept = headers.filter(([name]) => !/^(?:content-length|etag|accept-ranges)$/i.test(name));
  const tag = valueOf(headers, 'etag');
  return {
    headers: [
      ...kept,
      ['Content-Encoding', coding],
      ['Vary', 'Accept-Encoding'],
      // Another form of the same content: equal in meaning, not in bytes (RFC 9110, 8.8.1).
      ...(tag === undefined ? [] : [['ETag', tag.startsWith('W/') ? tag : `W/${tag}`] as const]),
    ],
    coder:
      coding === 'br' ? brotli() : zlib.createGzip({ level: gzipLevel, flush: zlib.constants.Z_SYNC_FLUSH }),
  };
}

/** What the app has sent goes out at once: a page that it streams stays one. */
function brotli(): Transform {
  const { BROTLI_OPERATION_FLUSH: flush, BROTLI_PARAM_QUALITY: quality } = zlib.constants;
  return zlib.createBrotliCompress({ flush, params: { [quality]: brotliQuality } });
}
