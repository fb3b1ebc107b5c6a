import { connectionStartMs } from './evidence/connection-start.ts';
import { elapsedMs, finiteOrNull, positiveOrNull, sum } from './evidence/numbers.ts';
import type { PageInput } from './metric-inputs.ts';
import { numberAsDifference, timeAsDifference, timeAsRatio, type Metric } from './metric.ts';

/** The part of a long task beyond this blocks the user. */
const blockingThresholdMs = 50;

/** A moment of the load, from navigation start. */
const moment = {
  ...timeAsRatio,
  margin: 0.03,
  kinds: ['page', 'journey'],
  onDeadline: 'time',
} as const;

/** Moments of a page’s load, and what is seen of it. */
export const pageLoadMetrics: readonly Metric[] = [
  {
    name: 'pltMs',
    title: 'page load time',
    meaning: 'Navigation start to the end of the load event.',
    source: 'PLT in Zhang et al. 2024, §4.2',
    ...moment,
    formulas: {
      page: ({ timings }) => positiveOrNull(timings.loadEventEndMs),
    },
  },
  {
    name: 'cdtMs',
    title: 'content download time',
    meaning: 'Navigation start to the last byte of the last object requested before the load event.',
    source: 'Butkiewicz et al. 2011; Zhang et al. 2024, §4.2',
    ...timeAsRatio,
    margin: 0.03,
    kinds: ['page'],
    onDeadline: 'time',
    formulas: {
      page: contentDownloadMs,
    },
  },
  {
    name: 'ttfbMs',
    title: 'time to first byte',
    meaning: 'Request of the main document sent to its first byte, connection set-up not counted.',
    source: 'Bocchi et al. 2016',
    ...timeAsRatio,
    margin: 0.05,
    kinds: ['page', 'journey'],
    onDeadline: 'time',
    formulas: {
      page: ({ timings }) => elapsedMs(timings.requestStartMs, timings.responseStartMs),
    },
  },
  {
    name: 'ttfbWithConnectMs',
    title: 'time to first byte with connection set-up',
    meaning: 'Start of the connection to the first byte of the main document, or of a download’s body.',
    source: 'Shreedhar et al. 2022, §V',
    ...timeAsRatio,
    margin: 0.05,
    kinds: ['page', 'journey', 'download'],
    onDeadline: 'time',
    formulas: {
      page: ({ timings, connectMs }) =>
        connectMs === null ? null : elapsedMs(timings.connectStartMs, timings.responseStartMs),
      download: (download) => elapsedMs(connectionStartMs(download), download.firstByteMs),
    },
  },
  {
    name: 'fallbackMs',
    title: 'time to the first byte, waiting for QUIC included',
    meaning:
      'Navigation start to the first byte of the main document, in arms that set `udp` or `discovery`.',
    ...timeAsDifference,
    margin: 50,
    kinds: ['page'],
    onDeadline: 'time',
    formulas: {
      page: ({ timings, udp, discovery }) =>
        udp === undefined && discovery === undefined ? undefined : timings.responseStartMs,
    },
  },
  {
    name: 'fcpMs',
    title: 'first contentful paint',
    meaning: 'Navigation start to the first text or image painted.',
    source: 'W3C Paint Timing',
    ...moment,
    formulas: {
      page: ({ timings }) => finiteOrNull(timings.fcpMs),
    },
  },
  {
    name: 'lcpMs',
    title: 'largest contentful paint',
    meaning: 'Navigation start to the paint of the largest text or image.',
    source: 'W3C Largest Contentful Paint',
    ...moment,
    formulas: {
      page: ({ timings }) => finiteOrNull(timings.lcpMs),
    },
  },
  {
    name: 'cls',
    title: 'cumulative layout shift',
    meaning: 'How much the page’s content moved while it loaded.',
    source: 'W3C Layout Instability',
    ...numberAsDifference,
    margin: 0.01,
    kinds: ['page', 'journey'],
    onDeadline: 'missing',
    formulas: {
      page: ({ timings }) => finiteOrNull(timings.cls),
    },
  },
  {
    name: 'tbtMs',
    title: 'total blocking time',
    meaning: 'Time in which long tasks kept the main thread from answering.',
    source: 'https://web.dev/articles/tbt',
    ...timeAsDifference,
    margin: 20,
    kinds: ['page', 'journey'],
    onDeadline: 'missing',
    formulas: {
      page: totalBlockingMs,
    },
  },
  {
    name: 'speedIndexMs',
    title: 'Speed Index',
    meaning: 'Mean time at which the parts of the viewport were visible: 3400 ms or less is fast.',
    source: 'WebPageTest, as implemented by speedline; classes of Liu et al. 2025, §4.4',
    ...timeAsRatio,
    margin: 0.03,
    kinds: ['page'],
    onDeadline: 'time',
    needsInstrumentation: true,
    formulas: {
      visual: ({ speedIndex }) => finiteOrNull(speedIndex),
    },
  },
  {
    name: 'visualComplete85Ms',
    title: 'viewport 85 % complete',
    meaning: 'Navigation start until 85 % of the viewport looked as in the end.',
    source: 'as in browsertime',
    ...timeAsRatio,
    margin: 0.05,
    kinds: ['page'],
    onDeadline: 'time',
    needsInstrumentation: true,
    formulas: {
      visual: ({ firstReachingMs }) => firstReachingMs(85),
    },
  },
  {
    name: 'visualComplete99Ms',
    title: 'viewport 99 % complete',
    meaning: 'Navigation start until 99 % of the viewport looked as in the end.',
    source: 'as in browsertime',
    ...timeAsRatio,
    margin: 0.05,
    kinds: ['page'],
    onDeadline: 'time',
    needsInstrumentation: true,
    formulas: {
      visual: ({ firstReachingMs }) => firstReachingMs(99),
    },
  },
];

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

/**
 * What each long task takes beyond 50 ms, between First Contentful Paint and the end of the measurement (load and the
 * quiet time after it). A task under way at FCP counts from FCP, as in Lighthouse.
 */
function totalBlockingMs({ timings }: PageInput): number | null {
  const fcpMs = finiteOrNull(timings.fcpMs);
  if (fcpMs === null || !Array.isArray(timings.longTasks)) return null;
  return sum(
    timings.longTasks.map((task) => {
      const afterFcpMs = task.startMs + task.durationMs - Math.max(task.startMs, fcpMs);
      return Math.max(0, afterFcpMs - blockingThresholdMs);
    }),
  );
}
