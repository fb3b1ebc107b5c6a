import type { Ladder } from '../ladders/ladder.ts';
import type { AssetRequest } from './asset.ts';

type Cut = Pick<AssetRequest, 'chunkSeconds' | 'filmSeconds' | 'mediaSeconds'> & {
  readonly ladder: Pick<AssetRequest['ladder'], 'framesPerSecond'>;
};

export interface FrameRange {
  /** Counted from the first frame of the media. */
  readonly first: number;
  readonly count: number;
}

/** More than the error of a product such as 20 × 30000/1001, far less than a frame. */
const productError = 1e-6;

/** How many frames begin before a moment: at 30000/1001 frames a second, no moment but 0 falls on a frame but each 1001st second. */
export function framesBefore(seconds: number, framesPerSecond: number): number {
  return Math.ceil(seconds * framesPerSecond - productError);
}

/** Whether every GOP of a film has as many frames as the first. */
export function isSteady(
  { gopSeconds, framesPerSecond }: Pick<Ladder, 'gopSeconds' | 'framesPerSecond'>,
  filmSeconds: number,
): boolean {
  const gopFrames = framesBefore(gopSeconds, framesPerSecond);
  const gops = Array.from({ length: segmentCount(filmSeconds, gopSeconds) }, (_, index) => index);
  return gops.every((gop) => framesBefore(gop * gopSeconds, framesPerSecond) === gop * gopFrames);
}

/** How many segments there are of so many seconds. */
export function segmentCount(seconds: number, chunkSeconds: number): number {
  return Math.ceil(seconds / chunkSeconds - productError);
}

/** The frames of a segment (from 0). A segment begins with the first frame of its second, so at odd rates some have one more. */
export function segmentFrames(cut: Cut, segment: number): FrameRange {
  const { chunkSeconds, filmSeconds, mediaSeconds, ladder } = cut;
  const perFilm = segmentCount(filmSeconds, chunkSeconds);
  const round = Math.floor(segment / perFilm);
  const index = segment % perFilm;
  const startOf = (seconds: number): number => framesBefore(seconds, ladder.framesPerSecond);
  const endSeconds = Math.min((index + 1) * chunkSeconds, filmSeconds, mediaSeconds);
  const first = startOf(index * chunkSeconds);
  return { first: round * startOf(filmSeconds) + first, count: startOf(endSeconds) - first };
}
