import { connectMs } from './connect-ms.ts';
import type { Metric } from './metric.ts';

/** On shorter paths computing takes a share of the time that would count as a flight. */
const minRoundTripMs = 20;

/** Undefined where the path's round trip is not known, or says nothing. */
function roundTripsOf(
  tookMs: number | null | undefined,
  roundTripMs: number | undefined,
): number | null | undefined {
  if (roundTripMs === undefined || roundTripMs < minRoundTripMs || tookMs === undefined) return undefined;
  return tookMs === null ? null : tookMs / roundTripMs;
}

export const connectRoundTrips: Metric = {
  name: 'connectRoundTrips',
  title: 'round trips of connection set-up',
  isPlural: true,
  meaning:
    'On paths of 20 ms and more: 1 for QUIC, 2 for TCP with TLS 1.3 where the certificates fit the first flight.',
  source: 'RFC 9000, section 8.1',
  unit: '',
  form: 'difference',
  margin: 0.5,
  higherIsBetter: false,
  kinds: ['page', 'download'],
  onDeadline: 'missing',
  formulas: {
    page: (page) => roundTripsOf(page.connectMs, page.roundTripMs),
    download: (download) => roundTripsOf(connectMs.formulas.download?.(download), download.roundTripMs),
  },
};
