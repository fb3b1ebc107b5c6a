import type { Har } from '../../model/har.ts';
import type { PageTimings } from '../../model/raw-trial.ts';
import { parseMoment } from './har-moment.ts';
import type { NetworkObject } from './network-object.ts';
import { elapsedMs, finiteOrNull, positiveOrNull, sum } from './part.ts';
import type { DerivedPart } from './part.ts';

/** HAR `onLoad` and the page's own load event must agree this closely. */
const loadAgreementMs = 5;

/** The part of a long task beyond this blocks the user: https://web.dev/articles/tbt */
const blockingThresholdMs = 50;

/**
 * Timings of one cold navigation, in ms after navigation start: `pltMs`, `cdtMs`, `ttfbMs`, `ttfbWithConnectMs`,
 * `connectMs` and the Web Vitals.
 */
export function pageMetrics(
  timings: PageTimings | null,
  har: Har | null,
  objects: readonly NetworkObject[],
): DerivedPart {
  if (timings === null) return { metrics: {}, warnings: ['no page timings: every page metric is missing'] };
  const pltMs = positiveOrNull(timings.loadEventEndMs);
  const warnings: string[] = [];
  const disagreement = pltMs === null ? undefined : loadDisagreement(pltMs, timings, har);
  if (disagreement !== undefined) warnings.push(disagreement);
  const connection = connectionMetrics(timings);
  const vitals = vitalMetrics(timings);
  return {
    metrics: {
      pltMs,
      cdtMs: pltMs === null ? null : contentDownloadMs(pltMs, timings, objects),
      ...connection.metrics,
      ...vitals.metrics,
    },
    warnings: [...warnings, ...connection.warnings, ...vitals.warnings],
  };
}

/**
 * Last byte of the last object requested before load (Butkiewicz et al. 2011), from the HAR. "Before load" is before
 * the load event starts where the browser tells that, else before it ends: what load handlers ask for is not part of
 * the load. Where the HAR cuts moments to whole ms, the last one before load goes to the handlers, because what the
 * load waits for is seldom fetched in less.
 */
function contentDownloadMs(
  pltMs: number,
  timings: PageTimings,
  objects: readonly NetworkObject[],
): number | null {
  const originMs = finiteOrNull(timings.timeOriginEpochMs);
  if (originMs === null) return null;
  const loadStartMs = positiveOrNull(timings.loadEventStartMs) ?? pltMs;
  const ends = objects.flatMap(({ startEpochMs, startResolutionMs, endEpochMs, browserMade }) => {
    if (startEpochMs === null || endEpochMs === null || browserMade) return [];
    const isBeforeLoad = startEpochMs + startResolutionMs - originMs <= loadStartMs;
    return isBeforeLoad ? [endEpochMs - originMs] : [];
  });
  return ends.length === 0 ? null : Math.max(...ends);
}

/** The HAR counts from the first request, the page from navigation start: both are brought to the same origin first. */
function loadDisagreement(pltMs: number, timings: PageTimings, har: Har | null): string | undefined {
  const page = har?.log?.pages?.[0];
  const onLoadMs = finiteOrNull(page?.pageTimings?.onLoad);
  if (page === undefined || onLoadMs === null) return undefined;
  const startedEpochMs = parseMoment(page.startedDateTime).epochMs;
  const shiftMs = startedEpochMs === null ? 0 : startedEpochMs - timings.timeOriginEpochMs;
  const harLoadMs = onLoadMs + shiftMs;
  if (Math.abs(harLoadMs - pltMs) <= loadAgreementMs) return undefined;
  return `load event: HAR onLoad says ${harLoadMs.toFixed(1)} ms after navigation start, the page's loadEventEnd ${pltMs.toFixed(1)} ms; they should agree within ${loadAgreementMs} ms`;
}

function connectionMetrics(timings: PageTimings): DerivedPart {
  const connectMs = elapsedMs(timings.connectStartMs, timings.connectEndMs);
  const ttfbMs = elapsedMs(timings.requestStartMs, timings.responseStartMs);
  if (connectMs !== null && connectMs > 0) {
    const ttfbWithConnectMs = elapsedMs(timings.connectStartMs, timings.responseStartMs);
    return { metrics: { ttfbMs, connectMs, ttfbWithConnectMs }, warnings: [] };
  }
  return {
    metrics: { ttfbMs, connectMs: null, ttfbWithConnectMs: null },
    warnings: [
      'connectMs, ttfbWithConnectMs: the main document found its connection already open (the browser connected ahead of the request) or the browser withholds the times',
    ],
  };
}

function vitalMetrics(timings: PageTimings): DerivedPart {
  const metrics = {
    fcpMs: finiteOrNull(timings.fcpMs),
    lcpMs: finiteOrNull(timings.lcpMs),
    cls: finiteOrNull(timings.cls),
    tbtMs: totalBlockingMs(timings),
  };
  const absent = Object.entries(metrics).flatMap(([name, value]) => (value === null ? [name] : []));
  return {
    metrics,
    warnings: absent.length === 0 ? [] : [`${absent.join(', ')}: no such entries from this browser`],
  };
}

/**
 * Total blocking time: what each long task takes beyond 50 ms, between First Contentful Paint and the end of the
 * measurement (load and the quiet time after it). A task under way at FCP counts from FCP, as in Lighthouse.
 */
function totalBlockingMs(timings: PageTimings): number | null {
  const fcpMs = finiteOrNull(timings.fcpMs);
  if (fcpMs === null || !Array.isArray(timings.longTasks)) return null;
  return sum(
    timings.longTasks.map((task) => {
      const afterFcpMs = task.startMs + task.durationMs - Math.max(task.startMs, fcpMs);
      return Math.max(0, afterFcpMs - blockingThresholdMs);
    }),
  );
}
