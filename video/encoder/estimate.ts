import type { Ladder, LadderTrack } from '../ladders/ladder.ts';
import type { AssetRequest } from './asset.ts';
import { soundKbps } from './film-sound.ts';
import { soundCodecOf } from './sound-encode.ts';

/**
 * CPU seconds per million pixels and per megabit, fitted to 2 s of 4K at 20 and 200 Mbit/s (x264 `ultrafast`: 2.9 and
 * 5.5 CPU seconds, decoding it once: 0.7 and 2.0) and to the streaming ladder (`veryfast`) on a 2-core virtual machine
 * of 2026.
 */
const ultrafastSecondsPerMegapixel = 0.006;
const veryfastSecondsPerMegapixel = 0.017;
const secondsPerMegabit = 0.011;
/** Comparing with its original as a 1080p screen shows both (VMAF), for each frame of a track; drawing the original in 4K is most of it. */
const secondsPerComparedFrame = 0.08;

/** Encoding a second of sound (CPU s), measured likewise. */
const secondsPerSoundSecond = 0.02;

export interface EncodeEstimate {
  readonly cpuSeconds: number;
  /** Of the encodes and a set of segments for each chunk length. */
  readonly diskBytes: number;
}

type EstimateRequest = Pick<AssetRequest, 'filmSeconds' | 'mediaSeconds'> &
  Partial<Pick<AssetRequest, 'source'>>;

/**
 * What encoding `filmSeconds` of a ladder and cutting `mediaSeconds` of it is likely to cost: for the user to know before it
 * starts.
 * @param chunkLengths into how many chunk lengths it is cut
 */
export function estimateEncode(
  ladder: Ladder,
  { filmSeconds, mediaSeconds, source = { kind: 'generated' } }: EstimateRequest,
  chunkLengths = 1,
): EncodeEstimate {
  const encoded = encodedTracksOf(ladder);
  let cpuSeconds = 0;
  let diskBytes = 0;
  for (const track of encoded) {
    const { encodeCpuSeconds, compareCpuSeconds, kbps } = trackCost(ladder, track, filmSeconds);
    cpuSeconds += encodeCpuSeconds + compareCpuSeconds;
    const cutSeconds = (mediaSeconds * chunkLengths * ladder.tracks.length) / encoded.length;
    diskBytes += ((kbps * 1000) / 8) * (filmSeconds + cutSeconds);
  }
  if (soundCodecOf({ ladder, source }) !== undefined) {
    cpuSeconds += mediaSeconds * secondsPerSoundSecond;
    diskBytes += ((soundKbps * 1000) / 8) * mediaSeconds * (1 + chunkLengths);
  }
  return { cpuSeconds, diskBytes };
}

/** All tracks of a padded ladder are one encode. */
function encodedTracksOf({ form, tracks }: Ladder): readonly LadderTrack[] {
  return form === 'padded' ? tracks.slice(0, 1) : tracks;
}

export interface TrackCost {
  readonly encodeCpuSeconds: number;
  /** Of comparing its pictures with the original; 0 for padded tracks, which have no quality of their own. */
  readonly compareCpuSeconds: number;
  /** What is really encoded. */
  readonly kbps: number;
}

export function trackCost(ladder: Ladder, track: LadderTrack, filmSeconds: number): TrackCost {
  const padded = ladder.form === 'padded';
  const perMegapixel = ladder.form === 'capped' ? veryfastSecondsPerMegapixel : ultrafastSecondsPerMegapixel;
  const megapixels = (track.width * track.height * ladder.framesPerSecond * filmSeconds) / 1e6;
  const kbps = padded ? (ladder.base?.maxBitrateKbps ?? 0) : track.bitrateKbps;
  return {
    encodeCpuSeconds: megapixels * perMegapixel + (kbps / 1000) * filmSeconds * secondsPerMegabit,
    compareCpuSeconds: padded ? 0 : ladder.framesPerSecond * filmSeconds * secondsPerComparedFrame,
    kbps,
  };
}
