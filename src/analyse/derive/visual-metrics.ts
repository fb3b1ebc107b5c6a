import speedIndex from 'speedline-core/lib/speed-index.js';
import { messageOf } from '../../core/model/errors.ts';
import type { Frame } from '../../core/model/raw-trial.ts';
import { evaluate, metricsFrom } from '../../core/metrics/evaluate.ts';
import type { DerivedPart } from './derived-part.ts';
import { clockStartMs, distinctImages, paintedFrames } from './visual-progress.ts';
import type { TimedImage } from './visual-progress.ts';

/**
 * Visual metrics from the viewport's frames by colour histograms
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
  const { white, painted } = paintedFrames(timed);
  if (white.getProgress() === 100) return visualsMissing('nothing was ever painted, all frames are blank');
  const { speedIndex: index } = speedIndex.calculateSpeedIndexes([white, ...painted], {
    startTs: clockStartMs,
  });
  if (!(Number(index) > 0)) return visualsMissing('the viewport was painted before navigation start');
  const firstReachingMs = (percent: number): number | null =>
    timed[painted.findIndex((frame) => frame.getProgress() >= percent)]?.tMs ?? null;
  return { metrics: evaluate('visual', { speedIndex: Number(index), firstReachingMs }), warnings: [] };
}

/** The visual metrics as null, with the reason. */
export function visualsMissing(why: string): DerivedPart {
  const names = metricsFrom('visual');
  return {
    metrics: Object.fromEntries(names.map((name) => [name, null])),
    warnings: [`${names.join(', ')}: ${why}`],
  };
}
