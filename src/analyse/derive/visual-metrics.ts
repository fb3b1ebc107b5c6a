import speedline from 'speedline-core';
import { messageOf } from '../../model/errors.ts';
import type { Frame } from '../../model/raw-trial.ts';
import type { DerivedPart } from './part.ts';

/** speedline takes a time origin of 0 for "none given", so the synthetic timeline starts later. */
const timelineOriginUs = 1_000_000_000;

interface TimedImage {
  readonly tMs: number;
  readonly jpeg: Uint8Array;
}

/** Share of the final picture that was there from `tMs` on, 0 to 100. */
export interface VisualProgress {
  readonly tMs: number;
  readonly percent: number;
}

/**
 * `speedIndexMs`, `visualComplete85Ms`, `visualComplete99Ms` from the viewport's frames by colour histograms
 * (the WebPageTest definition, as implemented by speedline). Frames before navigation start do not count;
 * before the first frame the viewport counts as white.
 */
export async function visualMetrics(
  frames: readonly Frame[] | null,
  images: readonly Uint8Array[],
): Promise<DerivedPart> {
  if (frames === null) return missing('this client gives no frames');
  if (images.length !== frames.length)
    return missing(`${frames.length} frames are named but ${images.length} images are there`);
  const timed = distinctImages(frames, images);
  if (timed.length === 0) return missing('no frame after navigation start');
  try {
    return summarise(
      await speedline(timelineOf(timed), { timeOrigin: timelineOriginUs, include: 'speedIndex' }),
      timed,
    );
  } catch (error) {
    return missing(`a frame could not be read (${messageOf(error)})`);
  }
}

function summarise(output: speedline.Output<'speedIndex'>, timed: readonly TimedImage[]): DerivedPart {
  // speedline puts a white frame of its own before the others.
  const [white, ...rest] = output.frames;
  if (white === undefined || white.getProgress() === 100)
    return missing('nothing was ever painted: all frames are blank');
  const progress = rest.map((frame, index) => ({
    tMs: timed[index]?.tMs ?? 0,
    percent: frame.getProgress(),
  }));
  return {
    metrics: {
      speedIndexMs: output.speedIndex,
      visualComplete85Ms: firstReaching(progress, 85),
      visualComplete99Ms: firstReaching(progress, 99),
    },
    warnings: [],
  };
}

function firstReaching(progress: readonly VisualProgress[], percent: number): number | null {
  return progress.find((step) => step.percent >= percent)?.tMs ?? null;
}

/** Frames at or after navigation start in order of time, without those equal to the one before: each costs a decode. */
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

function timelineOf(timed: readonly TimedImage[]): speedline.TraceEvent[] {
  return timed.map(({ tMs, jpeg }) => ({
    name: 'Screenshot',
    cat: 'disabled-by-default-devtools.screenshot',
    args: { snapshot: Buffer.from(jpeg).toString('base64') },
    tid: 0,
    ts: timelineOriginUs + tMs * 1000,
    dur: 0,
  }));
}

function missing(why: string): DerivedPart {
  return {
    metrics: { speedIndexMs: null, visualComplete85Ms: null, visualComplete99Ms: null },
    warnings: [`speedIndexMs, visualComplete85Ms, visualComplete99Ms: ${why}`],
  };
}
