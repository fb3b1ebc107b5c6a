import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { seededText } from './seeded-bytes.ts';

const compressBrotli = promisify(brotliCompress);
const quality = 5;
/** Brotli spends about this many bytes on a character of six bits. */
const bytesPerCharacter = 0.756;
const maxPasses = 12;

/** Builds a text around a filler; both parts may be split up and spread, and none of their characters may be lost. */
export type ComposeText = (filler: Filler) => string;

export interface Filler {
  /** Characters without structure: they cost nearly their size on the wire. */
  readonly dense: string;
  /** Repetitive characters: they cost nearly nothing on the wire. */
  readonly light: string;
}

export interface TextBodyOptions {
  readonly compose: ComposeText;
  readonly wireBytes: number;
  /** Equal to `wireBytes`: the body is sent as it is. */
  readonly rawBytes: number;
  readonly seed: string;
}

export interface EncodedBody {
  readonly raw: Buffer;
  /** Brotli form; null where the raw one is sent. */
  readonly brotli: Buffer | null;
}

export function bodyWireBytes(body: EncodedBody): number {
  return body.brotli?.length ?? body.raw.length;
}

export async function encodeText(text: string): Promise<Buffer> {
  const content = Buffer.from(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return compressBrotli(content, { params });
}

/** Bytes that a text takes on the wire when nothing is added to it. */
export async function minWireBytes(text: string, isEncoded: boolean): Promise<number> {
  return isEncoded ? (await encodeText(text)).length : Buffer.byteLength(text);
}

/**
 * A text whose encoded form has `wireBytes` (within a few bytes; larger only if its fixed part is) and whose decoded
 * form has about `rawBytes`. The share of dense filler is found by encoding and correcting.
 */
export async function textBody(options: TextBodyOptions): Promise<EncodedBody> {
  if (options.rawBytes <= options.wireBytes) return identityBody(options);
  const fixedBytes = Buffer.byteLength(options.compose({ dense: '', light: '' }));
  const fixedWireBytes = (await encodeText(options.compose({ dense: '', light: '' }))).length;
  const source = seededText(options.seed, Math.ceil(options.wireBytes / bytesPerCharacter) + 64);
  let denseCount = Math.max(0, Math.round((options.wireBytes - fixedWireBytes) / bytesPerCharacter));
  let tooFew = 0;
  let tooMany = source.length;
  let best: { raw: Buffer; brotli: Buffer; missBytes: number } | undefined;
  for (let pass = 0; pass < maxPasses; pass++) {
    const dense = source.slice(0, denseCount);
    const light = lightText(options.rawBytes - fixedBytes - dense.length);
    const text = options.compose({ dense, light });
    const brotli = await encodeText(text);
    const missBytes = options.wireBytes - brotli.length;
    if (best === undefined || Math.abs(missBytes) < Math.abs(best.missBytes)) {
      best = { raw: Buffer.from(text), brotli, missBytes };
    }
    if (Math.abs(missBytes) <= options.wireBytes / 1000 + 8) break;
    if (missBytes > 0) tooFew = Math.max(tooFew, denseCount);
    else tooMany = Math.min(tooMany, denseCount);
    // The encoder changes its ways at some sizes, where the step swings to and fro: halve the bracket then.
    const step = denseCount + Math.round(missBytes / bytesPerCharacter);
    denseCount = step > tooFew && step < tooMany ? step : Math.round((tooFew + tooMany) / 2);
  }
  if (best === undefined || best.brotli.length >= best.raw.length) return identityBody(options);
  return { raw: best.raw, brotli: best.brotli };
}

function identityBody(options: TextBodyOptions): EncodedBody {
  const fixedBytes = Buffer.byteLength(options.compose({ dense: '', light: '' }));
  const dense = seededText(options.seed, Math.max(0, options.wireBytes - fixedBytes));
  return { raw: Buffer.from(options.compose({ dense, light: '' })), brotli: null };
}

const sentence = 'The page repeats this line as real pages repeat their words and their markup. ';

function lightText(count: number): string {
  if (count <= 0) return '';
  return sentence.repeat(Math.ceil(count / sentence.length)).slice(0, count);
}
