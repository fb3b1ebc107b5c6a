import { encoderSpeed } from './codec-encoders.ts';
import type { Ladder, LadderTrack } from '../ladders/ladder.ts';
import { numberBits } from '../page/frame-number.ts';
import { filmFilter } from './film-pictures.ts';
import { filmTrack } from './film-track.ts';
import { framesBefore, isSteady } from './segment-frames.ts';
import type { VideoSource } from './source.ts';

/** One run of ffmpeg: everything that decides the bytes it writes. */
export interface TrackEncode {
  readonly label: string;
  readonly seconds: number;
  readonly frames: number;
  /** Without the output file and the progress switches. */
  readonly args: readonly string[];
  /** The same with the hash of an input file in place of its path: what the result is cached by. */
  readonly identity: readonly string[];
}

/** Peaks of a capped track, and its rate-control buffer, as shares of its rate and of one second of it. */
export const cappedPeak = 1.1;
export const cappedBufferSeconds = 0.5;
const constantBufferSeconds = 0.1;
/** x264 alone would cut scenes in between, let GOPs refer to each other, and reorder frames. */
const closedGops = ['-sc_threshold', '0', '-flags', '+cgop', '-bf', '0'];

export interface TrackEncodeOptions {
  readonly ladder: Ladder;
  readonly track: LadderTrack;
  readonly seconds: number;
  readonly source: VideoSource;
  readonly encoder: string;
}

/** The run that makes a track of `ladder`; a padded ladder has the same one for all tracks. */
export function trackEncode({ ladder, track, seconds, source, encoder }: TrackEncodeOptions): TrackEncode {
  const frames = framesBefore(seconds, ladder.framesPerSecond);
  const output = [
    '-frames:v',
    String(frames),
    '-an',
    '-pix_fmt',
    ladder.bits === 10 ? 'yuv420p10le' : 'yuv420p',
    '-c:v',
    encoder,
    ...encoderSpeed(encoder, ladder.form === 'capped'),
    ...rate(ladder, track, encoder),
    ...keyframes(ladder, seconds),
    ...(encoder === 'libx264' ? closedGops : []),
    '-movflags',
    `${ladder.numbersFrames === true ? 'frag_every_frame' : 'frag_keyframe'}+empty_moov+default_base_moof`,
    '-f',
    'mp4',
  ];
  return {
    label: `${track.height}p at ${ladder.base?.maxBitrateKbps ?? track.bitrateKbps} kbit/s`,
    seconds,
    frames,
    args: [...pictures(ladder, track, source, 'file'), ...output],
    identity: [...pictures(ladder, track, source, 'sha256'), ...output],
  };
}

/** A keyframe with the first frame of every GOP's time, which at 30000/1001 frames a second is not always the 30th. */
function keyframes({ gopSeconds, framesPerSecond, frameRate = '' }: Ladder, filmSeconds: number): string[] {
  const gopFrames = framesBefore(gopSeconds, framesPerSecond);
  if (isSteady({ gopSeconds, framesPerSecond }, filmSeconds))
    return ['-g', String(gopFrames), '-keyint_min', String(gopFrames)];
  const forced = `expr:gte(n,ceil(n_forced*${gopSeconds}*${frameRate}))`;
  return ['-force_key_frames', forced, '-g', String(gopFrames + 1)];
}

/** What ffmpeg is told to have the pictures of a ladder in this size. @param name how an input file is named */
export function pictures(
  ladder: Ladder,
  { width, height }: Pick<LadderTrack, 'width' | 'height'>,
  source: VideoSource,
  name: 'file' | 'sha256',
): string[] {
  if (source.kind === 'file') {
    const input = ['-i', source[name], '-map', filmTrack(0, source.track)];
    if (source.pictures !== undefined)
      return [...input, '-vf', filmFilter(source.pictures, { width, height })];
    const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`;
    return [...input, '-vf', `fps=${ladder.framesPerSecond},${fit},setsar=1`];
  }
  const drawn = (size: Pick<LadderTrack, 'width' | 'height'>): string =>
    `testsrc2=s=${size.width}x${size.height}:r=${ladder.framesPerSecond}`;
  if (ladder.form === 'padded') return ['-f', 'lavfi', '-i', drawn({ width, height })];
  // Noise keeps an encoder busy up to any rate. Every track is the picture of the best one made smaller, as services do.
  const top = ladder.tracks.at(-1) ?? { width, height };
  const smaller = top.height === height ? '' : `,scale=${width}:${height}:flags=bicubic`;
  const noisy = `${drawn(top)},noise=alls=20:allf=t${smaller}`;
  const graph = ladder.numbersFrames === true ? numbered(noisy, ladder.framesPerSecond, width) : noisy;
  return ['-f', 'lavfi', '-i', graph];
}

/**
 * Pictures with their numbers, from 1, in their top row: a block for each bit, white for 1, the highest first. A block is square,
 * so that no encoder blurs it and any point of it can be read.
 */
function numbered(drawn: string, framesPerSecond: number, width: number): string {
  const bit = `mod(floor((N+1)/pow(2,${numberBits - 1}-X)),2)`;
  const blocks = [
    `color=c=black:s=${numberBits}x1:r=${framesPerSecond}`,
    'format=yuv444p',
    `geq=lum='if(${bit},235,16)':cb=128:cr=128`,
    `scale=${width}:${width / numberBits}:flags=neighbor`,
  ];
  return `${drawn}[pictures];${blocks.join(',')}[number];[pictures][number]overlay=0:0:shortest=1[out0]`;
}

function rate(ladder: Ladder, track: LadderTrack, encoder: string): string[] {
  const kbps = track.bitrateKbps;
  switch (ladder.form) {
    case 'padded': {
      const base = ladder.base ?? { maxBitrateKbps: kbps, quantiser: 26 };
      // A buffer of one second at the peak bounds every segment below the lowest track's size.
      return ['-crf', String(base.quantiser), ...qualityBounds(base.maxBitrateKbps, encoder)];
    }
    case 'constant':
      return [
        '-b:v',
        `${kbps}k`,
        '-minrate',
        `${kbps}k`,
        ...bounds(kbps, constantBufferSeconds),
        '-x264-params',
        'nal-hrd=cbr:filler=1:vbv-init=1',
      ];
    case 'capped':
      return ['-b:v', `${kbps}k`, ...bounds(Math.round(kbps * cappedPeak), cappedBufferSeconds / cappedPeak)];
  }
}

/** libvpx and libaom read the peak of constant quality from `-b:v`; SVT-AV1 of ffmpeg 5 takes none. */
function qualityBounds(maxBitrateKbps: number, encoder: string): string[] {
  if (encoder === 'libx264') return bounds(maxBitrateKbps, 1);
  return encoder === 'libsvtav1' ? [] : ['-b:v', `${maxBitrateKbps}k`];
}

function bounds(maxBitrateKbps: number, bufferSeconds: number): string[] {
  return ['-maxrate', `${maxBitrateKbps}k`, '-bufsize', `${Math.round(maxBitrateKbps * bufferSeconds)}k`];
}
