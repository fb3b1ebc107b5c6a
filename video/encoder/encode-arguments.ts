import type { Ladder, LadderTrack } from '../ladders/ladder.ts';

/** One run of ffmpeg: everything that decides the bytes it writes. */
export interface TrackEncode {
  readonly label: string;
  readonly seconds: number;
  /** Without the output file and the progress switches. */
  readonly args: readonly string[];
}

/** The run that makes a track of `ladder`; a padded ladder has one for all tracks. */
export function trackEncode(ladder: Ladder, track: LadderTrack, seconds: number): TrackEncode {
  const frames = Math.round(seconds * ladder.framesPerSecond);
  const gopFrames = Math.round(ladder.gopSeconds * ladder.framesPerSecond);
  return {
    label: `${track.height}p`,
    seconds,
    args: [
      ...['-f', 'lavfi', '-i', `testsrc2=s=${track.width}x${track.height}:r=${ladder.framesPerSecond}`],
      ...['-frames:v', String(frames), '-an', '-pix_fmt', 'yuv420p'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'fastdecode', '-bf', '0'],
      ...baseRate(ladder),
      ...['-g', String(gopFrames), '-keyint_min', String(gopFrames), '-sc_threshold', '0', '-flags', '+cgop'],
      ...['-movflags', 'frag_keyframe+empty_moov+default_base_moof', '-f', 'mp4'],
    ],
  };
}

function baseRate(ladder: Ladder): string[] {
  const base = ladder.base;
  if (base === undefined) return [];
  // One second of the peak rate as the buffer bounds every segment below the lowest track's size.
  return [
    '-crf',
    String(base.quantiser),
    '-maxrate',
    `${base.maxBitrateKbps}k`,
    '-bufsize',
    `${base.maxBitrateKbps}k`,
  ];
}
