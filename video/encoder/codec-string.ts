import { H2h3Error } from '../../src/core/model/errors.ts';
import { boxContent } from './mp4-boxes.ts';

/** A VisualSampleEntry's own boxes begin after 86 bytes of fixed fields, header included. */
const visualSampleEntryBytes = 86;

const two = (value: number): string => value.toString().padStart(2, '0');
const hex = (value: number): string => value.toString(16).padStart(2, '0').toUpperCase();

/** The `codecs` parameter (RFC 6381) of a sample entry of H.264, VP9, AV1, AAC or Opus. @throws H2h3Error `bad-input` for others. */
export function codecString(entry: Buffer, file: string): string {
  const format = entry.toString('latin1', 4, 8);
  const content = (type: string): Buffer | undefined =>
    boxContent(entry, [type], file, visualSampleEntryBytes);
  const avc = format === 'avc1' ? content('avcC') : undefined;
  if (avc !== undefined) return `avc1.${hex(avc[1] ?? 0)}${hex(avc[2] ?? 0)}${hex(avc[3] ?? 0)}`;
  const vp9 = format === 'vp09' ? content('vpcC') : undefined;
  // vpcC is a full box: version and flags, then profile, level, bit depth in the upper four bits.
  if (vp9 !== undefined) return `vp09.${two(vp9[4] ?? 0)}.${two(vp9[5] ?? 0)}.${two((vp9[6] ?? 0) >> 4)}`;
  const av1 = format === 'av01' ? content('av1C') : undefined;
  if (av1 !== undefined) return av1String(av1);
  // ffmpeg encodes no other profile of AAC unless it is told to.
  if (format === 'mp4a') return 'mp4a.40.2';
  if (format === 'Opus') return 'opus';
  throw new H2h3Error('bad-input', 'a codec that no ladder uses', {
    context: { file, expected: 'avc1, vp09, av01, mp4a or Opus', got: format },
  });
}

/** https://aomediacodec.github.io/av1-isobmff/#codecsparam */
function av1String(av1: Buffer): string {
  const profileAndLevel = av1[1] ?? 0;
  const bits = av1[2] ?? 0;
  const tier = (bits & 0x80) === 0 ? 'M' : 'H';
  const depth = (bits & 0x40) === 0 ? 8 : (bits & 0x20) === 0 ? 10 : 12;
  return `av01.${profileAndLevel >> 5}.${two(profileAndLevel & 0x1f)}${tier}.${two(depth)}`;
}
