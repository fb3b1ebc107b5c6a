import { finiteOrNull, positiveOrNull } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';
import type { PageInput } from './metric-inputs.ts';

export const cdtMs: Metric = {
  name: 'cdtMs',
  title: 'content download time',
  meaning: 'Navigation start to the last byte of the last object requested before the load event.',
  source: 'Butkiewicz et al. 2011; Zhang et al. 2024, §4.2',
  unit: 'ms',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: false,
  kinds: ['page'],
  onDeadline: 'time',
  formulas: {
    page: contentDownloadMs,
  },
};

/**
 * Last byte of the last object requested before load, from the HAR. "Before load" is before the load event starts where
 * the browser tells that, else before it ends: what load handlers ask for is not part of the load. Where the HAR cuts
 * moments to whole ms, the last one before load goes to the handlers, because what the load waits for is seldom fetched
 * in less.
 */
function contentDownloadMs({ timings, objects }: PageInput): number | null {
  const pltMs = positiveOrNull(timings.loadEventEndMs);
  const originMs = finiteOrNull(timings.timeOriginEpochMs);
  if (pltMs === null || originMs === null) return null;
  const loadStartMs = positiveOrNull(timings.loadEventStartMs) ?? pltMs;
  const ends = objects.flatMap(({ startEpochMs, startResolutionMs, endEpochMs, browserMade }) => {
    if (startEpochMs === null || endEpochMs === null || browserMade) return [];
    const isBeforeLoad = startEpochMs + startResolutionMs - originMs <= loadStartMs;
    return isBeforeLoad ? [endEpochMs - originMs] : [];
  });
  return ends.length === 0 ? null : Math.max(...ends);
}
