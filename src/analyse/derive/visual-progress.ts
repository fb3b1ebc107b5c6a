import speedlineFrame from 'speedline-core/lib/frame.js';
import speedIndex from 'speedline-core/lib/speed-index.js';
import type { Frame } from '../../core/model/raw-trial.ts';

/** speedline takes a moment of 0 for "none", so its clock starts later. */
export const clockStartMs = 1_000_000;

export interface TimedImage {
  readonly tMs: number;
  readonly jpeg: Uint8Array;
}

type ProgressFrame = Parameters<typeof speedIndex.calculateVisualProgress>[0][number];

/** A frame whose progress is known once that of its whole film was computed. */
type PaintedFrame = ReturnType<typeof speedlineFrame.create>;

/** A white viewport at navigation start and the frames after it, each with its progress. */
export interface PaintedFrames {
  readonly white: ProgressFrame;
  readonly painted: readonly PaintedFrame[];
}

/**
 * Progress of each image from the white viewport to the last image, by colour histograms (the WebPageTest definition,
 * as implemented by speedline).
 * @throws Error when an image is no JPEG
 */
export function paintedFrames(timed: readonly TimedImage[]): PaintedFrames {
  const white = whiteFrame();
  const painted = timed.map(({ tMs, jpeg }) => speedlineFrame.create(Buffer.from(jpeg), clockStartMs + tMs));
  speedIndex.calculateVisualProgress([white, ...painted]);
  return { white, painted };
}

/**
 * The white viewport at navigation start. speedline's main function encodes and decodes a white JPEG for it, which
 * costs as much as fifteen real frames; its histograms leave white pixels out, so a white frame has empty ones.
 */
function whiteFrame(): ProgressFrame {
  const empty = [0, 1, 2].map(() => new Array<number>(256).fill(0));
  let progress: number | null = null;
  return {
    getHistogram: () => empty,
    getTimeStamp: () => clockStartMs,
    setProgress: (percent) => {
      progress = percent;
    },
    getProgress: () => progress,
    getPerceptualProgress: () => null,
  };
}

/** Frames from navigation start on in order of time, without those equal to the one before: each costs a decode. */
export function distinctImages(
  frames: readonly Frame[],
  images: readonly Uint8Array[],
): readonly TimedImage[] {
  const timed = frames
    .flatMap(({ tMs }, index) => {
      const jpeg = images[index];
      return jpeg === undefined || !Number.isFinite(tMs) || tMs < 0 ? [] : [{ tMs, jpeg }];
    })
    .sort((a, b) => a.tMs - b.tMs);
  return timed.filter(({ jpeg }, index) => {
    const previous = timed[index - 1]?.jpeg;
    return previous === undefined || Buffer.compare(previous, jpeg) !== 0;
  });
}

/**
 * The curve of visual progress: `[tMs after navigation start, percent]` of every distinct frame; empty without frames.
 * @throws Error when a frame is no JPEG
 */
export function visualProgress(
  frames: readonly Frame[] | null,
  images: readonly Uint8Array[],
): (readonly [number, number])[] {
  const timed = distinctImages(frames ?? [], images);
  if (timed.length === 0) return [];
  const { painted } = paintedFrames(timed);
  return timed.map(({ tMs }, index) => [tMs, Math.round(painted[index]?.getProgress() ?? 0)] as const);
}
