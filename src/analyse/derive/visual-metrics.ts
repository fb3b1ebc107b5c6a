import speedlineFrame from 'speedline-core/lib/frame.js';
import speedIndex from 'speedline-core/lib/speed-index.js';
import { messageOf } from '../../model/errors.ts';
import type { Frame } from '../../model/raw-trial.ts';
import { finiteOrNull } from './part.ts';
import type { DerivedPart } from './part.ts';

/** speedline takes a moment of 0 for "none", so its clock starts later. */
const clockStartMs = 1_000_000;

interface TimedImage {
  readonly tMs: number;
  readonly jpeg: Uint8Array;
}

type ProgressFrame = Parameters<typeof speedIndex.calculateVisualProgress>[0][number];

/**
 * `speedIndexMs`, `visualComplete85Ms`, `visualComplete99Ms` from the viewport's frames by colour histograms
 * (the WebPageTest definition, as implemented by speedline). Frames before navigation start do not count;
 * before the first frame the viewport counts as white.
 */
export function visualMetrics(frames: readonly Frame[] | null, images: readonly Uint8Array[]): DerivedPart {
  if (frames === null) return visualsMissing('this client gives no frames');
  if (images.length !== frames.length) {
    return visualsMissing(`${frames.length} frames are named but ${images.length} images are there`);
  }
  const timed = distinctImages(frames, images);
  if (timed.length === 0) return visualsMissing('no frame after navigation start');
  try {
    return measure(timed);
  } catch (error) {
    return visualsMissing(`a frame could not be read (${messageOf(error)})`);
  }
}

function measure(timed: readonly TimedImage[]): DerivedPart {
  const white = whiteFrame();
  const painted = timed.map(({ tMs, jpeg }) => speedlineFrame.create(Buffer.from(jpeg), clockStartMs + tMs));
  speedIndex.calculateVisualProgress([white, ...painted]);
  if (white.getProgress() === 100) return visualsMissing('nothing was ever painted, all frames are blank');
  const { speedIndex: speedIndexMs } = speedIndex.calculateSpeedIndexes([white, ...painted], {
    startTs: clockStartMs,
  });
  if (!(Number(speedIndexMs) > 0)) return visualsMissing('the viewport was painted before navigation start');
  const firstReaching = (percent: number): number | null =>
    timed[painted.findIndex((frame) => frame.getProgress() >= percent)]?.tMs ?? null;
  return {
    metrics: {
      speedIndexMs: finiteOrNull(speedIndexMs),
      visualComplete85Ms: firstReaching(85),
      visualComplete99Ms: firstReaching(99),
    },
    warnings: [],
  };
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
function distinctImages(frames: readonly Frame[], images: readonly Uint8Array[]): readonly TimedImage[] {
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

/** The visual metrics as null, with the reason. */
export function visualsMissing(why: string): DerivedPart {
  return {
    metrics: { speedIndexMs: null, visualComplete85Ms: null, visualComplete99Ms: null },
    warnings: [`speedIndexMs, visualComplete85Ms, visualComplete99Ms: ${why}`],
  };
}
