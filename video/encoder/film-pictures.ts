import type { Ladder, LadderTrack } from '../ladders/ladder.ts';

/** How the pictures of an own video are played: as it has them, as far as codec and players can. */
export interface FilmPictures {
  /** Frames a second as a fraction, such as `30000/1001`. */
  readonly frameRate: string;
  /** As they are seen: turned, with square pixels. */
  readonly width: number;
  readonly height: number;
  readonly bits: 8 | 10;
  /** Colours of a wider range are brought into that of ordinary screens. */
  readonly toneMapped: boolean;
}

/** Frames a second of a fraction. */
export function rateOf(frameRate: string): number {
  const [frames = Number.NaN, seconds = 1] = frameRate.split('/').map(Number);
  return frames / seconds;
}

/**
 * A ladder with the frame rate and the shape of a film: each track fits into its size, turned for an upright film, so that
 * nothing is cut off and no bars are added.
 */
export function fittedLadder(ladder: Ladder, { frameRate, width, height, bits }: FilmPictures): Ladder {
  return {
    ...ladder,
    framesPerSecond: rateOf(frameRate),
    frameRate,
    bits,
    tracks: ladder.tracks.map((track) => fitted(track, width / height)),
  };
}

function fitted(track: LadderTrack, aspect: number): LadderTrack {
  const long = Math.max(track.width, track.height);
  const short = Math.min(track.width, track.height);
  const [boxWidth, boxHeight] = aspect >= 1 ? [long, short] : [short, long];
  return {
    ...track,
    width: even(Math.min(boxWidth, boxHeight * aspect)),
    height: even(Math.min(boxHeight, boxWidth / aspect)),
  };
}

/** Codecs halve both sides. */
const even = (pixels: number): number => Math.max(2, 2 * Math.round(pixels / 2));

/** For the colours of HDR; both filters must be in the ffmpeg. */
const toneMapping =
  'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,';

/** What makes a track's pictures of the film's. */
export function filmFilter(
  { frameRate, toneMapped }: FilmPictures,
  { width, height }: Pick<LadderTrack, 'width' | 'height'>,
): string {
  return `fps=${frameRate},${toneMapped ? toneMapping : ''}scale=${width}:${height}:flags=bicubic,setsar=1`;
}
