import type { VideoSession } from '../../core/model/session.ts';

/** Samples closer than this to the one kept before are left out … */
const densestMs = 100;
/** … unless the next kept one would then be further away than this. */
export const sparsestMs = 250;

/** `[tMs, levelSeconds]` with t from the player's load call: thinned to at least 100 ms and, as far as sampled, at most 250 ms apart. */
export function bufferSeries(session: VideoSession): [number, number][] {
  const samples = (session.bufferSamples ?? [])
    .filter((sample) => Number.isFinite(sample.tMs) && Number.isFinite(sample.levelSeconds))
    .map((sample): [number, number] => [sample.tMs - session.loadCallMs, sample.levelSeconds])
    .sort(([a], [b]) => a - b);
  const kept: [number, number][] = [];
  samples.forEach((sample, index) => {
    const lastMs = kept.at(-1)?.[0];
    const nextMs = samples[index + 1]?.[0];
    const needed = lastMs === undefined || sample[0] - lastMs >= densestMs;
    const bridges = lastMs !== undefined && nextMs !== undefined && nextMs - lastMs > sparsestMs;
    if (needed || (bridges && sample[0] > lastMs)) kept.push(sample);
  });
  return kept;
}

/** The largest distance between neighbours, ms; 0 for fewer than two samples. */
export function largestGapMs(series: readonly (readonly [number, number])[]): number {
  return series.reduce((largest, [tMs], index) => {
    const previous = series[index - 1];
    return previous === undefined ? largest : Math.max(largest, tMs - previous[0]);
  }, 0);
}
