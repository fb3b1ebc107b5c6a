import type { Har } from '../../core/model/har.ts';
import type { PageTimings, RawTrial } from '../../core/model/raw-trial.ts';
import { evaluate } from '../../core/metrics/evaluate.ts';
import { parseMoment } from '../../core/metrics/evidence/har-moment.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { elapsedMs, finiteOrNull, positiveOrNull } from '../../core/metrics/evidence/numbers.ts';
import type { DerivedPart } from './derived-part.ts';

/** HAR `onLoad` and the page's own load event must agree this closely. */
const loadAgreementMs = 5;

/** What a browser may have no entries for. */
const vitals = ['fcpMs', 'lcpMs', 'cls', 'tbtMs'];

/** What of a trial bears on the metrics of its page besides what the page tells. */
type ArmOfTrial = Pick<RawTrial, 'udp' | 'discovery' | 'testbed'>;

/** What the timings of one document and its objects give. */
export function loadMetrics(
  timings: PageTimings,
  objects: readonly NetworkObject[],
  { udp, discovery, testbed }: ArmOfTrial = {},
): Record<string, number | null> {
  const elapsed = elapsedMs(timings.connectStartMs, timings.connectEndMs);
  const connectMs = elapsed !== null && elapsed > 0 ? elapsed : null;
  return evaluate('page', { timings, objects, connectMs, udp, discovery, roundTripMs: testbed?.roundTripMs });
}

/** Timings of one cold navigation, in ms after navigation start, and the Web Vitals. */
export function pageMetrics(
  timings: PageTimings | null,
  har: Har | null,
  objects: readonly NetworkObject[],
  arm: ArmOfTrial = {},
): DerivedPart {
  if (timings === null) return { metrics: {}, warnings: ['no page timings: every page metric is missing'] };
  const metrics = loadMetrics(timings, objects, arm);
  const disagreement = loadDisagreement(positiveOrNull(timings.loadEventEndMs), timings, har);
  const absent = vitals.filter((name) => metrics[name] === null);
  return {
    metrics,
    warnings: [
      ...(disagreement === undefined ? [] : [disagreement]),
      ...(metrics['connectMs'] === null
        ? [
            'connectMs, ttfbWithConnectMs: the main document found its connection already open (the browser connected ahead of the request) or the browser withholds the times',
          ]
        : []),
      ...(absent.length === 0 ? [] : [`${absent.join(', ')}: no such entries from this browser`]),
    ],
  };
}

/** The HAR counts from the first request, the page from navigation start: both are brought to the same origin first. */
function loadDisagreement(pltMs: number | null, timings: PageTimings, har: Har | null): string | undefined {
  if (pltMs === null) return undefined;
  const page = har?.log?.pages?.[0];
  const onLoadMs = finiteOrNull(page?.pageTimings?.onLoad);
  if (page === undefined || onLoadMs === null) return undefined;
  const startedEpochMs = parseMoment(page.startedDateTime).epochMs;
  const shiftMs = startedEpochMs === null ? 0 : startedEpochMs - timings.timeOriginEpochMs;
  const harLoadMs = onLoadMs + shiftMs;
  if (Math.abs(harLoadMs - pltMs) <= loadAgreementMs) return undefined;
  return `load event: HAR onLoad says ${harLoadMs.toFixed(1)} ms after navigation start, the page's loadEventEnd ${pltMs.toFixed(1)} ms. They should agree within ${loadAgreementMs} ms`;
}
