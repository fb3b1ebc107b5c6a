import type { Ladder } from '../ladders/ladder.ts';
import type { AssetRequest } from './asset.ts';

/**
 * CPU seconds per million pixels and per megabit, fitted to 2 s of 4K at 20 and 200 Mbit/s (x264 `ultrafast`: 2.9 and
 * 5.5 CPU seconds, decoding it once: 0.7 and 2.0) and to the streaming ladder (`veryfast`) on a 2-core virtual machine
 * of 2026.
 */
const ultrafastSecondsPerMegapixel = 0.006;
const veryfastSecondsPerMegapixel = 0.017;
const secondsPerMegabit = 0.011;
/** Comparing with its original as a 1080p screen shows both (VMAF), for each frame of a track; drawing the original in 4K is most of it. */
const secondsPerComparedFrame = 0.06;

export interface EncodeEstimate {
  readonly cpuSeconds: number;
  /** Of the encodes and a set of segments for each chunk length. */
  readonly diskBytes: number;
}

/**
 * What encoding `filmSeconds` of a ladder and cutting `mediaSeconds` of it is likely to cost: for the user to know before it
 * starts.
 * @param chunkLengths into how many chunk lengths it is cut
 */
export function estimateEncode(
  ladder: Ladder,
  { filmSeconds, mediaSeconds }: Pick<AssetRequest, 'filmSeconds' | 'mediaSeconds'>,
  chunkLengths = 1,
): EncodeEstimate {
  const perMegapixel = ladder.form === 'capped' ? veryfastSecondsPerMegapixel : ultrafastSecondsPerMegapixel;
  const encoded = ladder.form === 'padded' ? ladder.tracks.slice(0, 1) : ladder.tracks;
  let cpuSeconds = 0;
  let diskBytes = 0;
  for (const track of encoded) {
    const megapixels = (track.width * track.height * ladder.framesPerSecond * filmSeconds) / 1e6;
    const kbps = ladder.form === 'padded' ? (ladder.base?.maxBitrateKbps ?? 0) : track.bitrateKbps;
    cpuSeconds += megapixels * perMegapixel + (kbps / 1000) * filmSeconds * secondsPerMegabit;
    if (ladder.form !== 'padded')
      cpuSeconds += ladder.framesPerSecond * filmSeconds * secondsPerComparedFrame;
    const cutSeconds = (mediaSeconds * chunkLengths * ladder.tracks.length) / encoded.length;
    diskBytes += ((kbps * 1000) / 8) * (filmSeconds + cutSeconds);
  }
  return { cpuSeconds, diskBytes };
}
